internal import GRDB
internal import Payments
internal import Values
internal import Vault

/// What is read of each transaction of an order.
protocol OrderRow: Sendable {
    /// The columns of `transactions` to read.
    static var columns: String { get }
    /// SQL for the columns' size in bytes, which does not read their contents.
    static var byteCount: String { get }

    /// Decodes the columns, which start at `column`.
    init(_ row: borrowing StatementUse, from column: Int32) throws
}

extension Transaction: OrderRow {
    static var columns: String { "transactions.document, transactions.particulars" }
    static var byteCount: String { "length(transactions.document) + coalesce(length(transactions.particulars), 0)" }

    convenience init(_ row: borrowing StatementUse, from column: Int32) throws {
        try self.init(record: try row.bytes(column), particulars: try row.bytesIfPresent(column + 1))
    }
}

extension LedgerEntry: OrderRow {
    static var columns: String { "transactions.document" }
    static var byteCount: String { "length(transactions.document)" }

    init(_ row: borrowing StatementUse, from column: Int32) throws { try self.init(record: try row.bytes(column)) }
}

/// An order with its transactions. Small transactions are read in one statement, and each large one in its own, so that
/// no read takes long. Transactions never change, so all of them match the first statement's snapshot.
struct OrderRows<Value: OrderRow>: Sendable {
    /// Transactions above this many bytes are read separately.
    private static var largeByteCount: Int { 64 << 10 }

    private(set) var order: Order
    /// The transactions by row number, oldest first; nil until a large one is read.
    private var values: [(row: Int64, value: Value?)] = []

    /// Reads the order and its small transactions. Returns nil if there is no such order.
    init?(of key: OrderKey, in database: Database) throws {
        // One statement, and so one snapshot.
        var select = try StatementUse(
            """
            SELECT orders.document, orders.row, transactions.row, \(Value.byteCount) > \(Self.largeByteCount),
            \(Value.columns) FROM orders JOIN transactions ON transactions.orderRow = orders.row
            WHERE orders.merchant = ? AND orders.id = ? ORDER BY transactions.row
            """, in: database)
        try select.bind(key.merchant.text)
        try select.bind(key.order.text)
        var order: Order?
        while try select.step() {
            if order == nil {
                order = try Order(record: try select.bytes(0), in: database, row: try select.integer(1))
            }
            let isLarge = try select.integer(3) != 0
            values.append((try select.integer(2), isLarge ? nil : try Value(select, from: 4)))
        }
        guard let order else { return nil }
        self.order = order
    }

    /// Reads the large transactions. Returns nil if the order was removed in the meantime.
    func completed(by threads: ReadThreads) async throws(StoreFailure) -> (order: Order, values: [Value])? {
        var whole: [Value] = []
        whole.reserveCapacity(values.count)
        for (row, value) in values {
            if let value {
                whole.append(value)
                continue
            }
            let read = try await threads.read { database in
                var select = try StatementUse(
                    "SELECT \(Value.columns) FROM transactions WHERE row = ?", in: database)
                try select.bind(row)
                return try select.step() ? try Value(select, from: 0) : nil
            }
            guard let read else { return nil }
            whole.append(read)
        }
        return (order, whole)
    }
}
