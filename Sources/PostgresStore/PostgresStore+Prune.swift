public import Payments
public import Values
public import Vault

extension PostgresStore {
    /// Removes orders that are too old or too many, on a connection of its own.
    ///
    /// Instances that prune at the same time take turns, so together they remove no more than each of them would alone.
    /// A commit to an affected order waits for one short transaction.
    public func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        guard !retention.keepsAll else { return 0 }
        try commits.checkOpen()
        let pruning = Pruning(retention, at: instant)
        return try await administration.prune(pruning, countMax: countMax)
    }
}

/// Which orders to prune, and the queries for it.
struct Pruning: Sendable {
    /// The most orders that one transaction removes.
    static let stepMax = 32
    /// The most unheld items that one transaction removes.
    static let unheldStepMax = 256

    let agedBefore: Instant?
    let surplusBefore: Instant
    let ordersMax: Int64?

    init(_ retention: OrderRetention, at instant: Instant) {
        agedBefore = retention.agedBefore(at: instant)
        surplusBefore = retention.surplusBefore(at: instant)
        ordersMax = retention.ordersMax
    }

    /// An order that may be removed, with the version that was found.
    struct Candidate: Sendable {
        let merchant: [UInt8]
        let order: [UInt8]
        let version: Int64
    }

    /// Locks out other pruning instances, and returns a lower bound on the number of orders.
    static let lock = Query.text("SELECT orders FROM pruning FOR UPDATE")

    /// Counts the orders. Run only if there may be too many.
    static let count = Query.text("SELECT count(*)::bigint FROM orders")

    /// Orders whose last transaction was answered before an instant, oldest first.
    static func search(before instant: Instant, countMax: Int) -> Query {
        let milliseconds = instant.millisecondsSinceEpoch
        return .text(
            """
            SELECT merchant, id, version FROM orders WHERE updated_hour <= $1::bigint AND updated < $2::bigint
            ORDER BY updated_hour, updated LIMIT $3::bigint
            """, [.integer(Schema.hour(of: milliseconds)), .integer(milliseconds), .integer(Int64(countMax))])
    }

    static func candidates(_ rows: QueryResult) throws(StoreFailure) -> [Candidate] {
        var candidates: [Candidate] = []
        for row in 0..<rows.rowCount {
            candidates.append(
                Candidate(
                    merchant: try rows.bytes(row, 0), order: try rows.bytes(row, 1), version: try rows.integer(row, 2)))
        }
        return candidates
    }

    static func versions(_ rows: QueryResult) throws(StoreFailure) -> [[UInt8]: Int64] {
        var versions: [[UInt8]: Int64] = [:]
        for row in 0..<rows.rowCount { versions[try rows.bytes(row, 0)] = try rows.integer(row, 1) }
        return versions
    }

    /// Decodes a number of orders.
    static func number(_ rows: QueryResult) throws(StoreFailure) -> Int64 {
        let number = try rows.integer(0, 0)
        guard number >= 0 else { throw .damaged(detail: "PostgreSQL: there are \(number) orders") }
        return number
    }

    /// Locks orders in the lock order that all writers share.
    static func locks(of orders: [(merchant: [UInt8], orders: [[UInt8]])]) -> [Query] {
        orders.map { .text(Statement.lockOrders.sql, [.bytes($0.merchant), .bytesArray($0.orders)]) }
    }

    /// Removes orders with their transactions and tokens. Credited tokens are kept: they outlive their order.
    static func removals(of orders: [(merchant: [UInt8], orders: [[UInt8]])]) -> [Query] {
        orders.flatMap { merchant, orders in
            [
                "DELETE FROM transactions WHERE merchant = $1::bytea AND order_id = ANY ($2::bytea[])",
                "DELETE FROM tokens WHERE merchant = $1::bytea AND order_id = ANY ($2::bytea[]) AND NOT is_credited",
                "DELETE FROM orders WHERE merchant = $1::bytea AND id = ANY ($2::bytea[])",
            ].map { .text($0, [.bytes(merchant), .bytesArray(orders)]) }
        }
    }

    /// Finds the items that orders hold.
    static func held(by orders: [(merchant: [UInt8], orders: [[UInt8]])]) -> [Query] {
        orders.map { merchant, orders in
            .text(
                "SELECT DISTINCT item FROM holds WHERE merchant = $1::bytea AND order_id = ANY ($2::bytea[])",
                [.bytes(merchant), .bytesArray(orders)])
        }
    }

    /// Releases the items that orders hold.
    static func releases(of orders: [(merchant: [UInt8], orders: [[UInt8]])]) -> [Query] {
        orders.map { merchant, orders in
            .text(
                "DELETE FROM holds WHERE merchant = $1::bytea AND order_id = ANY ($2::bytea[])",
                [.bytes(merchant), .bytesArray(orders)])
        }
    }

    /// Items that no order has held since an instant, oldest first.
    static func unheld(before instant: Instant, countMax: Int) -> Query {
        .text(
            """
            SELECT name FROM sealed WHERE unheld_since < \(Schema.isHeld) AND unheld_since < $1::bigint
            ORDER BY unheld_since LIMIT $2::bigint
            """, [.integer(instant.millisecondsSinceEpoch), .integer(Int64(countMax))])
    }

    static func names(_ rows: QueryResult) throws(StoreFailure) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for row in 0..<rows.rowCount { names.append(try rows.bytes(row, 0)) }
        return names
    }

    /// Locks the items' groups, then the items: the lock order that all writers share.
    static func locks(ofItems names: [[UInt8]]) -> [Query] {
        [
            .text(Statement.lockGroups.sql, [.bytesArray([]), .bytesArray(names)]),
            .text(Statement.lockItems.sql, [.bytesArray(names)]),
        ]
    }

    /// Removes those locked items that no order holds any more.
    static func removal(ofReleased names: [[UInt8]]) -> Query {
        .text(
            """
            DELETE FROM sealed WHERE name = ANY ($1::bytea[])
            AND NOT EXISTS (SELECT 1 FROM holds WHERE holds.item = sealed.name) RETURNING group_name
            """, [.bytesArray(names)])
    }

    /// Removes those locked items that no order holds by now.
    static func removal(ofUnheld names: [[UInt8]]) -> Query {
        .text(
            "DELETE FROM sealed WHERE name = ANY ($1::bytea[]) AND unheld_since < \(Schema.isHeld) RETURNING group_name",
            [.bytesArray(names)])
    }

    /// Subtracts removed items from their groups' counts.
    static func countChange(_ rows: QueryResult) throws(StoreFailure) -> [Query] {
        var changes: [[UInt8]: Int64] = [:]
        for row in 0..<rows.rowCount {
            if let group = try rows.bytesIfPresent(row, 0) { changes[group, default: 0] -= 1 }
        }
        let sorted = changes.sorted { precedes($0.key, $1.key) }
        guard !sorted.isEmpty else { return [] }
        return [
            .text(
                Statement.changeGroups.sql, [.bytesArray(sorted.map(\.key)), .integerArray(sorted.map(\.value))])
        ]
    }

    /// Stores the lower bound on the number of orders.
    static func note(_ orderCount: Int64) -> Query {
        .text("UPDATE pruning SET orders = $1::bigint", [.integer(max(0, orderCount))])
    }

    static func byMerchant(_ candidates: [Candidate]) -> [(merchant: [UInt8], orders: [[UInt8]])] {
        Dictionary(grouping: candidates, by: \.merchant).sorted { precedes($0.key, $1.key) }
            .map { ($0.key, $0.value.map(\.order).sorted(by: precedes)) }
    }
}
