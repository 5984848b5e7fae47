internal import Values
public import Vault

/// What is asked of a store to know whether it works.
public enum StoreCheck: CaseIterable, Sendable {
    /// Whether it can be read.
    case reading
    /// Whether it can be written: something that means nothing is, durably.
    case writing
    /// Whether all of it is whole, after something was found that isn't. That may take as long as reading it through.
    case integrity
}

extension PaymentStore {
    /// Looks for an order, whatever is asked: for a store that knows no better.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) { try await findAnyOrder() }

    /// Returns if the store can be read.
    public func findAnyOrder() async throws(StoreFailure) {
        guard let merchant = try? MerchantID("_"), let order = try? OrderID("_") else {
            preconditionFailure("built-in identifiers are valid")
        }
        // Any order will do: that it can be looked for is what is asked.
        _ = try await history(of: OrderKey(merchant: merchant, order: order))
    }
}
