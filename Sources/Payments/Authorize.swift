public import ApplePay
public import JSON

/// An AUTHORIZE or PAY as a merchant asked for it.
public struct Authorize: Sendable {
    /// The two operations that authorize: PAY captures in the same move.
    public enum Operation: String, CaseIterable, Sendable {
        /// Reserve the amount.
        case authorize = "AUTHORIZE"
        /// Take the amount.
        case pay = "PAY"

        /// The type of the transaction that the operation makes.
        public var transactionType: TransactionType {
            switch self {
            case .authorize: .authorization
            case .pay: .payment
            }
        }
    }

    /// Which of the two.
    public let operation: Operation
    /// The merchant, authenticated.
    public let merchant: Merchant
    /// The order.
    public let order: OrderID
    /// The transaction.
    public let transaction: TransactionID
    /// The order's amount.
    public let amount: Amount
    /// Where the money comes from.
    public let sourceOfFunds: SourceOfFunds
    /// The wallet that the merchant named.
    public let walletProvider: WalletProvider?
    /// The channel by which the payer gave the order.
    public let source: TransactionSource
    /// The request in a canonical form, the same bytes for every request with the same parameters. It holds card data,
    /// is hashed under the installation key, and kept nowhere.
    public let parameters: SecretText
    /// The request's members that replies echo. Kept in clear, so the caller guarantees that no card data is in it.
    public let particulars: JSONValue

    /// A request whose fields were checked one by one.
    public init(
        operation: Operation, merchant: Merchant, order: OrderID, transaction: TransactionID, amount: Amount,
        sourceOfFunds: SourceOfFunds, walletProvider: WalletProvider?, source: TransactionSource,
        parameters: SecretText, particulars: JSONValue
    ) {
        self.operation = operation
        self.merchant = merchant
        self.order = order
        self.transaction = transaction
        self.amount = amount
        self.sourceOfFunds = sourceOfFunds
        self.walletProvider = walletProvider
        self.source = source
        self.parameters = parameters
        self.particulars = particulars
    }

    /// The order among all of the installation.
    public var key: OrderKey { OrderKey(merchant: merchant.id, order: order) }
}
