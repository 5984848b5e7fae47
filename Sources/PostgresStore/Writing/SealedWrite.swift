internal import Vault

/// A change of sealed items.
enum SealedWrite: BatchedWrite {
    case put(SealedItem, instant: Int64, group: SealedGroup?)
    case remove(name: [UInt8])
    case removeExpired(instant: Int64, countMax: Int)

    enum Outcome: Sendable {
        case put(SealedOutcome)
        case removed(Int)
    }

    private var name: [UInt8]? {
        switch self {
        case .put(let item, _, _): item.name
        case .remove(let name): name
        case .removeExpired: nil
        }
    }

    /// The group of a new item, and the instant by which expired items are removed to make room for it.
    private var makingRoom: (group: SealedGroup, instant: Int64)? {
        guard case .put(let item, let instant, let group?) = self, item.revision == 1 else { return nil }
        return (group, instant)
    }

    /// What a batch of writes needs.
    private struct Plan {
        let names: [[UInt8]]
        let groups: [SealedGroup]
        /// How many new items each group gets.
        var newCounts: [[UInt8]: Int] = [:]
        /// The earliest instant by which expired items are removed for a new item.
        let earliest: Int64?
        let removals: [(instant: Int64, countMax: Int)]
        let removedNames: [[UInt8]]

        init(_ batch: [SealedWrite]) {
            names = Set(batch.compactMap(\.name)).sorted(by: precedes)
            let making = batch.compactMap(\.makingRoom)
            var groups: [[UInt8]: SealedGroup] = [:]
            for (group, _) in making {
                groups[group.name] = group
                newCounts[group.name, default: 0] += 1
            }
            self.groups = groups.values.sorted { precedes($0.name, $1.name) }
            earliest = making.map(\.instant).min()
            removals = batch.compactMap { write in
                guard case .removeExpired(let instant, let countMax) = write else { return nil }
                return (instant, countMax)
            }
            removedNames = batch.compactMap { write in
                guard case .remove(let name) = write else { return nil }
                return name
            }
        }

        var groupNames: [[UInt8]] { groups.map(\.name) }
        var changesGroups: Bool { !groups.isEmpty || !removals.isEmpty || !removedNames.isEmpty }
        /// The groups in which a new item may replace an unused one.
        var replacing: [SealedGroup] { groups.filter(\.replacesUnused) }
        /// The most expired items that are removed to make room for the new ones.
        var roomMax: Int { SealedItem.removedWithPutMax * newCounts.values.reduce(0, +) }
    }

    /// Locks the groups whose counts may change, then the items. Both are locked in the order of their names, so that
    /// two batches can't deadlock. Then removes expired items, except those that the batch names.
    static func lockQueries(of batch: [SealedWrite]) -> [Query] {
        let plan = Plan(batch)
        let names = Parameter.bytesArray(plan.names)
        var queries: [Query] = []
        if !plan.groups.isEmpty { queries.append(.run(.addGroups, [.bytesArray(plan.groupNames)])) }
        if !plan.removals.isEmpty {
            queries.append(.run(.lockAllGroups))
        } else if plan.changesGroups {
            queries.append(.run(.lockGroups, [.bytesArray(plan.groupNames), .bytesArray(plan.removedNames)]))
        }
        queries.append(.run(.lockItems, [names]))
        for (instant, countMax) in plan.removals {
            queries.append(.run(.removeExpiredItems, [.integer(instant), .integer(Int64(countMax)), names]))
        }
        if let earliest = plan.earliest {
            queries.append(
                .run(
                    .removeExpiredItemsOfGroups,
                    [.integer(earliest), .integer(Int64(plan.roomMax)), names, .bytesArray(plan.groupNames)]))
        }
        for group in plan.replacing {
            let count = Int64(plan.newCounts[group.name] ?? 0)
            queries.append(
                .run(.findUnusedItems, [.bytes(group.name), names, .integer(count), .integer(Int64(group.countMax))]))
        }
        return queries
    }

    static func decide(
        _ batch: [SealedWrite], on answers: ArraySlice<QueryResult>
    ) throws(StoreFailure) -> BatchDecision<Outcome> {
        let plan = Plan(batch)
        var answers = answers
        func next() -> QueryResult {
            guard let answer = answers.popFirst() else { preconditionFailure("each question has an answer") }
            return answer
        }
        if !plan.groups.isEmpty { _ = next() }
        var kept = try BatchItems(groups: plan.changesGroups ? next() : nil, items: next())
        var removed: [Int] = []
        for (_, countMax) in plan.removals { removed.append(try kept.noteExpired(next(), atMost: countMax)) }
        if plan.earliest != nil { _ = try kept.noteExpired(next(), atMost: plan.roomMax) }
        for group in plan.replacing { try kept.noteUnused(next(), in: group) }
        var removals = removed[...]
        let outcomes = batch.map { write -> Outcome in
            switch write {
            case .put(let item, let instant, let group): .put(kept.put(item, at: instant, in: group))
            case .remove(let name): .removed(kept.remove(name) ? 1 : 0)
            case .removeExpired: .removed(removals.popFirst() ?? 0)
            }
        }
        let changes = kept.changes
        return BatchDecision(
            outcomes: outcomes, changes: changes, hasEffect: !changes.isEmpty || kept.expiredCount > 0)
    }
}
