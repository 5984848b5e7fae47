/// What the merchant asked Apple Pay for, against which a token is held (step 6 of Apple's seven).
public struct TransactionDetails: Equatable, Sendable {
    /// ISO 4217's numeric code, three digits.
    public let currencyCode: String
    /// The total in minor units of the currency.
    public let amountMinorUnits: Int64
    /// SHA-256 of the `applicationData` of the payment request, 32 bytes, where the merchant says what it was.
    public let applicationDataHash: [UInt8]?

    /// Details to compare with; an absent hash leaves the token's own uncompared.
    public init(currencyCode: String, amountMinorUnits: Int64, applicationDataHash: [UInt8]? = nil) {
        precondition(applicationDataHash.map { $0.count == 32 } ?? true, "SHA-256 has 32 bytes")
        self.currencyCode = currencyCode
        self.amountMinorUnits = amountMinorUnits
        self.applicationDataHash = applicationDataHash
    }
}
