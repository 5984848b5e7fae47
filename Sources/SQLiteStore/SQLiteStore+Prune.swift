internal import GRDB
public import Payments
internal import Synchronization
public import Values
public import Vault

extension SQLiteStore {
    /// Removes orders that are too old or too many.
    ///
    /// Transactions are numbered as they are committed. A scan in that order meets the last transactions of the oldest
    /// orders first, and so needs neither an index on time nor a column for it. A reader finds the orders to remove;
    /// the writer is blocked for only a few milliseconds at a time.
    public func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        guard !retention.keepsAll else { return 0 }
        var search = PrunableOrders(
            retention, at: instant, from: prunedRow.load(ordering: .relaxed), countMax: countMax)
        var removedCount = 0
        do {
            while !search.isOver {
                let searched = search
                search = try await longReads.read { try searched.continued(in: $0) }
                let found = search.takeFound()
                if !found.isEmpty { removedCount += try await remove(found) }
            }
        } catch { throw SQLiteStore.failure(error) }
        // The next call continues here, or starts over.
        prunedRow.store(search.isAtEnd ? 0 : search.row, ordering: .relaxed)
        guard let before = retention.agedBefore(at: instant) else { return removedCount }
        return try await removedCount + removeUnheld(before: before, countMax: countMax - removedCount)
    }

    /// The most unheld items that one transaction removes.
    private static let unheldStepMax = 256

    private func removeUnheld(before instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        var removedCount = 0
        while removedCount < countMax {
            let stepMax = min(Self.unheldStepMax, countMax - removedCount)
            let step = try await chores.commit(
                PreparedChore {
                    try PreparedItem.removeUnheld(
                        before: instant.millisecondsSinceEpoch, countMax: stepMax, in: $0)
                }
            ).get()
            removedCount += step
            if step < stepMax { break }
        }
        return removedCount
    }

    /// Removes those orders that had no further transaction since they were found.
    private func remove(_ orders: [PrunableOrders.Found]) async throws -> Int {
        let removal = PreparedChore { database in
            var removedCount = 0
            for order in orders {
                var delete = try StatementUse(
                    """
                    DELETE FROM orders WHERE row = ?1
                    AND NOT EXISTS (SELECT 1 FROM transactions WHERE orderRow = ?1 AND row > ?2)
                    """, in: database)
                try delete.bind(order.row)
                try delete.bind(order.lastTransactionRow)
                _ = try delete.step()
                removedCount += database.changesCount
            }
            return removedCount
        }
        return try await chores.commit(removal).get()
    }
}

/// A search for orders that can be removed, in the order of their last transactions.
struct PrunableOrders: Sendable {
    /// An order and its last transaction.
    struct Found: Sendable {
        let row: Int64
        let lastTransactionRow: Int64
    }

    /// The most transactions that one step reads, so that no reader waits long.
    private static let stepMax = 256
    /// The most orders that one step finds for removal, so that no writer waits long.
    private static let foundMax = 32

    /// The last transaction that was examined.
    private(set) var row: Int64
    /// Whether no further order can be removed.
    private(set) var isAtEnd = false

    private let instant: Instant
    private let agedBefore: Instant?
    private let surplusBefore: Instant
    private let ordersMax: Int64?
    private var wanted: Int
    private var found: [Found] = []

    init(_ retention: OrderRetention, at instant: Instant, from row: Int64, countMax: Int) {
        self.row = row
        self.instant = instant
        agedBefore = retention.agedBefore(at: instant)
        surplusBefore = retention.surplusBefore(at: instant)
        ordersMax = retention.ordersMax
        wanted = countMax
    }

    /// Whether enough orders were found, or no more exist.
    var isOver: Bool { isAtEnd || wanted == 0 }

    /// Returns what the last step found, and clears it.
    mutating func takeFound() -> [Found] {
        defer { found = [] }
        return found
    }

    /// The search after one more step.
    func continued(in database: Database) throws -> PrunableOrders {
        var next = self
        try next.step(in: database)
        return next
    }

    private mutating func step(in database: Database) throws {
        var surplus = try ordersMax.map { try Self.orderCount(in: database) - $0 } ?? 0
        var select = try StatementUse(Self.sql, in: database)
        try select.bind(row)
        try select.bind(Int64(Self.stepMax))
        var seenCount = 0
        while wanted > 0, found.count < Self.foundMax {
            guard try select.step() else {
                isAtEnd = seenCount < Self.stepMax
                return
            }
            seenCount += 1
            let transactionRow = try select.integer(0)
            // An unreadable record is kept; requests for its order report the damage.
            if let record = try select.bytesIfPresent(2), let order = try? Order(record: record) {
                let answered = order.lastUpdatedTime
                let isAged = agedBefore.map { answered < $0 } ?? false
                if isAged || surplus > 0 && answered < surplusBefore {
                    found.append(Found(row: try select.integer(1), lastTransactionRow: transactionRow))
                    wanted -= 1
                    surplus -= 1
                } else if answered <= instant {
                    // All later transactions are younger. A transaction from the future proves nothing: the clock was
                    // wrong.
                    isAtEnd = true
                    return
                }
            }
            row = transactionRow
        }
    }

    private static func orderCount(in database: Database) throws -> Int64 {
        let select = try StatementUse(
            """
            SELECT (SELECT count FROM removedOrders), (SELECT seq FROM sqlite_sequence WHERE name = 'orders')
            """, in: database)
        guard try select.step(), let last = try select.integerIfPresent(1) else { return 0 }
        return last - (try select.integer(0))
    }

    /// Transactions with their orders, and with the order's record if the transaction is its last.
    private static let sql = """
        SELECT transactions.row, orders.row, CASE WHEN NOT EXISTS (
            SELECT 1 FROM transactions AS later
            WHERE later.orderRow = transactions.orderRow AND later.row > transactions.row)
        THEN orders.document END
        FROM transactions JOIN orders ON orders.row = transactions.orderRow
        WHERE transactions.row > ? ORDER BY transactions.row LIMIT ?
        """
}
