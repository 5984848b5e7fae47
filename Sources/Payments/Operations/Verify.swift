/// A VERIFY, which checks a card without an amount: the order's amount is 0.
public struct Verify: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The order's currency.
    public let currency: Currency
    /// The card to verify.
    public let sourceOfFunds: SourceOfFunds
    /// The request's `order.walletProvider`.
    public let walletProvider: WalletProvider?

    /// Creates a request from fields that have been validated individually.
    public init(
        instruction: Instruction, currency: Currency, sourceOfFunds: SourceOfFunds, walletProvider: WalletProvider?
    ) {
        self.instruction = instruction
        self.currency = currency
        self.sourceOfFunds = sourceOfFunds
        self.walletProvider = walletProvider
    }
}
