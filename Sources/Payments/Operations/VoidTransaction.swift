/// A VOID: undoes an authorization, payment, capture or refund as a whole.
public struct VoidTransaction: Sendable {
    /// The merchant, the order and the transaction.
    public let instruction: Instruction
    /// The transaction to undo.
    public let target: TransactionID

    /// A request whose fields were checked one by one.
    public init(instruction: Instruction, target: TransactionID) {
        self.instruction = instruction
        self.target = target
    }
}
