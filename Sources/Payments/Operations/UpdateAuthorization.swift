/// An UPDATE_AUTHORIZATION, which changes the amount of the order's authorization.
public struct UpdateAuthorization: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The new total authorized amount.
    public let amount: Amount

    /// Creates a request from fields that have been validated individually.
    public init(instruction: Instruction, amount: Amount) {
        self.instruction = instruction
        self.amount = amount
    }
}
