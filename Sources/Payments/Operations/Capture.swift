/// A CAPTURE of what an order's authorization reserved, or of a part of it.
public struct Capture: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// How much to take.
    public let amount: Amount

    /// A request whose fields were checked one by one.
    public init(instruction: Instruction, amount: Amount) {
        self.instruction = instruction
        self.amount = amount
    }
}
