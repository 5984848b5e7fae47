public import ApplePay

extension Merchant {
    /// The total that a token was made for, of a request that names no amount of its own; nothing if an order can't have it.
    ///
    /// What is refused here is what ``Gateway/perform(_:at:timing:)`` would refuse: the privileges, then the token.
    public func total(of token: SecretText, at instant: Instant) throws(Refusal) -> Amount? {
        let paymentData = try paymentData(in: token, at: instant)
        guard let currency = Currency(numericCode: paymentData.currencyCode) else { return nil }
        return Amount(exactly: paymentData.transactionAmountMinorUnits, currency)
    }

    /// What a token holds, for a merchant who may open tokens, without a use of the token.
    public func paymentData(in token: SecretText, at instant: Instant) throws(Refusal) -> PaymentData {
        for privilege in [Privilege.devicePayments, .applePayDecryption] where !privileges.contains(privilege) {
            throw .missingPrivilege(privilege)
        }
        guard let applePay else { throw .applePayNotConfigured }
        let report = applePay.open(token, at: instant, expecting: nil)
        guard let opened = report.opened else { throw .tokenRefused(report) }
        return opened.paymentData
    }
}
