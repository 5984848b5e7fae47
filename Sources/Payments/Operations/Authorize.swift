/// An AUTHORIZE or PAY.
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

        /// The operation among all.
        public var paymentOperation: PaymentOperation {
            switch self {
            case .authorize: .authorize
            case .pay: .pay
            }
        }
    }

    /// Which of the two.
    public let operation: Operation
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The order's amount.
    public let amount: Amount
    /// Where the money comes from.
    public let sourceOfFunds: SourceOfFunds
    /// The wallet that the merchant named.
    public let walletProvider: WalletProvider?

    /// A request whose fields were checked one by one.
    public init(
        operation: Operation, instruction: Instruction, amount: Amount, sourceOfFunds: SourceOfFunds,
        walletProvider: WalletProvider?
    ) {
        self.operation = operation
        self.instruction = instruction
        self.amount = amount
        self.sourceOfFunds = sourceOfFunds
        self.walletProvider = walletProvider
    }
}
