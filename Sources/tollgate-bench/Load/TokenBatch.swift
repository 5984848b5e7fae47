import ApplePay
import ApplePaySandbox
import JSON
import OpenSSL
import Values

/// Minted tokens, and the kinds of work that open a token.
struct TokenBatch: Sendable {
    private let texts: [[UInt8]]
    private let parts: [TokenParts]
    private let authority: LocalAuthority
    private let privateKey: PrivateKey
    private let opener: TokenOpener
    private let key: PaymentProcessingKey
    /// The version of the tokens.
    let version: TokenVersion
    private static let instant = Instant(secondsSinceEpoch: 1_630_522_990)

    var averageBytes: Int { texts.map(\.count).reduce(0, +) / texts.count }

    init(of version: TokenVersion, count: Int) throws {
        self.version = version
        authority = try LocalAuthority.make()
        privateKey = try version == .rsa ? PrivateKey.generateRSA(bits: 2048) : PrivateKey.generate(.p256)
        key = try PaymentProcessingKey(privateKey: privateKey, merchantIdentifier: "merchant.example")
        opener = TokenOpener(keys: [key], trust: try Self.trust(authority))
        let recipient = try TokenMint.Recipient(
            publicKey: key.publicKey, merchantIdentifierHash: key.merchantIdentifierHash ?? [])
        let mint = TokenMint(authority)
        texts = try (0..<count).map { number in
            guard let expiry = ApplicationExpirationDate(yymmdd: Array("391231".utf8)) else {
                preconditionFailure("a built-in date is valid")
            }
            let order = MintOrder(
                accountNumber: try AccountNumber("5123450000000008"), expirationDate: expiry, currencyCode: "840",
                amountMinorUnits: Int64(100 + number), signingTime: Self.instant)
            return try mint.mint(order, for: recipient)
        }
        parts = try texts.map(TokenParts.init)
    }

    private static func trust(_ authority: LocalAuthority) throws -> TrustPolicy {
        try TrustPolicy(anchors: [.local(authority.root)], acceptsAppleSandbox: false)
    }

    /// The kinds of work; the floor is first.
    var works: [Stopwatch.Work] { [floor, ours, oursWithUnknownChain, plainOpenSSL] }

    /// The signer's key for the version.
    private var signerKey: PrivateKey { version == .rsa ? authority.rsaSigner.key : authority.signer.key }

    /// The minimum cryptography for the version: restoring the secret and verifying the signature.
    var floor: Stopwatch.Work {
        let signed = Array("attributes that were signed".utf8) + [UInt8](repeating: 0, count: 120)
        guard let signature = try? signerKey.sign(signed) else { preconditionFailure("the built-in key signs") }
        return Stopwatch.Work(name: "floor") { [parts, privateKey, version, key = signerKey.publicKey] number in
            let token = parts[number % parts.count]
            let secret =
                version == .rsa
                ? try? privateKey.unwrapOAEP(token.keyBytes) : try? privateKey.sharedSecret(withPoint: token.point)
            let isValid: Void? = signature.withUnsafeBytes { signature in
                signed.withUnsafeBytes { try? key.verify(signature, of: $0) }
            }
            precondition(secret != nil && isValid != nil, "both succeed")
        }
    }

    /// Opens a token from its JSON text to the payment data; the certificate chain is cached.
    var ours: Stopwatch.Work {
        Stopwatch.Work(name: "ours, known chain") { [texts, opener] number in
            Self.open(texts[number % texts.count], opener)
        }
    }

    /// The same with an empty cache of certificate chains.
    var oursWithUnknownChain: Stopwatch.Work {
        Stopwatch.Work(name: "ours, unknown chain") { [texts, key, authority] number in
            guard let trust = try? Self.trust(authority) else {
                preconditionFailure("the built-in root is a certificate")
            }
            Self.open(texts[number % texts.count], TokenOpener(keys: [key], trust: trust))
        }
    }

    private static func open(_ text: [UInt8], _ opener: TokenOpener) {
        let report = text.withUnsafeBytes { opener.open($0, at: .transaction(instant), expecting: nil) }
        precondition(report.opened != nil, "a good token")
    }

    /// The same work with plain OpenSSL: `CMS_verify` with the whole chain, `d2i_PUBKEY` and a key agreement (or the
    /// unwrapping of the key for `RSA_v1`), and the decryption.
    var plainOpenSSL: Stopwatch.Work {
        guard let trust = try? DetachedSignature(root: authority.root) else {
            preconditionFailure("the built-in root is a certificate")
        }
        return Stopwatch.Work(name: "plain OpenSSL") { [texts, key, privateKey, version] number in
            do {
                let token = try TokenParts(texts[number % texts.count])
                try trust.verify(
                    token.signature, of: token.signedContent,
                    atSecondsSinceEpoch: Self.instant.secondsSinceEpoch)
                let symmetricKey: SecretBytes
                switch version {
                case .ellipticCurve:
                    let peer = try PublicKey(subjectPublicKeyInfo: token.keyBytes)
                    symmetricKey = KeyDerivation.key(
                        sharedSecret: try privateKey.sharedSecret(with: peer),
                        merchantIdentifierHash: key.merchantIdentifierHash ?? [])
                case .rsa:
                    symmetricKey = try privateKey.unwrapOAEP(token.keyBytes)
                }
                let plaintext = try AESGCM.open(
                    token.data, key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
                _ = try plaintext.withUnsafeBytes { try JSONDocument($0) }
            } catch {
                preconditionFailure("a good token: \(error)")
            }
        }
    }
}

/// A token's members, decoded without optimizations.
struct TokenParts: Sendable {
    let data: [UInt8]
    let signature: [UInt8]
    /// `ephemeralPublicKey` or `wrappedKey`.
    let keyBytes: [UInt8]
    let transactionId: [UInt8]

    struct Malformed: Error {}

    init(_ text: [UInt8]) throws {
        let token = try JSONDocument(text).root
        func base64(_ node: JSONNode?) throws -> [UInt8] {
            guard let text = node?.string, let bytes = Base64.decoded(text) else { throw Malformed() }
            return bytes
        }
        data = try base64(token["data"])
        signature = try base64(token["signature"])
        keyBytes = try base64(token["header"]?["ephemeralPublicKey"] ?? token["header"]?["wrappedKey"])
        guard let identifier = token["header"]?["transactionId"]?.string,
            let bytes = Hexadecimal.decoded(Array(identifier.utf8))
        else { throw Malformed() }
        transactionId = bytes
    }

    var point: [UInt8] { Array(keyBytes.suffix(65)) }
    var signedContent: [UInt8] { keyBytes + data + transactionId }
}
