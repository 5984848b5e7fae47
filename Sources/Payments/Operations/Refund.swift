/// A REFUND of a capture or payment of its order, or a stand-alone REFUND to the card in the request.
public struct Refund: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The amount to refund.
    public let amount: Amount
    /// The capture or payment to refund; if nil, the gateway takes the only candidate.
    public let target: TransactionID?
    /// The card of a stand-alone refund, on an order without payments; nil for any other refund.
    public let sourceOfFunds: SourceOfFunds?
    /// The request's `order.walletProvider`, for a stand-alone refund only.
    public let walletProvider: WalletProvider?

    /// Creates a request from fields that have been validated individually.
    public init(
        instruction: Instruction, amount: Amount, target: TransactionID? = nil, sourceOfFunds: SourceOfFunds? = nil,
        walletProvider: WalletProvider? = nil
    ) {
        self.instruction = instruction
        self.amount = amount
        self.target = target
        self.sourceOfFunds = sourceOfFunds
        self.walletProvider = walletProvider
    }
}
