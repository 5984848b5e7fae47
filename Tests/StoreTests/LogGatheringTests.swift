import GRDB
import GRDBSQLite
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// What is gathered arrives as if it had been written at once.
@Suite(.serialized)
struct LogGatheringTests {
    private let directory: TemporaryDirectory
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue

    init() throws {
        directory = try TemporaryDirectory()
        (writer, reader) = (try Self.connection(in: directory), try Self.connection(in: directory))
        try writer.inDatabase { database in
            // So small that SQLite writes pages to the log before the commit, and reads them from there again.
            try database.execute(sql: "PRAGMA cache_size = 10; PRAGMA wal_autocheckpoint = 0")
            try database.execute(sql: "CREATE TABLE items (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
            try WatchedLog.begin(on: database)
            try LogGathering.begin(on: database)
        }
    }

    private static func connection(in directory: TemporaryDirectory) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: directory.path + "/gathered.sqlite", configuration: configuration)
    }

    private func end() throws {
        try writer.close()
        try reader.close()
        directory.remove()
    }

    /// Puts so many items of so many bytes, in one transaction.
    private func put(_ count: Int, bytes: Int, then completion: Database.TransactionCompletion = .commit) throws {
        try writer.inTransaction { database in
            for _ in 0..<count {
                try database.execute(sql: "INSERT INTO items (bytes) VALUES (randomblob(?))", arguments: [bytes])
            }
            return completion
        }
    }

    private static func count(_ connection: DatabaseQueue) throws -> Int? {
        try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM items WHERE length(bytes) > 0") }
    }

    @Test func `others see every commit at once and nothing of what is rolled back`() throws {
        var count = 0
        for (items, bytes) in [(1, 1), (31, 4000), (32, 4000), (33, 4000), (1, 131_071), (1, 131_072), (300, 9000)] {
            try put(items, bytes: bytes, then: .rollback)
            #expect(try Self.count(reader) == count)
            try put(items, bytes: bytes)
            count += items
            #expect(try Self.count(reader) == count)
            #expect(try Self.count(writer) == count)
        }
        try reader.inDatabase { database in
            #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
            // The log begins anew, where others have written into it.
            try database.checkpoint(.truncate)
        }
        try put(40, bytes: 4000)
        #expect(try Self.count(reader) == count + 40)
        try end()
    }

    @Test func `a commit takes few calls`() throws {
        try put(1, bytes: 1)
        WatchedLog.writes.store(0, ordering: .relaxed)
        // 60 pages and some of the tree's own.
        try writer.inDatabase { try $0.execute(sql: "PRAGMA cache_size = 1000") }
        try put(60, bytes: 4000)
        #expect((1...4).contains(WatchedLog.writes.load(ordering: .relaxed)))
        try end()
    }

    @Test func `a commit that can't be written fails, and the next one finds what was there`() throws {
        try put(3, bytes: 4000)
        WatchedLog.isFull.store(true, ordering: .relaxed)
        for (items, bytes) in [(1, 1), (100, 4000)] {
            #expect(throws: DatabaseError.self) { try put(items, bytes: bytes) }
            #expect(try Self.count(reader) == 3)
        }
        WatchedLog.isFull.store(false, ordering: .relaxed)
        #expect(try Self.count(writer) == 3)
        try put(2, bytes: 4000)
        #expect(try Self.count(reader) == 5)
        #expect(try reader.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        try end()
    }

    @Test func `a connection that doesn't sync its commits gathers nothing`() throws {
        let hasty = try Self.connection(in: directory)
        try hasty.inDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try LogGathering.begin(on: database)
        }
        try hasty.inDatabase { try $0.execute(sql: "INSERT INTO items (bytes) VALUES (x'01')") }
        #expect(try Self.count(reader) == 1)
        try hasty.close()
        try end()
    }
}

/// A log's file that counts what is written to it, and can be full.
private enum WatchedLog {
    static let writes = Atomic<Int>(0)
    static let isFull = Atomic<Bool>(false)

    /// What every file of SQLite's does; the same for each of them.
    private static let inner = Mutex<sqlite3_io_methods?>(nil)

    static func begin(on database: Database) throws {
        var log: UnsafeMutablePointer<sqlite3_file>?
        _ = sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log)
        let file = try #require(log)
        var methods = try #require(file.pointee.pMethods).pointee
        inner.withLock { $0 = methods }
        methods.xWrite = { file, bytes, count, offset in
            WatchedLog.writes.add(1, ordering: .relaxed)
            guard !WatchedLog.isFull.load(ordering: .relaxed) else { return SQLITE_FULL }
            return WatchedLog.inner.withLock { $0?.xWrite(file, bytes, count, offset) ?? SQLITE_MISUSE }
        }
        // It stays: nobody tells when SQLite is done with it.
        let watched = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        watched.initialize(to: methods)
        file.pointee.pMethods = UnsafePointer(watched)
    }
}
