public import Payments
internal import Values
public import Vault

extension PostgresStore {
    /// The current order and, if it exists, the transaction as it was answered.
    public func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        let found = try await read(.run(.recall, order.parameters + [.bytes(transaction.text)]))
        guard found.rowCount > 0 else { return Recollection(order: nil, transaction: nil) }
        let current = try await self.order(try found.bytes(0, 0), key: order)
        guard let record = try found.bytesIfPresent(0, 1), let fingerprint = try found.bytesIfPresent(0, 2) else {
            return Recollection(order: current, transaction: nil)
        }
        let particulars = try found.bytesIfPresent(0, 3)
        do throws(RecordFault) {
            return Recollection(
                order: current,
                transaction: RecordedTransaction(
                    transaction: try Transaction(record: record, particulars: particulars), fingerprint: fingerprint))
        } catch { throw .record(error) }
    }

    /// The current order with all its transactions.
    public func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        try await rows(.history, .transaction, of: order) { (row, number, column) throws(StoreFailure) in
            let (record, particulars) = (try row.bytes(number, column), try row.bytesIfPresent(number, column + 1))
            do throws(RecordFault) { return try Transaction(record: record, particulars: particulars) } catch {
                throw .record(error)
            }
        }.map { OrderHistory(order: $0.order, transactions: $0.values) }
    }

    /// The current order with the records that later operations are decided on.
    public func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        try await rows(.ledger, .ledgerEntry, of: order) { (row, number, column) throws(StoreFailure) in
            let record = try row.bytes(number, column)
            do throws(RecordFault) { return try LedgerEntry(record: record) } catch { throw .record(error) }
        }.map { OrderLedger(order: $0.order, entries: $0.values) }
    }

    /// Reads an order with its small transactions in one query, and each large transaction in a query of its own.
    /// Transactions never change, so all of them match the first query's snapshot.
    ///
    /// - Returns: nil if there is no such order, or if it was removed in the meantime.
    private func rows<Value>(
        _ all: Statement, _ one: Statement, of key: OrderKey,
        reading value: (QueryResult, Int, Int) throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> (order: Order, values: [Value])? {
        let found = try await read(.run(all, key.parameters))
        guard found.rowCount > 0 else { return nil }
        let current = try await order(try found.bytes(0, 0), key: key)
        var values: [Value] = []
        for row in 0..<found.rowCount {
            guard try found.flag(row, 2) else {
                values.append(try value(found, row, 3))
                continue
            }
            let large = try await read(.run(one, key.parameters + [.integer(try found.integer(row, 1))]))
            guard large.rowCount > 0 else { return nil }
            values.append(try value(large, 0, 0))
        }
        return (current, values)
    }

    /// Decodes an order's record, and adds up the transactions' bytes if an earlier version stored no sum.
    private func order(_ record: [UInt8], key: OrderKey) async throws(StoreFailure) -> Order {
        let order: Order
        do throws(RecordFault) { order = try Order(record: record) } catch { throw .record(error) }
        guard order.particularsByteCount == nil else { return order }
        return order.counting(
            particularsByteCount: try await read(.run(.countParticulars, key.parameters)).integer(0, 0))
    }
}

extension OrderKey {
    fileprivate var parameters: [Parameter] { [.bytes(merchant.text), .bytes(order.text)] }
}

extension StoreFailure {
    fileprivate static func record(_ fault: RecordFault) -> StoreFailure { .damaged(detail: "record: \(fault)") }
}
