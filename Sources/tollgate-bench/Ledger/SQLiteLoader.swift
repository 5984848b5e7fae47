import Foundation
import GRDB
import Glibc
import Payments
import SQLiteStore
internal import Values

/// Fills a new SQLite store with authorized orders, each with its transaction and its token, by inserting rows directly.
/// The result is the same as after as many commits, in a hundredth of the time.
///
/// The store itself creates the tables. Rows are inserted in ascending order of keys, orders by name and tokens by
/// digest, so that every page is written once and is full. There is no sync and no journal before the end. A load that
/// was interrupted leaves a file under a temporary name, which is never used as a store.
struct SQLiteLoader {
    let sample: LedgerSample
    let orders: LedgerOrders
    private static let rowsATransaction = 50_000

    /// The size of the store on the disk, in bytes.
    func byteCount() throws -> Int {
        let key = OrderKey(merchant: try LedgerSample.merchant, order: try OrderID(orders.name(0)))
        let transaction = sample.authorization(of: key)
        // A record isn't split between pages of 4096 bytes, so the rest of a page is unused. Keys need additional space,
        // as do the indexes of orders, transactions and tokens.
        let transactionBytes = 4096 / max(1, 4080 / (transaction.record.count + 50))
        let orderBytes = 4096 / max(1, 4080 / (transaction.order.record.count + 58))
        return orders.count * (transactionBytes + orderBytes + 300) + 1_048_576
    }

    /// Creates the store. There must be no file at the path.
    func load(at path: String) throws {
        let unfinished = path + ".unfinished"
        for suffix in ["", "-wal", "-shm"] { unlink(unfinished + suffix) }
        try SQLiteStore(path: unfinished).close()
        let queue = try DatabaseQueue(path: unfinished)
        try queue.inDatabase { database in
            for pragma in ["journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", "cache_size = -65536"] {
                try database.execute(sql: "PRAGMA \(pragma)")
            }
        }
        try write(queue, insertOrder)
        try write(queue, insertListed)
        try write(queue, insertToken)
        try queue.close()
        let descriptor = open(unfinished, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0, fsync(descriptor) == 0, close(descriptor) == 0, rename(unfinished, path) == 0 else {
            throw BenchFailure(systemCall: unfinished)
        }
    }

    private func write(_ queue: DatabaseQueue, _ insert: (Int, Database) throws -> Void) throws {
        for first in stride(from: 0, to: orders.count, by: Self.rowsATransaction) {
            try queue.inTransaction { database in
                for rank in first..<min(first + Self.rowsATransaction, orders.count) { try insert(rank, database) }
                return .commit
            }
        }
    }

    private func insertOrder(_ rank: Int, _ database: Database) throws {
        let key = OrderKey(merchant: try LedgerSample.merchant, order: try OrderID(orders.name(rank)))
        let transaction = sample.authorization(of: key)
        try database.cachedStatement(
            sql: "INSERT INTO orders (row, merchant, id, version, document) VALUES (?, ?, ?, 1, ?)"
        ).execute(arguments: [rank + 1, key.merchant.text, key.order.text, Data(transaction.order.record)])
        try database.cachedStatement(
            sql: "INSERT INTO transactions (row, orderRow, id, fingerprint, document) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                rank + 1, rank + 1, transaction.id.text, Data(orders.digest(rank)), Data(transaction.record),
            ])
    }

    private func insertListed(_ rank: Int, _ database: Database) throws {
        let key = OrderKey(merchant: try LedgerSample.merchant, order: try OrderID(orders.name(rank)))
        let entry = OrderIndexEntry(sample.authorization(of: key))
        try database.cachedStatement(
            sql: "INSERT INTO listed (row, merchant, status, amount, wallet, lastFour) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [rank + 1, key.merchant.text, entry.status, entry.amount, entry.wallet, entry.lastFour])
    }

    private func insertToken(_ rank: Int, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO tokens (digest, orderRow, isCredited) VALUES (?, ?, 1)")
            .execute(arguments: [Data(orders.digest(rank)), orders.mixed(rank) + 1])
    }
}
