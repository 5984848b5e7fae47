import Payments
public import Values
public import Vault

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
                if group.followsOrders { unheldSince[item.name] = instant }
            }
        }
        sealed[item.name] = item
        return .written
    }

    /// Removes the item of a name.
    public func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        (sealedGroups[name], holders[name], unheldSince[name]) = (nil, nil, nil)
        return sealed.removeValue(forKey: name) != nil
    }

    /// Why an order can't hold items.
    func refusal(of items: [HeldItem]) -> CommitOutcome? {
        var newCounts: [[UInt8]: Int] = [:]
        for item in items {
            guard case .new(let item, let group) = item else {
                if sealed[item.name] == nil { return .itemMoved }
                continue
            }
            if sealed[item.name] != nil { return .itemMoved }
            newCounts[group.name, default: 0] += 1
            let count = sealedGroups.values.count { $0 == group.name } + (newCounts[group.name] ?? 0)
            if count > group.countMax { return .groupFull(name: group.name) }
        }
        return nil
    }

    /// Writes what is new of items, and notes who holds them.
    func hold(_ items: [HeldItem], by order: OrderKey) {
        for item in items {
            if case .new(let item, let group) = item {
                (sealed[item.name], sealedGroups[item.name]) = (item, group.name)
                holders[item.name] = group.followsOrders ? [] : nil
            }
            guard unheldSince.removeValue(forKey: item.name) != nil || holders[item.name] != nil else { continue }
            holders[item.name, default: []].insert(order)
        }
    }

    /// Removes the items that no order but this one holds.
    func release(_ order: OrderKey) {
        for (name, orders) in holders where orders.contains(order) {
            holders[name]?.remove(order)
            if orders.count == 1 { (sealed[name], sealedGroups[name], holders[name]) = (nil, nil, nil) }
        }
    }

    /// Removes items that no order holds.
    func removeUnheld(before instant: Instant, countMax: Int) -> Int {
        let names = unheldSince.filter { $0.value < instant }.sorted { $0.value < $1.value }.map(\.key)
            .prefix(max(0, countMax))
        for name in names { (sealed[name], sealedGroups[name], unheldSince[name]) = (nil, nil, nil) }
        return names.count
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
