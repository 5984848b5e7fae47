internal import Values
public import Vault

/// An aspect of a store's health.
public enum StoreCheck: CaseIterable, Sendable {
    /// The store can be read.
    case reading
    /// The store can be written: a row without meaning is written durably.
    case writing
    /// After damaged data was found: the whole store is intact. May take as long as reading the whole store.
    case integrity
}

extension PaymentStore {
    /// Looks up an order, whatever the aspect; the default for stores without specific checks.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) { try await findAnyOrder() }

    /// Looks up an order; throws if the store can't be read.
    public func findAnyOrder() async throws(StoreFailure) {
        guard let merchant = try? MerchantID("_"), let order = try? OrderID("_") else {
            preconditionFailure("built-in identifiers are valid")
        }
        // Any order will do: only the lookup itself is checked.
        _ = try await history(of: OrderKey(merchant: merchant, order: order))
    }
}
