internal import OpenSSL

/// What the merchant asked Apple Pay for, against which a token is held (step 6 of Apple's seven).
public struct TransactionDetails: Equatable, Sendable {
    /// The total, or nothing to leave it uncompared.
    public let total: Total?
    /// What is asked of the token's application data.
    public let applicationData: ApplicationDataPolicy
    /// Whose part of the payment the total is compared with.
    public let payee: Payee

    /// An amount of a currency.
    public struct Total: Equatable, Sendable {
        /// ISO 4217's numeric code, three digits.
        public let currencyCode: String
        /// The amount in minor units of the currency, or nothing to compare the currency alone.
        public let amountMinorUnits: Int64?

        /// A total; see the members.
        public init(currencyCode: String, amountMinorUnits: Int64?) {
            self.currencyCode = currencyCode
            self.amountMinorUnits = amountMinorUnits
        }
    }

    /// Details to compare with; what is absent is left uncompared.
    public init(
        total: Total?, applicationData: ApplicationDataPolicy = .notCompared, payee: Payee = .whole
    ) {
        self.total = total
        self.applicationData = applicationData
        self.payee = payee
    }

    /// Details with a total.
    public init(
        currencyCode: String, amountMinorUnits: Int64, applicationData: ApplicationDataPolicy = .notCompared,
        payee: Payee = .whole
    ) {
        self.init(
            total: Total(currencyCode: currencyCode, amountMinorUnits: amountMinorUnits),
            applicationData: applicationData, payee: payee)
    }

    /// Whether there is nothing to compare with.
    public var isEmpty: Bool { total == nil && applicationData == .notCompared && payee == .whole }
}

/// What a merchant asks of `header.applicationData`, the SHA-256 of what its payment request had as `applicationData`.
///
/// Whether a token may lack what was asked for, or have what was not, is not Apple's to say but the merchant's.
public enum ApplicationDataPolicy: Equatable, Sendable {
    /// It may be there or not, and be anything.
    case notCompared
    /// The request had none, so the token must have none.
    case absent
    /// The request had these bytes, before any base 64.
    case bytes([UInt8])
    /// The request had bytes of this SHA-256; a hash of another length than 32 bytes is no token's.
    case hash([UInt8])

    /// The hash that the token must have, if one is asked for.
    var expectedHash: [UInt8]? {
        switch self {
        case .notCompared, .absent: nil
        case .bytes(let bytes): SHA256.hash(bytes)
        case .hash(let hash): hash
        }
    }

    /// Holds a token's application data, if it has any, against the policy.
    func check(_ applicationData: [UInt8]?) throws(TokenRefusal) {
        switch self {
        case .notCompared: return
        case .absent: guard applicationData == nil else { throw .applicationDataUnexpected }
        case .bytes, .hash:
            guard let applicationData else { throw .applicationDataMissing }
            guard applicationData == expectedHash else { throw .applicationDataDiffers }
        }
    }
}

extension TransactionDetails {
    /// Compares the submerchant's entry, currency and amount, where the merchant gave them.
    func check(_ paymentData: PaymentData) throws(TokenRefusal) {
        let response = try payee.response(in: paymentData)
        guard let total else { return }
        let tokenMinorUnits = response?.transactionAmountMinorUnits ?? paymentData.transactionAmountMinorUnits
        guard paymentData.currencyCode == total.currencyCode else {
            throw .currencyDiffers(
                token: Total(currencyCode: paymentData.currencyCode, amountMinorUnits: tokenMinorUnits), order: total)
        }
        guard let orderMinorUnits = total.amountMinorUnits else { return }
        guard tokenMinorUnits == orderMinorUnits else {
            throw .amountDiffers(
                tokenMinorUnits: tokenMinorUnits, orderMinorUnits: orderMinorUnits, currencyCode: total.currencyCode)
        }
    }
}
