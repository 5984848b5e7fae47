public import ApplePay
public import Values

extension Merchant {
    /// Decrypts a token without using it for a payment, and returns the report with the payment data.
    ///
    /// Refuses what ``Gateway/perform(_:at:timing:)`` would refuse: a merchant without the privileges, then an invalid
    /// token.
    ///
    /// - Parameter noting: receives the notes on a refused token, each a single sentence without secrets.
    public func report(
        on token: SecretText, at instant: Instant, noting: ([String]) -> Void
    ) throws(Refusal) -> (TokenReport, PaymentData) {
        for privilege in [Privilege.devicePayments, .applePayDecryption] where !privileges.contains(privilege) {
            throw .missingPrivilege(privilege)
        }
        guard let applePay else { throw .applePayNotConfigured }
        let report = applePay.open(token, at: instant, expecting: nil)
        guard let opened = report.opened else {
            noting(report.notes)
            throw .tokenRefused(report)
        }
        return (report, opened.paymentData)
    }
}

extension Amount {
    /// The total for which a token was made; nil if no order can have this total.
    public init?(totalOf paymentData: PaymentData) {
        guard let currency = Currency(numericCode: paymentData.currencyCode) else { return nil }
        self.init(exactly: paymentData.transactionAmountMinorUnits, currency)
    }
}
