internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Connections that read, on the caller's own thread, what requests ask for first that build on what is there.
///
/// Such a read finds a row by its key, which takes some microseconds; to go to another thread and come back takes longer
/// than that, and wakes two. In WAL mode it waits neither for the writer nor for other readers. Should the file be locked
/// as a whole none the less, as while another process recovers it, that is told at once and not waited for.
final class RecallConnections: Sendable {
    private let connections: [DatabaseQueue]
    private let turn = Atomic<Int>(0)

    /// Opens `count` connections to a file that is in WAL mode.
    init(path: String, count: Int) throws {
        var configuration = Configuration()
        configuration.label = "tollgate.store.recall"
        configuration.readonly = true
        configuration.busyMode = .immediateError
        configuration.prepareDatabase {
            try SQLiteStore.limitCache(of: $0, kibibytes: SQLiteStore.readerCacheKibibytes)
        }
        connections = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Closes them.
    func close() throws { for connection in connections { try connection.close() } }

    /// Forgets what was read before, so that it is read from the file again.
    func forgetPages() {
        for connection in connections { connection.unsafeRead { _ = sqlite3_db_release_memory($0.sqliteConnection) } }
    }

    /// The result of one statement that reads. Two callers seldom meet on one connection, and then one waits for the other's
    /// few microseconds.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).newValue
        // One statement sees the file as it is at one moment, and needs no transaction around it for that.
        return try connections[Int(UInt(bitPattern: turn) % UInt(connections.count))].unsafeRead(body)
    }
}
