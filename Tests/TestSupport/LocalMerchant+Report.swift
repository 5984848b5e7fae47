public import ApplePay
internal import ApplePaySandbox
import Values

extension LocalMerchant {
    /// The report on a token for a card with a name and for submerchants of a minor unit each, judged at its signing time.
    ///
    /// - Returns: the report, and the cryptogram that the token holds.
    public func report(
        cardholderName: String? = nil, submerchants: [String] = [], expecting details: TransactionDetails? = nil
    ) throws -> (report: TokenReport, cryptogram: String) {
        var order = try order()
        order.cardholderName = cardholderName
        order.submerchants = submerchants.map { .init(merchantIdentifier: $0, amountMinorUnits: 1) }
        return (
            opener.open(text: try mint(order), at: .signing, expecting: details),
            order.onlinePaymentCryptogram.revealed()
        )
    }
}
