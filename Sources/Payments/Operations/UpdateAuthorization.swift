/// An UPDATE_AUTHORIZATION: the order's authorization for another amount.
public struct UpdateAuthorization: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// What is to be authorized in all, in place of what was.
    public let amount: Amount

    /// A request whose fields were checked one by one.
    public init(instruction: Instruction, amount: Amount) {
        self.instruction = instruction
        self.amount = amount
    }
}
