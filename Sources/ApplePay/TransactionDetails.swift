internal import OpenSSL

/// The details that the merchant requested from Apple Pay, for comparison with a token (step 6 of Apple's seven).
public struct TransactionDetails: Equatable, Sendable {
    /// The total; nil to skip its comparison.
    public let total: Total?
    /// The requirement on the token's application data.
    public let applicationData: ApplicationDataPolicy
    /// The payee whose part of the payment the total is compared with.
    public let payee: Payee

    /// An amount with its currency.
    public struct Total: Equatable, Sendable {
        /// The numeric ISO 4217 code, three digits.
        public let currencyCode: String
        /// The amount in minor units of the currency; nil to compare only the currency.
        public let amountMinorUnits: Int64?

        /// Creates a total.
        public init(currencyCode: String, amountMinorUnits: Int64?) {
            self.currencyCode = currencyCode
            self.amountMinorUnits = amountMinorUnits
        }
    }

    /// Creates details to compare with; omitted ones are not compared.
    public init(
        total: Total?, applicationData: ApplicationDataPolicy = .notCompared, payee: Payee = .whole
    ) {
        self.total = total
        self.applicationData = applicationData
        self.payee = payee
    }

    /// Creates details with a total.
    public init(
        currencyCode: String, amountMinorUnits: Int64, applicationData: ApplicationDataPolicy = .notCompared,
        payee: Payee = .whole
    ) {
        self.init(
            total: Total(currencyCode: currencyCode, amountMinorUnits: amountMinorUnits),
            applicationData: applicationData, payee: payee)
    }

    /// Whether nothing is compared.
    public var isEmpty: Bool { total == nil && applicationData == .notCompared && payee == .whole }
}

/// The requirement on `header.applicationData`, the SHA-256 of the payment request's `applicationData`.
///
/// Apple leaves it to the merchant whether a token may lack requested application data, or have some that was not
/// requested.
public enum ApplicationDataPolicy: Equatable, Sendable {
    /// The token may have any application data, or none.
    case notCompared
    /// The request had none, so the token must have none.
    case absent
    /// The request had these bytes, before any base64.
    case bytes([UInt8])
    /// The request had bytes with this SHA-256. A hash that is not 32 bytes long matches no token.
    case hash([UInt8])

    /// The hash that the token must have; nil if none is required.
    var expectedHash: [UInt8]? {
        switch self {
        case .notCompared, .absent: nil
        case .bytes(let bytes): SHA256.hash(bytes)
        case .hash(let hash): hash
        }
    }

    /// Checks a token's application data against the policy.
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
    /// Compares the payee's entry, the currency and the amount, where the merchant gave them.
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
