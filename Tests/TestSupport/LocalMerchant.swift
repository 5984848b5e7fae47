public import ApplePay
public import ApplePaySandbox
internal import OpenSSL
public import Values

/// A merchant with a key of its own and a local authority to mint tokens for it, made in the test that needs them.
public struct LocalMerchant: Sendable {
    /// Signs the tokens.
    public let authority: LocalAuthority
    /// The merchant's key for `EC_v1`.
    public let key: PaymentProcessingKey
    /// The merchant's key for `RSA_v1`.
    public let rsaKey: PaymentProcessingKey
    /// Whose tokens the merchant accepts: the authority's.
    public let trust: TrustPolicy

    /// 2021-09-01T19:03:10Z: when the tests take place.
    public static let instant = Instant(secondsSinceEpoch: 1_630_522_990)
    /// The merchant identifier that tokens are bound to.
    public static let merchantIdentifier = "merchant.example.tollgate"

    /// The RSA keys of every authority and every merchant of a test run: making one takes a tenth of a second.
    private static let rsaKeys = Result {
        (signer: try PrivateKey.generateRSA(bits: 2048), merchant: try PrivateKey.generateRSA(bits: 2048))
    }

    /// A new authority and new keys.
    public init() throws { try self.init(LocalAuthority.make(rsaKey: Self.rsaKeys.get().signer)) }

    /// New keys of a merchant that accepts this authority's tokens.
    public init(_ authority: LocalAuthority) throws {
        func key(_ privateKey: PrivateKey) throws -> PaymentProcessingKey {
            try PaymentProcessingKey(
                privateKey: privateKey,
                certificate: try authority.paymentProcessingCertificate(
                    for: privateKey.publicKey, merchantIdentifier: Self.merchantIdentifier),
                merchantIdentifier: Self.merchantIdentifier)
        }
        self.authority = authority
        self.key = try key(PrivateKey.generate(.p256))
        rsaKey = try key(try Self.rsaKeys.get().merchant)
        trust = try TrustPolicy(anchors: [.local(authority.root)], acceptsAppleSandbox: false)
    }

    /// The key that opens tokens of a version.
    public func key(of version: TokenVersion) -> PaymentProcessingKey { version == .rsa ? rsaKey : key }

    /// Opens the merchant's tokens.
    public var opener: TokenOpener { TokenOpener(keys: [key, rsaKey], trust: trust) }

    /// An order for a token of 56.56 US dollars, signed at the tests' instant.
    public func order(
        pan: String = "5123450000000008", amountMinorUnits: Int64 = 5656, currencyCode: String = "840",
        at instant: Instant = LocalMerchant.instant
    ) throws -> MintOrder {
        guard let expiry = ApplicationExpirationDate(yymmdd: Array("391231".utf8)) else { throw BadDate() }
        return MintOrder(
            accountNumber: try AccountNumber(pan), expirationDate: expiry, currencyCode: currencyCode,
            amountMinorUnits: amountMinorUnits, signingTime: instant)
    }

    /// The merchant as the one to whom tokens are encrypted.
    public func recipient(of version: TokenVersion = .ellipticCurve) throws -> TokenMint.Recipient {
        let key = key(of: version)
        return try TokenMint.Recipient(
            publicKey: key.publicKey, merchantIdentifierHash: key.merchantIdentifierHash ?? [])
    }

    /// Mints a token for this merchant.
    public func mint(
        _ order: MintOrder, _ version: TokenVersion = .ellipticCurve, defect: MintDefect? = nil
    ) throws -> String {
        let token = try TokenMint(authority).mint(order, for: try recipient(of: version), defect: defect)
        return String(decoding: token, as: UTF8.self)
    }

    /// A date of the support's own that is no date.
    public struct BadDate: Error {}
}
