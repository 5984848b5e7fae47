/// A VERIFY: whether a card is good. No money is asked for, so the order's amount is 0.
public struct Verify: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The order's currency.
    public let currency: Currency
    /// The card to verify.
    public let sourceOfFunds: SourceOfFunds
    /// The wallet that the merchant named.
    public let walletProvider: WalletProvider?

    /// A request whose fields were checked one by one.
    public init(
        instruction: Instruction, currency: Currency, sourceOfFunds: SourceOfFunds, walletProvider: WalletProvider?
    ) {
        self.instruction = instruction
        self.currency = currency
        self.sourceOfFunds = sourceOfFunds
        self.walletProvider = walletProvider
    }
}
