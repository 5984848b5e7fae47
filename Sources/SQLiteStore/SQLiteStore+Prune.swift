internal import GRDB
public import Payments
internal import Synchronization
public import Values

extension SQLiteStore {
    /// Removes orders that are too old, or too many.
    ///
    /// Transactions are numbered as they are committed. So whoever goes through them from the first on meets each order at
    /// its last transaction, the oldest order first, and needs neither an index of instants nor a column. Those that are to
    /// go are found by a reader; the writer has them for some milliseconds at a time.
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
        // The next call goes on from here, or begins anew.
        prunedRow.store(search.isAtEnd ? 0 : search.row, ordering: .relaxed)
        guard let before = retention.agedBefore(at: instant) else { return removedCount }
        return try await removedCount + removeUnheld(before: before, countMax: countMax - removedCount)
    }

    /// How many items go in one go.
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

    /// Removes the orders that still end where they were found to.
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

/// A search for orders that may go, in the order of their last transactions.
struct PrunableOrders: Sendable {
    /// An order, and the transaction that it ended with.
    struct Found: Sendable {
        let row: Int64
        let lastTransactionRow: Int64
    }

    /// How many transactions are looked at in one go, so that no reader waits for long.
    private static let stepMax = 256
    /// How many orders go in one go, so that no writer does.
    private static let foundMax = 32

    /// The transaction up to which the search has come.
    private(set) var row: Int64
    /// Whether there is nothing further that may go.
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

    /// Whether as many were found as were wanted, or all.
    var isOver: Bool { isAtEnd || wanted == 0 }

    /// What the last step found.
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
            // A record that can't be read stays; whoever asks for its order is told.
            if let record = try select.bytesIfPresent(2), let order = try? Order(record: record) {
                let answered = order.lastUpdatedTime
                let isAged = agedBefore.map { answered < $0 } ?? false
                if isAged || surplus > 0 && answered < surplusBefore {
                    found.append(Found(row: try select.integer(1), lastTransactionRow: transactionRow))
                    wanted -= 1
                    surplus -= 1
                } else if answered <= instant {
                    // What comes after this one is younger. An order of the future doesn't tell that: the clock was wrong.
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

    /// Transactions with their orders, and the order's record at its last transaction.
    private static let sql = """
        SELECT transactions.row, orders.row, CASE WHEN NOT EXISTS (
            SELECT 1 FROM transactions AS later
            WHERE later.orderRow = transactions.orderRow AND later.row > transactions.row)
        THEN orders.document END
        FROM transactions JOIN orders ON orders.row = transactions.orderRow
        WHERE transactions.row > ? ORDER BY transactions.row LIMIT ?
        """
}
