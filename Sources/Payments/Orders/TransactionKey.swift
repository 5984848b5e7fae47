/// The key of a transaction, unique in the installation.
public struct TransactionKey: Hashable, Sendable {
    /// The merchant and its order.
    public let order: OrderKey
    /// The transaction's identifier within the order.
    public let transaction: TransactionID

    /// An order's transaction.
    public init(order: OrderKey, transaction: TransactionID) {
        self.order = order
        self.transaction = transaction
    }
}
