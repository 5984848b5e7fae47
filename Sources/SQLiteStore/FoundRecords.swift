internal import GRDB
internal import Payments
internal import Values

extension Recollection {
    private static let sql = """
        SELECT orders.document, orders.row, transactions.fingerprint, transactions.document, transactions.particulars
        FROM orders LEFT JOIN transactions ON transactions.orderRow = orders.row AND transactions.id = ?
        WHERE orders.merchant = ? AND orders.id = ?
        """

    /// Reads an order and one of its transactions from the same snapshot.
    init(of transaction: TransactionID, of order: OrderKey, in database: Database) throws {
        var select = try StatementUse(Self.sql, in: database)
        try select.bind(transaction.text)
        try select.bind(order.merchant.text)
        try select.bind(order.order.text)
        guard try select.step() else {
            self.init(order: nil, transaction: nil)
            return
        }
        let order = try Order(
            record: try select.bytes(0), in: database, row: try select.integer(1))
        guard let fingerprint = try select.bytesIfPresent(2) else {
            self.init(order: order, transaction: nil)
            return
        }
        let recorded = RecordedTransaction(
            transaction: try Transaction(record: try select.bytes(3), particulars: try select.bytesIfPresent(4)),
            fingerprint: fingerprint)
        self.init(order: order, transaction: recorded)
    }
}

extension Order {
    /// Decodes an order's record, and adds up the transactions' bytes if an earlier version stored no sum. The lengths
    /// are read without the contents.
    init(record: [UInt8], in database: Database, row: Int64) throws {
        let order = try Order(record: record)
        guard order.particularsByteCount == nil else {
            self = order
            return
        }
        var select = try StatementUse(
            """
            SELECT sum(length(document) + coalesce(length(particulars), 0)) FROM transactions WHERE orderRow = ?
            """, in: database)
        try select.bind(row)
        guard try select.step() else { preconditionFailure("an aggregate has a row") }
        self = order.counting(particularsByteCount: try select.integerIfPresent(0) ?? 0)
    }
}
