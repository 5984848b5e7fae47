public import ApplePay
public import ApplePaySandbox
internal import OpenSSL

/// A merchant with a key of its own and a local authority to mint tokens for it, made in the test that needs them.
public struct LocalMerchant: Sendable {
    /// Signs the tokens.
    public let authority: LocalAuthority
    /// The merchant's key.
    public let key: PaymentProcessingKey
    /// Whose tokens the merchant accepts: the authority's.
    public let trust: TrustPolicy

    /// 2021-09-01T19:03:10Z: when the tests take place.
    public static let instant = Instant(secondsSinceEpoch: 1_630_522_990)
    /// The merchant identifier that tokens are bound to.
    public static let merchantIdentifier = "merchant.example.tollgate"

    /// A new authority and a new key.
    public init() throws { try self.init(LocalAuthority.make()) }

    /// A new key of a merchant that accepts this authority's tokens.
    public init(_ authority: LocalAuthority) throws {
        self.authority = authority
        let privateKey = try PrivateKey.generate(.p256)
        let certificate = try authority.paymentProcessingCertificate(
            for: privateKey.publicKey, merchantIdentifier: Self.merchantIdentifier)
        key = try PaymentProcessingKey(
            privateKey: privateKey, certificate: certificate, merchantIdentifier: Self.merchantIdentifier)
        trust = try TrustPolicy(anchors: [.local(authority.root)], acceptsAppleSandbox: false)
    }

    /// Opens the merchant's tokens.
    public var opener: TokenOpener { TokenOpener(keys: [key], trust: trust) }

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
    public var recipient: TokenMint.Recipient {
        get throws {
            try TokenMint.Recipient(
                publicKey: key.publicKey, merchantIdentifierHash: key.merchantIdentifierHash ?? [])
        }
    }

    /// Mints a token for this merchant.
    public func mint(_ order: MintOrder, defect: MintDefect? = nil) throws -> String {
        let token = try TokenMint(authority).mint(order, for: try recipient, defect: defect)
        return String(decoding: token, as: UTF8.self)
    }

    /// A date of the support's own that is no date.
    public struct BadDate: Error {}
}
