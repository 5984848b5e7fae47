internal import ApplePay
public import OpenSSL

/// Makes payment tokens as Apple does, signed by a local authority.
public struct TokenMint: Sendable {
    private let authority: LocalAuthority

    /// A mint of this authority.
    public init(_ authority: LocalAuthority) { self.authority = authority }

    /// Whom a token is encrypted to: the public half of a payment processing key.
    public struct Recipient: Sendable {
        /// The key's uncompressed point on P-256, 65 bytes.
        let point: [UInt8]
        /// SHA-256 of the key's `SubjectPublicKeyInfo`, 32 bytes.
        var publicKeyHash: [UInt8]
        /// SHA-256 of the merchant identifier, 32 bytes.
        var merchantIdentifierHash: [UInt8]

        /// The recipient with this key on P-256 and merchant identifier hash of 32 bytes.
        public init(publicKey: PublicKey, merchantIdentifierHash: [UInt8]) throws(OpenSSLError) {
            precondition(merchantIdentifierHash.count == 32, "SHA-256 yields 32 bytes")
            guard publicKey.isP256 else { throw .wrongKeyType }
            point = try publicKey.encodedPoint()
            publicKeyHash = SHA256.hash(try publicKey.subjectPublicKeyInfo())
            self.merchantIdentifierHash = merchantIdentifierHash
        }
    }

    /// Mints one `EC_v1` token, a lawful one or one with a single defect.
    ///
    /// - Returns: the JSON text of `PKPaymentToken.paymentData`, about 4,000 bytes.
    public func mint(
        _ order: MintOrder, for recipient: Recipient, defect: MintDefect? = nil
    ) throws(OpenSSLError) -> [UInt8] {
        try mint(order, for: recipient, altered: defect?.alteration ?? TokenAlteration())
    }

    /// Mints one token, handing what each stage made to `alteration` before the next takes it.
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

        var signer = TokenSigner(authority, at: order.signingTime)
        try alteration.signer(&signer)
        var attributes = SignerAttributes(
            messageDigest: SHA256.hash(content.bytes), signingTime: order.signingTime)
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

/// Random bytes for what a device would make up.
enum SandboxRandom {
    static func bytes(_ count: Int) -> [UInt8] { RandomBytes.generate(count) }
}
