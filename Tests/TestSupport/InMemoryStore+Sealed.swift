public import ApplePay
public import Payments

extension InMemoryStore: SealedStore {
    /// The item of a name.
    public func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? { sealed[name] }

    /// Writes an item.
    public func put(
        _ item: SealedItem, at instant: Instant, expiringMax: Int
    ) async throws(StoreFailure) -> SealedOutcome {
        guard sealed[item.name]?.revision ?? 0 == item.revision - 1 else { return .moved }
        if item.revision == 1, item.expiry != nil {
            _ = try await removeExpired(at: instant, countMax: SealedItem.removedWithPutMax)
            guard sealed.values.count(where: { $0.expiry != nil }) < expiringMax else { return .full }
        }
        sealed[item.name] = item
        return .written
    }

    /// Removes the item of a name.
    public func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        sealed.removeValue(forKey: name) != nil
    }

    /// Removes items that have expired.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        let expired = sealed.values.filter { $0.expiry.map { $0 <= instant } ?? false }
            .sorted { ($0.expiry ?? instant) < ($1.expiry ?? instant) }.prefix(countMax)
        for item in expired { sealed[item.name] = nil }
        return expired.count
    }
}
