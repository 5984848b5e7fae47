internal import GRDB
public import Values
public import Vault

extension SQLiteStore {
    /// Removes one merchant's orders, tokens and sealed items.
    ///
    /// Readers find the rows, a window at a time, so that the tables need no further index. The writer is blocked for only
    /// a few milliseconds at a time. Tokens are released before the orders are removed, so that a reset that failed can be
    /// repeated, and again after it, for those that were credited meanwhile: the number of a removed order is never used
    /// again.
    public func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        let rows = try await longReads.read { try MerchantRows(of: merchant, in: $0) }
        try await releaseTokens { try rows.tokens(after: $0, in: $1) }
        let removed = try await removeOrders(rows)
        if !removed.isEmpty { try await releaseTokens { try MerchantRows.tokens(of: removed, after: $0, in: $1) } }
        for window in rows.itemWindows {
            let found = try await longReads.read { try MerchantRows.items(of: groups, in: window, $0) }
            try await inSteps(found, of: MerchantRows.itemsMax) { try MerchantRows.removeItem($0, of: groups, in: $1) }
        }
    }

    /// Removes orders with their transactions and with the items that no other order holds.
    ///
    /// - Returns: the rows of the removed orders, in ascending order.
    private func removeOrders(_ rows: MerchantRows) async throws(StoreFailure) -> [Int64] {
        var removed: [Int64] = []
        for window in rows.orderWindows {
            let found = try await longReads.read { try rows.orders(in: window, $0) }
            try await inSteps(found, of: MerchantRows.ordersMax) { try MerchantRows.removeOrder($0, in: $1) }
            removed += found
        }
        return removed
    }

    private func releaseTokens(
        _ search: @escaping @Sendable ([UInt8], Database) throws -> MerchantRows.Tokens
    ) async throws(StoreFailure) {
        var last: [UInt8]? = []
        while let after = last {
            let tokens = try await longReads.read { try search(after, $0) }
            try await inSteps(tokens.found, of: MerchantRows.tokensMax) { try MerchantRows.release($0, in: $1) }
            last = tokens.last
        }
    }

    /// Removes rows in several transactions.
    private func inSteps<Row: Sendable>(
        _ rows: [Row], of countMax: Int, _ remove: @escaping @Sendable (Row, Database) throws -> Void
    ) async throws(StoreFailure) {
        for start in stride(from: 0, to: rows.count, by: countMax) {
            let step = Array(rows[start..<min(start + countMax, rows.count)])
            _ = try await chores.commit(
                PreparedChore { database in
                    for row in step { try remove(row, database) }
                    return step.count
                }
            ).get()
        }
    }
}

/// The rows that the reset of one merchant removes.
struct MerchantRows: Sendable {
    /// The most orders, items and tokens that one transaction removes, so that no writer waits long.
    static let ordersMax = 32
    static let itemsMax = 256
    static let tokensMax = 256
    /// The most rows that one step reads, so that no reader waits long.
    private static let windowMax: Int64 = 2048

    /// A token, and the order that it was presented for.
    struct Token: Sendable {
        let digest: [UInt8]
        let orderRow: Int64
    }

    /// What one step of a search found. The search goes on after `last`; nil if it is over.
    struct Tokens: Sendable {
        var found: [Token] = []
        var last: [UInt8]?
    }

    private let merchant: String
    /// The orders that the merchant makes after this one stay.
    private let lastOrder: Int64
    private let lastItem: Int64

    init(of merchant: MerchantID, in database: Database) throws {
        self.merchant = merchant.text
        let select = try StatementUse(
            """
            SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'orders'), (SELECT max(row) FROM sealed)
            """, in: database)
        guard try select.step() else { preconditionFailure("a row of scalars") }
        lastOrder = try select.integerIfPresent(0) ?? 0
        lastItem = try select.integerIfPresent(1) ?? 0
    }

    var orderWindows: [ClosedRange<Int64>] { Self.windows(upTo: lastOrder) }
    var itemWindows: [ClosedRange<Int64>] { Self.windows(upTo: lastItem) }

    private static func windows(upTo last: Int64) -> [ClosedRange<Int64>] {
        stride(from: 1, through: last, by: Int64.Stride(windowMax)).map { $0...min($0 + windowMax - 1, last) }
    }

    /// The merchant's orders in a window.
    func orders(in window: ClosedRange<Int64>, _ database: Database) throws -> [Int64] {
        var select = try StatementUse(
            "SELECT row FROM orders NOT INDEXED WHERE row BETWEEN ? AND ? AND merchant = ? ORDER BY row", in: database)
        try select.bind(window.lowerBound)
        try select.bind(window.upperBound)
        try select.bind(merchant)
        return try select.integers()
    }

    /// Those of the next tokens that were presented for an order of the merchant.
    func tokens(after digest: [UInt8], in database: Database) throws -> Tokens {
        var select = try StatementUse(
            """
            SELECT digest, orderRow, EXISTS (
                SELECT 1 FROM orders WHERE row = tokens.orderRow AND merchant = ? AND row <= ?)
            FROM tokens WHERE digest > ? ORDER BY digest LIMIT ?
            """, in: database)
        try select.bind(merchant)
        try select.bind(lastOrder)
        try select.bind(digest)
        try select.bind(Self.windowMax)
        return try select.tokens { try $0.integer(2) != 0 }
    }

    /// Those of the next tokens that were presented for one of these orders, which are in ascending order.
    static func tokens(of orders: [Int64], after digest: [UInt8], in database: Database) throws -> Tokens {
        var select = try StatementUse(
            "SELECT digest, orderRow FROM tokens WHERE digest > ? ORDER BY digest LIMIT ?", in: database)
        try select.bind(digest)
        try select.bind(windowMax)
        return try select.tokens { orders.containsSorted(try $0.integer(1)) }
    }

    /// The items of groups in a window.
    static func items(
        of groups: [[UInt8]], in window: ClosedRange<Int64>, _ database: Database
    ) throws -> [Int64] {
        var select = try StatementUse(
            "SELECT row FROM sealed NOT INDEXED WHERE row BETWEEN ? AND ? AND groupName IN (\(marks(groups)))",
            in: database)
        try select.bind(window.lowerBound)
        try select.bind(window.upperBound)
        for group in groups { try select.bind(group) }
        return try select.integers()
    }

    private static func marks(_ groups: [[UInt8]]) -> String {
        groups.map { _ in "?" }.joined(separator: ", ")
    }

    static func removeOrder(_ row: Int64, in database: Database) throws {
        var delete = try StatementUse("DELETE FROM orders WHERE row = ?", in: database)
        try delete.bind(row)
        _ = try delete.step()
    }

    /// Releases a token, unless another order has it by now.
    static func release(_ token: Token, in database: Database) throws {
        var delete = try StatementUse("DELETE FROM tokens WHERE digest = ? AND orderRow = ?", in: database)
        try delete.bind(token.digest)
        try delete.bind(token.orderRow)
        _ = try delete.step()
    }

    /// Removes an item, unless an order that was made meanwhile holds it.
    static func removeItem(_ row: Int64, of groups: [[UInt8]], in database: Database) throws {
        var delete = try StatementUse(
            """
            DELETE FROM sealed WHERE row = ? AND coalesce(unheldSince, 0) < ? AND groupName IN (\(marks(groups)))
            """, in: database)
        try delete.bind(row)
        try delete.bind(Schema.isHeld)
        for group in groups { try delete.bind(group) }
        _ = try delete.step()
    }
}

extension StatementUse {
    /// The first column of all rows.
    fileprivate func integers() throws -> [Int64] {
        var integers: [Int64] = []
        while try step() { integers.append(try integer(0)) }
        return integers
    }

    /// The tokens of all rows that are wanted.
    fileprivate func tokens(where isWanted: (borrowing StatementUse) throws -> Bool) throws -> MerchantRows.Tokens {
        var tokens = MerchantRows.Tokens()
        while try step() {
            let digest = try bytes(0)
            if try isWanted(self) { tokens.found.append(MerchantRows.Token(digest: digest, orderRow: try integer(1))) }
            tokens.last = digest
        }
        return tokens
    }
}

extension [Int64] {
    /// Whether an array in ascending order contains a number.
    fileprivate func containsSorted(_ number: Int64) -> Bool {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low] == number
    }
}
