/// An AUTHORIZE or PAY.
public struct Authorize: Sendable {
    /// The two operations that authorize; PAY also captures.
    public enum Operation: String, CaseIterable, Sendable {
        /// Reserves the amount.
        case authorize = "AUTHORIZE"
        /// Authorizes and captures the amount.
        case pay = "PAY"

        /// The type of the transaction that the operation creates.
        public var transactionType: TransactionType {
            switch self {
            case .authorize: .authorization
            case .pay: .payment
            }
        }

        /// The same operation as a case of all payment operations.
        public var paymentOperation: PaymentOperation {
            switch self {
            case .authorize: .authorize
            case .pay: .pay
            }
        }
    }

    /// Whether the request is an AUTHORIZE or a PAY.
    public let operation: Operation
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The order's amount.
    public let amount: Amount
    /// The source of funds.
    public let sourceOfFunds: SourceOfFunds
    /// The request's `order.walletProvider`.
    public let walletProvider: WalletProvider?

    /// Creates a request from fields that have been validated individually.
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
