/// A REFUND: of a capture or payment of its order, or stand-alone, to a card that the request names.
public struct Refund: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// How much to refund.
    public let amount: Amount
    /// The capture or payment to refund. Without one the gateway looks for the only one that can be meant.
    public let target: TransactionID?
    /// The card of a stand-alone refund, which is under an order without payments; nil for any other refund.
    public let sourceOfFunds: SourceOfFunds?
    /// The wallet that the merchant named; of a stand-alone refund only.
    public let walletProvider: WalletProvider?

    /// A request whose fields were checked one by one.
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
