/// What the merchant asked Apple Pay for, against which a token is held (step 6 of Apple's seven).
public struct TransactionDetails: Equatable, Sendable {
    /// The total, or nothing to leave it uncompared.
    public let total: Total?
    /// SHA-256 of the `applicationData` of the payment request, 32 bytes, or nothing to leave it uncompared.
    public let applicationDataHash: [UInt8]?

    /// An amount of a currency.
    public struct Total: Equatable, Sendable {
        /// ISO 4217's numeric code, three digits.
        public let currencyCode: String
        /// The amount in minor units of the currency.
        public let amountMinorUnits: Int64

        /// A total; see the members.
        public init(currencyCode: String, amountMinorUnits: Int64) {
            self.currencyCode = currencyCode
            self.amountMinorUnits = amountMinorUnits
        }
    }

    /// Details to compare with; what is absent is left uncompared.
    public init(total: Total?, applicationDataHash: [UInt8]? = nil) {
        precondition(applicationDataHash.map { $0.count == 32 } ?? true, "SHA-256 has 32 bytes")
        self.total = total
        self.applicationDataHash = applicationDataHash
    }

    /// Details with a total.
    public init(currencyCode: String, amountMinorUnits: Int64, applicationDataHash: [UInt8]? = nil) {
        self.init(
            total: Total(currencyCode: currencyCode, amountMinorUnits: amountMinorUnits),
            applicationDataHash: applicationDataHash)
    }
}

extension TransactionDetails {
    /// Compares currency and amount, where the merchant gave them.
    func check(_ paymentData: PaymentData) throws(TokenRefusal) {
        guard let total else { return }
        guard paymentData.currencyCode == total.currencyCode else {
            throw .currencyDiffers(token: paymentData.currencyCode, order: total.currencyCode)
        }
        guard paymentData.transactionAmountMinorUnits == total.amountMinorUnits else {
            throw .amountDiffers(
                tokenMinorUnits: paymentData.transactionAmountMinorUnits, orderMinorUnits: total.amountMinorUnits)
        }
    }

    /// Compares the hash of application data, where the merchant gave one.
    func check(applicationData: [UInt8]?) throws(TokenRefusal) {
        guard let expected = applicationDataHash else { return }
        guard let applicationData else { throw .applicationDataMissing }
        guard applicationData == expected else { throw .applicationDataDiffers }
    }
}
