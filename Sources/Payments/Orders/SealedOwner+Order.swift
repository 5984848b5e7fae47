internal import Values
internal import Vault

extension SealedOwner {
    /// The owner of the sealed values of an order's payments. Later transactions of the order show the same values.
    init(_ purpose: SealingPurpose, _ order: OrderKey) {
        self.init(purpose, merchant: order.merchant, id: order.order.text)
    }
}
