public import ApplePay
public import Payments

extension PostgresStore {
    /// Removes orders that are too old, or too many, on a connection of its own.
    ///
    /// Of instances that prune at once one removes some orders at a time while the others wait, so that together they remove
    /// no more than each of them would. Whoever commits to one of these orders waits for one short transaction.
    public func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        guard !retention.keepsAll else { return 0 }
        try commits.checkOpen()
        let pruning = Pruning(retention, at: instant)
        return try await administration.prune(pruning, countMax: countMax)
    }
}

/// Which orders go, and what is asked and written for that.
struct Pruning: Sendable {
    /// How many orders go in one transaction.
    static let stepMax = 32

    let agedBefore: Instant?
    let surplusBefore: Instant
    let ordersMax: Int64?

    init(_ retention: OrderRetention, at instant: Instant) {
        agedBefore = retention.agedBefore(at: instant)
        surplusBefore = retention.surplusBefore(at: instant)
        ordersMax = retention.ordersMax
    }

    /// An order that may go, as it was found.
    struct Candidate: Sendable {
        let merchant: [UInt8]
        let order: [UInt8]
        let version: Int64
    }

    /// Keeps other instances waiting, and says how many orders there are at least.
    static let lock = Query.text("SELECT orders FROM pruning FOR UPDATE")

    /// How many orders there are. Only asked for where there may be too many.
    static let count = Query.text("SELECT count(*)::bigint FROM orders")

    /// Whose last transaction was answered before an instant, the oldest first.
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

    /// How many orders there are.
    static func number(_ rows: QueryResult) throws(StoreFailure) -> Int64 {
        let number = try rows.integer(0, 0)
        guard number >= 0 else { throw .damaged(detail: "PostgreSQL: there are \(number) orders") }
        return number
    }

    /// Locks orders in the order in which everyone does.
    static func locks(of orders: [(merchant: [UInt8], orders: [[UInt8]])]) -> [Query] {
        orders.map { .text(Statement.lockOrders.sql, [.bytes($0.merchant), .bytesArray($0.orders)]) }
    }

    /// Removes orders with all that is theirs. Credited tokens stay, as they are nobody's.
    static func removals(of orders: [(merchant: [UInt8], orders: [[UInt8]])]) -> [Query] {
        orders.flatMap { merchant, orders in
            [
                "DELETE FROM transactions WHERE merchant = $1::bytea AND order_id = ANY ($2::bytea[])",
                "DELETE FROM tokens WHERE merchant = $1::bytea AND order_id = ANY ($2::bytea[]) AND NOT is_credited",
                "DELETE FROM orders WHERE merchant = $1::bytea AND id = ANY ($2::bytea[])",
            ].map { .text($0, [.bytes(merchant), .bytesArray(orders)]) }
        }
    }

    /// Writes down how many orders there are at least.
    static func note(_ orderCount: Int64) -> Query {
        .text("UPDATE pruning SET orders = $1::bigint", [.integer(max(0, orderCount))])
    }

    static func byMerchant(_ candidates: [Candidate]) -> [(merchant: [UInt8], orders: [[UInt8]])] {
        Dictionary(grouping: candidates, by: \.merchant).sorted { precedes($0.key, $1.key) }
            .map { ($0.key, $0.value.map(\.order).sorted(by: precedes)) }
    }
}
