public import ApplePay
public import Payments

extension InMemoryStore: SealedStore {
    /// The item of a name.
    public func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? { sealed[name] }

    /// Writes an item.
    public func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        guard sealed[item.name]?.revision ?? 0 == item.revision - 1 else { return .moved }
        if item.revision == 1 {
            if item.expiry != nil {
                _ = try await removeExpired(at: instant, countMax: SealedItem.removedWithPutMax)
            }
            if let group {
                guard hasRoom(in: group) else { return .full }
                sealedGroups[item.name] = group.name
            }
        }
        sealed[item.name] = item
        return .written
    }

    /// Removes the item of a name.
    public func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        sealedGroups[name] = nil
        return sealed.removeValue(forKey: name) != nil
    }

    private func hasRoom(in group: SealedGroup) -> Bool {
        let names = sealedGroups.filter { $0.value == group.name }.map(\.key)
        guard names.count >= group.countMax else { return true }
        let unused = names.compactMap { sealed[$0] }.filter { $0.revision == 1 && $0.expiry != nil }
        guard group.replacesUnused,
            let oldest = unused.min(by: {
                $0.expiry?.millisecondsSinceEpoch ?? 0 < $1.expiry?.millisecondsSinceEpoch ?? 0
            })
        else { return false }
        (sealed[oldest.name], sealedGroups[oldest.name]) = (nil, nil)
        return true
    }

    /// Removes items that have expired.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        let expired = sealed.values.filter { $0.expiry.map { $0 <= instant } ?? false }
            .sorted { ($0.expiry ?? instant) < ($1.expiry ?? instant) }.prefix(countMax)
        for item in expired { (sealed[item.name], sealedGroups[item.name]) = (nil, nil) }
        return expired.count
    }
}
