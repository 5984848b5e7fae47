/// A CAPTURE of an order's authorized amount, or of a part of it.
public struct Capture: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The amount to capture.
    public let amount: Amount

    /// Creates a request from fields that have been validated individually.
    public init(instruction: Instruction, amount: Amount) {
        self.instruction = instruction
        self.amount = amount
    }
}
