internal import Payments
internal import Values
internal import Vault

/// The stored state of a batch's items and groups, and the changes that the batch makes to it.
struct BatchItems {
    private struct Kept {
        let wasKept: Bool
        var revision: Int64
        let group: [UInt8]?
        /// The instant since which no order has held the item, or ``Schema/isHeld``. Nil if the item does not follow
        /// orders.
        var unheldSince: Int64?
        /// The new content; nil if the item is unchanged.
        var item: SealedItem?
    }

    /// An order, and an item that the order holds.
    private struct Hold: Hashable {
        let merchant: [UInt8]
        let order: [UInt8]
        let item: [UInt8]
    }

    /// How many expired items were removed.
    private(set) var expiredCount = 0
    /// The item count of each locked group; an absent group has no items.
    private var counts: [[UInt8]: Int64] = [:]
    private var countChanges: [[UInt8]: Int64] = [:]
    private var items: [[UInt8]: Kept] = [:]
    private var removed: Set<[UInt8]> = []
    /// Unused items that may be replaced by new items of their group. The last one is replaced first.
    private var unused: [[UInt8]: [[UInt8]]] = [:]
    private var holds: Set<Hold> = []
    /// Stored items that no order held before this batch.
    private var newlyHeld: Set<[UInt8]> = []

    init() {}

    init(groups: QueryResult?, items rows: QueryResult) throws(StoreFailure) {
        if let groups {
            for row in 0..<groups.rowCount { counts[try groups.bytes(row, 0)] = try groups.integer(row, 1) }
        }
        for row in 0..<rows.rowCount {
            items[try rows.bytes(row, 0)] = Kept(
                wasKept: true, revision: try rows.integer(row, 1), group: try rows.bytesIfPresent(row, 2),
                unheldSince: try rows.integerIfPresent(row, 3))
        }
    }

    /// Records the removal of expired items, and updates their groups' counts.
    ///
    /// - Returns: how many items were removed.
    mutating func noteExpired(_ rows: QueryResult, atMost countMax: Int) throws(StoreFailure) -> Int {
        let count = try rows.writtenCount(atMost: countMax)
        for row in 0..<rows.rowCount {
            if let group = try rows.bytesIfPresent(row, 0) { countChanges[group, default: 0] -= 1 }
        }
        expiredCount += count
        return count
    }

    /// Records the unused items of a group that may be replaced, oldest first.
    mutating func noteUnused(_ rows: QueryResult, in group: SealedGroup) throws(StoreFailure) {
        var names: [[UInt8]] = []
        for row in 0..<rows.rowCount { names.append(try rows.bytes(row, 0)) }
        unused[group.name] = names.reversed()
    }

    mutating func put(_ item: SealedItem, at instant: Int64, in group: SealedGroup?) -> SealedOutcome {
        let kept = items[item.name]
        guard kept?.revision ?? 0 == item.revision - 1 else { return .moved }
        if kept == nil, let group {
            let count = (counts[group.name] ?? 0) + (countChanges[group.name] ?? 0)
            if count >= Int64(group.countMax) {
                guard group.replacesUnused, let name = unused[group.name]?.popLast() else { return .full }
                removed.insert(name)
                countChanges[group.name, default: 0] -= 1
            }
            countChanges[group.name, default: 0] += 1
        }
        items[item.name] = Kept(
            wasKept: kept?.wasKept ?? removed.contains(item.name), revision: item.revision,
            group: kept == nil ? group?.name : kept?.group,
            unheldSince: kept == nil ? (group?.followsOrders == true ? instant : nil) : kept?.unheldSince, item: item)
        return .written
    }

    /// Why an order can't hold items; nil if it can.
    func refusal(of held: [HeldItem]) -> CommitOutcome? {
        var newCounts: [[UInt8]: Int64] = [:]
        for item in held {
            guard case .new(_, let group) = item else {
                if items[item.name] == nil { return .itemMoved }
                continue
            }
            if items[item.name] != nil { return .itemMoved }
            newCounts[group.name, default: 0] += 1
            let count = (counts[group.name] ?? 0) + (countChanges[group.name] ?? 0) + (newCounts[group.name] ?? 0)
            if count > Int64(group.countMax) { return .groupFull(name: group.name) }
        }
        return nil
    }

    /// Records the items that an order holds. The caller has checked ``refusal(of:)``.
    mutating func hold(_ held: [HeldItem], byOrder order: [UInt8], of merchant: [UInt8]) {
        for item in held {
            if case .new(let item, let group) = item {
                items[item.name] = Kept(
                    wasKept: false, revision: item.revision, group: group.name,
                    unheldSince: group.followsOrders ? Schema.isHeld : nil, item: item)
                countChanges[group.name, default: 0] += 1
            }
            guard let unheldSince = items[item.name]?.unheldSince else { continue }
            if unheldSince != Schema.isHeld {
                items[item.name]?.unheldSince = Schema.isHeld
                newlyHeld.insert(item.name)
            }
            holds.insert(Hold(merchant: merchant, order: order, item: item.name))
        }
    }

    mutating func remove(_ name: [UInt8]) -> Bool {
        guard let kept = items.removeValue(forKey: name) else { return false }
        if let group = kept.group { countChanges[group, default: 0] -= 1 }
        if kept.wasKept { removed.insert(name) }
        return true
    }

    var changes: [Change] {
        var queries: [Change] = []
        let written = items.values.compactMap { kept in kept.item.map { (kept: kept, item: $0) } }
            .sorted { precedes($0.item.name, $1.item.name) }
        // An item that was removed and added again may be in another group.
        let isNew = { (written: (kept: Kept, item: SealedItem)) in
            !written.kept.wasKept || removed.contains(written.item.name)
        }
        let gone = removed.sorted(by: precedes)
        if !gone.isEmpty { queries.append(Change(gone.count, .run(.removeItems, [.bytesArray(gone)]))) }
        for (statement, items) in [
            (Statement.insertItems, written.filter(isNew)), (.updateItems, written.filter { !isNew($0) }),
        ]
        where !items.isEmpty {
            var parameters: [Parameter] = [
                .bytesArray(items.map(\.item.name)), .integerArray(items.map(\.item.revision)),
                .integerArray(items.map { $0.item.expiry?.millisecondsSinceEpoch }),
                .bytesArray(items.map(\.item.text)),
            ]
            if statement == .insertItems {
                parameters.append(.bytesArray(items.map { $0.kept.group ?? [] }))
                parameters.append(.integerArray(items.map(\.kept.unheldSince)))
            }
            queries.append(Change(items.count, .run(statement, parameters)))
        }
        queries += changesOfHolds
        // Removals are counted, even where as many items were added.
        let changed = countChanges.filter { $0.value != 0 }.sorted { precedes($0.key, $1.key) }
        if !changed.isEmpty {
            queries.append(
                Change(
                    changed.count,
                    .run(.changeGroups, [.bytesArray(changed.map(\.key)), .integerArray(changed.map(\.value))])))
        }
        return queries
    }

    private var changesOfHolds: [Change] {
        guard !holds.isEmpty else { return [] }
        var queries: [Change] = []
        if !newlyHeld.isEmpty {
            queries.append(
                Change(newlyHeld.count, .run(.holdItems, [.bytesArray(newlyHeld.sorted(by: precedes))])))
        }
        let holds = Array(holds)
        queries.append(
            Change(
                holds.count,
                .run(
                    .insertHolds,
                    [
                        .bytesArray(holds.map(\.merchant)), .bytesArray(holds.map(\.order)),
                        .bytesArray(holds.map(\.item)),
                    ])))
        return queries
    }
}
