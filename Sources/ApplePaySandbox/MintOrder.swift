public import ApplePay

/// What a minted token is to hold: the payment data, and what goes around it.
public struct MintOrder: Sendable {
    /// The device account number; the first of Mastercard's published test numbers unless another is named.
    public var accountNumber: AccountNumber
    /// Six digits, `YYMMDD`.
    public var expirationDate: ApplicationExpirationDate
    /// ISO 4217's numeric code, three digits.
    public var currencyCode: String
    /// The amount in minor units of the currency.
    public var amountMinorUnits: Int64
    /// The name on the card, if there is to be one.
    public var cardholderName: String?
    /// The cryptogram in base64; 20 random bytes unless one is named.
    public var onlinePaymentCryptogram: SecretText
    /// The electronic commerce indicator, if there is to be one.
    public var eciIndicator: String?
    /// The bytes of the payment request's `applicationData`, whose hash the token is to have, if there were any.
    public var applicationData: [UInt8]?
    /// When the token is signed: from 2014 to 2049, while the local authority's certificates are valid.
    public var signingTime: Instant
    /// The device's identifier of the transaction, 32 random bytes unless one is named.
    public var transactionId: [UInt8]

    /// An order for an amount at an instant, the rest as the members say.
    public init(
        accountNumber: AccountNumber, expirationDate: ApplicationExpirationDate, currencyCode: String,
        amountMinorUnits: Int64, signingTime: Instant
    ) {
        self.accountNumber = accountNumber
        self.expirationDate = expirationDate
        self.currencyCode = currencyCode
        self.amountMinorUnits = amountMinorUnits
        self.signingTime = signingTime
        onlinePaymentCryptogram = SecretText(Base64.encoded(SandboxRandom.bytes(20)))
        // Visa's real tokens carry an indicator, Mastercard's don't.
        eciIndicator = accountNumber.issuerIdentificationNumber.hasPrefix("4") ? "7" : nil
        transactionId = SandboxRandom.bytes(32)
    }
}
