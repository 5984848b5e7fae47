import Foundation
import GRDB
import JSON
import Payments
import SQLiteStore
import TestSupport
import Testing
import Values

/// Files that earlier versions have written.
@Suite(.serialized)
struct EarlierSchemaTests {
    /// The schema before orders could be pruned, with the list of its steps.
    private static let schema = """
        PRAGMA journal_mode = WAL;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('orders, transactions and tokens'), ('sealed texts'), ('installation');
        CREATE TABLE orders (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            merchant TEXT NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            document BLOB NOT NULL,
            UNIQUE (merchant, id)
        );
        CREATE TABLE transactions (
            row INTEGER PRIMARY KEY,
            orderRow INTEGER NOT NULL REFERENCES orders (row) ON DELETE CASCADE,
            id TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            document BLOB NOT NULL,
            UNIQUE (orderRow, id)
        );
        CREATE TABLE tokens (
            digest BLOB PRIMARY KEY NOT NULL,
            orderRow INTEGER NOT NULL,
            isCredited INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE sealed (
            row INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            expiry INTEGER,
            text BLOB NOT NULL
        );
        CREATE INDEX sealedByExpiry ON sealed (expiry) WHERE expiry IS NOT NULL;
        CREATE TABLE sealedCount (expiring INTEGER NOT NULL);
        INSERT INTO sealedCount VALUES (0);
        CREATE TRIGGER sealedAdded AFTER INSERT ON sealed WHEN NEW.expiry IS NOT NULL
        BEGIN UPDATE sealedCount SET expiring = expiring + 1; END;
        CREATE TRIGGER sealedRemoved AFTER DELETE ON sealed WHEN OLD.expiry IS NOT NULL
        BEGIN UPDATE sealedCount SET expiring = expiring - 1; END;
        CREATE TABLE installation (mark BLOB NOT NULL);
        """

    /// A file of that schema with so many orders, each of one transaction and paid with a token of its own.
    private static func file(_ path: String, orderCount: Int, removedBefore: Int = 0) async throws {
        let commit = try await CommitFixture().commit
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: schema)
            try database.inTransaction {
                if removedBefore > 0 {
                    try database.execute(sql: "INSERT INTO sqlite_sequence VALUES ('orders', \(removedBefore))")
                }
                let numbers =
                    "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(orderCount))"
                guard orderCount > 0 else { return .commit }
                try database.execute(
                    sql: """
                        \(numbers) INSERT INTO orders (merchant, id, version, document)
                        SELECT 'TESTMERCHANT', 'order-' || n, 1, ? FROM numbers
                        """, arguments: [Data(commit.order.record)])
                try database.execute(
                    sql: """
                        INSERT INTO transactions (orderRow, id, fingerprint, document)
                        SELECT row, '1', ?, ? FROM orders
                        """, arguments: [Data(commit.fingerprint), Data(commit.transaction.record)])
                try database.execute(
                    sql: "INSERT INTO tokens SELECT CAST(printf('%032d', row) AS BLOB), row, 1 FROM orders")
                return .commit
            }
        }
    }

    private static let later = TestPayment.instant.advanced(byMilliseconds: 40 * OrderRetention.keptMilliseconds)

    @Test(arguments: [0, 1, 50], [0, 70])
    func `the orders of an earlier version's file are counted right`(orderCount: Int, removedBefore: Int) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        try await Self.file(path, orderCount: orderCount, removedBefore: removedBefore)
        let store = try SQLiteStore(path: path)
        #expect(try await store.commit(CommitFixture { $0.order = "another" }) == .committed)
        let one = OrderRetention(ordersMax: 1)
        #expect(try await store.prune(one, at: Self.later, countMax: 1000) == orderCount)
        #expect(try await store.prune(one, at: Self.later, countMax: 1000) == 0)
        #expect(try await store.history(of: CommitFixture { $0.order = "another" }.key) != nil)
        try store.close()
    }

    @Test func `an order of an earlier version's file has its particulars, and they are counted`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        try await Self.file(path, orderCount: 1)
        let large = try await CommitFixture {
            $0.particulars = ["note": .string(String(repeating: "n", count: 400_000))]
        }.commit.transaction
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            let uncounted = { (record: [UInt8]) in
                Data(String(decoding: record, as: UTF8.self).replacing(#""particularsBytes":0,"#, with: "").utf8)
            }
            try database.execute(sql: "UPDATE orders SET document = ?", arguments: [uncounted(large.order.record)])
            try database.execute(sql: "UPDATE transactions SET document = ?", arguments: [uncounted(large.record)])
        }
        try queue.close()
        let store = try SQLiteStore(path: path)
        let key = try CommitFixture().key
        let history = try #require(try await store.history(of: key))
        #expect(history.transactions.map(\.particulars) == [large.particulars])
        let ledger = try #require(try await store.ledger(of: key))
        #expect(ledger.entries == [LedgerEntry(large)])
        let recalled = try await store.recall(large.id, of: key)
        #expect(recalled.transaction?.transaction.particulars == large.particulars)
        for order in [history.order, ledger.order, recalled.order] {
            #expect(try #require(order?.particularsByteCount) > 400_000)
        }
        try store.close()
    }

    @Test func `a file is opened without being read through`() async throws {
        var bytes: [Int] = []
        for orderCount in [100, 20_000] {
            let directory = try TemporaryDirectory()
            defer { directory.remove() }
            let path = directory.path + "/store.sqlite"
            try await Self.file(path, orderCount: orderCount)
            let before = try Self.readByteCount()
            let store = try SQLiteStore(path: path)
            bytes.append(try Self.readByteCount() - before)
            #expect(try await store.history(of: CommitFixture { $0.order = "order-7" }.key) != nil)
            try store.close()
        }
        // The larger file has more than 20 MB.
        #expect(bytes[0] > 0 && bytes[1] < bytes[0] + 200_000, "\(bytes)")
    }

    /// How many bytes this thread has read.
    private static func readByteCount() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("rchar: ") })
        return try #require(Int(line.dropFirst("rchar: ".count)))
    }
}
