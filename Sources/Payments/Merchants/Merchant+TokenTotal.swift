public import ApplePay
public import Values

extension Merchant {
    /// The report on a token that was opened without a use of it, for a merchant who may open tokens: it has payment data.
    ///
    /// What is refused here is what ``Gateway/perform(_:at:timing:)`` would refuse: the privileges, then the token.
    ///
    /// - Parameter noting: is given the notes on a token that is refused, each one sentence without secrets.
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
    /// The total that a token was made for; nil if an order can't have it.
    public init?(totalOf paymentData: PaymentData) {
        guard let currency = Currency(numericCode: paymentData.currencyCode) else { return nil }
        self.init(exactly: paymentData.transactionAmountMinorUnits, currency)
    }
}
