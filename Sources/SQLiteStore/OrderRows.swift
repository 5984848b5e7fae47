internal import GRDB
internal import Payments

/// What is read of each transaction of an order.
protocol OrderRow: Sendable {
    /// The columns of `transactions` that it takes.
    static var columns: String { get }
    /// How many bytes they have, in SQL that doesn't read them.
    static var byteCount: String { get }

    /// Takes them from a row, from a column on.
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

/// An order with what is read of its transactions: those that are small at once, each other one by a read of its own, so
/// that no read is long, however large the order is. Transactions never change, so all are of the first read's moment.
struct OrderRows<Value: OrderRow>: Sendable {
    /// From how many bytes on a transaction is read on its own.
    private static var largeByteCount: Int { 64 << 10 }

    private(set) var order: Order
    /// The transactions by their rows, oldest first; nil what was not read yet.
    private var values: [(row: Int64, value: Value?)] = []

    /// Reads the order and its small transactions; nil if there is no such order.
    init?(of key: OrderKey, in database: Database) throws {
        // One statement, which sees one moment.
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

    /// Reads what was not read yet; nil if the order has gone meanwhile.
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
