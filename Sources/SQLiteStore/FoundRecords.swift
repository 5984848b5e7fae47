internal import GRDB
internal import Payments

/// The records of an order and of one of its transactions, both of one moment.
struct FoundRecords: Sendable {
    fileprivate let order: [UInt8]
    fileprivate let transaction: (record: [UInt8], fingerprint: [UInt8])?

    private static let sql = """
        SELECT orders.document, transactions.document, transactions.fingerprint FROM orders
        LEFT JOIN transactions ON transactions.orderRow = orders.row AND transactions.id = ?
        WHERE orders.merchant = ? AND orders.id = ?
        """

    /// Looks an order up, and the transaction among its own; nothing if there is no such order.
    init?(of transaction: TransactionID, of order: OrderKey, in database: Database) throws {
        var select = try StatementUse(Self.sql, in: database)
        try select.bind(transaction.text)
        try select.bind(order.merchant.text)
        try select.bind(order.order.text)
        guard try select.step() else { return nil }
        self.order = try select.bytes(0)
        if let record = try select.bytesIfPresent(1), let fingerprint = try select.bytesIfPresent(2) {
            self.transaction = (record, fingerprint)
        } else {
            self.transaction = nil
        }
    }
}

extension Recollection {
    /// What the records say.
    init(_ found: FoundRecords?) throws(RecordFault) {
        guard let found else {
            self.init(order: nil, transaction: nil)
            return
        }
        self.init(
            order: try Order(record: found.order),
            transaction: try found.transaction.map { (found) throws(RecordFault) in
                RecordedTransaction(
                    transaction: try Transaction(record: found.record), fingerprint: found.fingerprint)
            })
    }
}
