internal import ApplePay
internal import Payments

/// A change of sealed items.
enum SealedWrite: BatchedWrite {
    case put(SealedItem, instant: Int64, expiringMax: Int)
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

    /// The instant, if it is one of an item that takes room.
    private var makingRoom: Int64? {
        guard case .put(let item, let instant, _) = self, item.revision == 1, item.expiry != nil else { return nil }
        return instant
    }

    /// Locks the items, removes what has expired but for those, and locks their count last, as every other queue waits
    /// for it.
    static func questions(of batch: [SealedWrite]) -> [Query] {
        let names = Set(batch.compactMap(\.name)).sorted(by: precedes)
        var queries: [Query] = [.run(.lockItems, [.bytesArray(names)])]
        for write in batch {
            guard case .removeExpired(let instant, let countMax) = write else { continue }
            queries.append(removeExpired(at: instant, countMax: countMax, keeping: names))
        }
        let instants = batch.compactMap(\.makingRoom)
        if let earliest = instants.min() {
            queries.append(
                removeExpired(
                    at: earliest, countMax: SealedItem.removedWithPutMax * instants.count, keeping: names))
            queries.append(.run(.lockItemCount))
        }
        return queries
    }

    private static func removeExpired(at instant: Int64, countMax: Int, keeping names: [[UInt8]]) -> Query {
        .run(.removeExpiredItems, [.integer(instant), .integer(Int64(countMax)), .bytesArray(names)])
    }

    static func decide(
        _ batch: [SealedWrite], on answers: ArraySlice<QueryResult>
    ) throws(StoreFailure) -> BatchDecision<Outcome> {
        var answers = answers
        guard let locked = answers.popFirst() else { preconditionFailure("each question has an answer") }
        var kept = try KeptItems(locked)
        var removed: [Int] = []
        for case .removeExpired(_, let countMax) in batch {
            guard let answer = answers.popFirst() else { preconditionFailure("each question has an answer") }
            removed.append(try answer.writtenCount(atMost: countMax))
        }
        kept.countChange -= Int64(removed.reduce(0, +))
        if let roomMade = answers.popFirst(), let count = answers.popFirst() {
            let roomMax = SealedItem.removedWithPutMax * batch.count
            kept.countChange -= Int64(try roomMade.writtenCount(atMost: roomMax))
            kept.countBefore = try count.integer(0, 0)
        }
        var removals = removed[...]
        let outcomes = batch.map { write -> Outcome in
            switch write {
            case .put(let item, _, let expiringMax): .put(kept.put(item, expiringMax: expiringMax))
            case .remove(let name): .removed(kept.remove(name) ? 1 : 0)
            case .removeExpired: .removed(removals.popFirst() ?? 0)
            }
        }
        let changes = kept.changes
        return BatchDecision(outcomes: outcomes, changes: changes, hasEffect: !changes.isEmpty)
    }
}

/// What is kept of the items of a batch, and what the batch makes of it.
private struct KeptItems {
    private struct Kept {
        let wasKept: Bool
        var revision: Int64
        var expires: Bool
        /// What is to be written, once something is.
        var item: SealedItem?
    }

    /// How many items expire; only known where it is asked for.
    var countBefore: Int64 = 0
    var countChange: Int64 = 0
    private var items: [[UInt8]: Kept] = [:]
    private var removed: Set<[UInt8]> = []

    init(_ rows: QueryResult) throws(StoreFailure) {
        for row in 0..<rows.rowCount {
            items[try rows.bytes(row, 0)] = Kept(
                wasKept: true, revision: try rows.integer(row, 1), expires: try rows.flag(row, 2))
        }
    }

    mutating func put(_ item: SealedItem, expiringMax: Int) -> SealedOutcome {
        let kept = items[item.name]
        guard kept?.revision ?? 0 == item.revision - 1 else { return .moved }
        let expires = item.expiry != nil
        if kept == nil, expires { guard countBefore < Int64(expiringMax) - countChange else { return .full } }
        countChange += (expires ? 1 : 0) - (kept?.expires == true ? 1 : 0)
        items[item.name] = Kept(
            wasKept: kept?.wasKept ?? removed.contains(item.name), revision: item.revision, expires: expires, item: item
        )
        return .written
    }

    mutating func remove(_ name: [UInt8]) -> Bool {
        guard let kept = items.removeValue(forKey: name) else { return false }
        countChange -= kept.expires ? 1 : 0
        if kept.wasKept { removed.insert(name) }
        return true
    }

    var changes: [Query] {
        var queries: [Query] = []
        let written = items.values.compactMap { kept in kept.item.map { (wasKept: kept.wasKept, item: $0) } }
            .sorted { precedes($0.item.name, $1.item.name) }
        for (statement, items) in [
            (Statement.insertItems, written.filter { !$0.wasKept }.map(\.item)),
            (.updateItems, written.filter(\.wasKept).map(\.item)),
        ] where !items.isEmpty {
            queries.append(
                .run(
                    statement,
                    [
                        .bytesArray(items.map(\.name)), .integerArray(items.map(\.revision)),
                        .integerArray(items.map { $0.expiry?.millisecondsSinceEpoch }), .bytesArray(items.map(\.text)),
                    ]))
        }
        let gone = removed.filter { items[$0] == nil }.sorted(by: precedes)
        if !gone.isEmpty { queries.append(.run(.removeItems, [.bytesArray(gone)])) }
        // Nothing that was removed goes uncounted, not even where as many were added.
        if countChange != 0 { queries.append(.run(.changeItemCount, [.integer(countChange)])) }
        return queries
    }
}
