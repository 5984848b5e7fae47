public import ApplePay
public import OpenSSL

/// Mints payment tokens like Apple's, signed by a local authority.
public struct TokenMint: Sendable {
    private let authority: LocalAuthority

    /// Creates a mint that uses this authority.
    public init(_ authority: LocalAuthority) { self.authority = authority }

    /// The recipient that a token is encrypted to: the public half of a payment processing key. The kind of key
    /// determines the token's version.
    public struct Recipient: Sendable {
        /// `EC_v1` for a key on P-256, `RSA_v1` for an RSA key.
        public let version: TokenVersion
        let publicKey: PublicKey
        /// SHA-256 of the key's `SubjectPublicKeyInfo`, 32 bytes.
        var publicKeyHash: [UInt8]
        /// SHA-256 of the merchant identifier, 32 bytes; not used for `RSA_v1`.
        var merchantIdentifierHash: [UInt8]
        /// The size of the symmetric key of `RSA_v1`, in bytes.
        var wrappedKeyByteCount = 16

        /// Creates a recipient with a P-256 or RSA key and a merchant identifier hash of 32 bytes.
        public init(publicKey: PublicKey, merchantIdentifierHash: [UInt8]) throws(OpenSSLError) {
            precondition(merchantIdentifierHash.count == 32, "SHA-256 yields 32 bytes")
            guard publicKey.isP256 || publicKey.isRSA else { throw .wrongKeyType }
            version = publicKey.isRSA ? .rsa : .ellipticCurve
            self.publicKey = publicKey
            publicKeyHash = SHA256.hash(try publicKey.subjectPublicKeyInfo())
            self.merchantIdentifierHash = merchantIdentifierHash
        }

        /// The header member from which the symmetric key is recovered.
        var keyMaterialName: String { version == .rsa ? "wrappedKey" : "ephemeralPublicKey" }
    }

    /// Mints one valid token, or one with a single defect. The recipient's key determines its version.
    ///
    /// - Precondition: the token meets the defect's requirement (``MintDefect/requirement``).
    /// - Returns: the JSON text of `PKPaymentToken.paymentData`, about 4,000 bytes.
    public func mint(
        _ order: MintOrder, for recipient: Recipient, defect: MintDefect? = nil
    ) throws(OpenSSLError) -> [UInt8] {
        precondition(defect?.requirement?.isMet(by: order, recipient.version) ?? true, "asked for before")
        return try mint(order, for: recipient, altered: defect?.alteration ?? TokenAlteration())
    }

    /// Mints one token. After each stage the result is passed to `alteration`.
    func mint(
        _ order: MintOrder, for recipient: Recipient, altered alteration: TokenAlteration
    ) throws(OpenSSLError) -> [UInt8] {
        var order = order
        alteration.order(&order)
        var plaintext = order.plaintext
        alteration.plaintext(&plaintext)
        var recipient = recipient
        alteration.recipient(&recipient)
        var content = try SignedContent(sealing: plaintext, of: order, to: recipient)
        alteration.content(&content)

        var signer = TokenSigner(authority, of: recipient.version, at: order.signingTime)
        try alteration.signer(&signer)
        var attributes = SignerAttributes(
            messageDigest: SHA256.hash(content.bytes), signingTime: order.signingTime,
            signatureAlgorithm: signer.signatureAlgorithm)
        alteration.attributes(&attributes)
        var signature = try SignatureDraft(attributes, by: signer)
        alteration.signature(&signature)
        var encodedSignature = signature.ber
        alteration.encodedSignature(&encodedSignature)

        var token = TokenDraft(content, for: recipient, signature: encodedSignature)
        alteration.token(&token)
        return token.json
    }
}
