/// A VOID, which cancels an authorization, payment, capture or refund in full.
public struct VoidTransaction: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The transaction to void.
    public let target: TransactionID

    /// Creates a request from fields that have been validated individually.
    public init(instruction: Instruction, target: TransactionID) {
        self.instruction = instruction
        self.target = target
    }
}
