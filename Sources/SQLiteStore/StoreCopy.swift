internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// A copy of a store's file, made while others may write to that.
///
/// It holds what was committed when it began, and nothing later. Nobody waits for it: in WAL mode whoever reads, however
/// long, keeps only the log from beginning anew.
public struct StoreCopy: Sendable {
    /// How many orders it holds.
    public let orderCount: Int64
    /// How many bytes it has.
    public let byteCount: Int64
    /// The mark of the installation key under which all of it is kept; nothing if no gateway has ever run on it.
    public let mark: [UInt8]?

    /// Copies the file at `source` to a new file of mode 0600, reads the copy through, and syncs it. On a failure there may
    /// be part of a copy.
    public init(of source: String, to destination: String) throws(SQLiteStore.OpenFailure) {
        guard access(source, F_OK) == 0 else {
            throw .file(detail: "\(source): \(String(cString: strerror(errno)))")
        }
        try DatabaseFile.create(at: destination)
        do {
            var configuration = Configuration()
            configuration.label = "tollgate.store.copy"
            configuration.busyMode = .timeout(5)
            let target = try DatabaseQueue(path: destination, configuration: configuration)
            configuration.readonly = true
            let origin = try DatabaseQueue(path: source, configuration: configuration)
            // All pages at once: in parts it would begin anew with every commit of another process.
            try origin.backup(to: target, pagesPerStep: -1)
            try origin.close()
            // What is checked is what was written, not what is still in memory.
            target.inDatabase { _ = sqlite3_db_release_memory($0.sqliteConnection) }
            (orderCount, mark) = try target.inDatabase { database in
                let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
                guard findings == ["ok"] else {
                    throw SQLiteStore.OpenFailure.database(
                        detail: "\(source): corrupt, and so would be its copy: \(findings.first ?? "no answer")")
                }
                return (
                    try Int64.fetchOne(database, sql: "SELECT count(*) FROM orders") ?? 0,
                    try Row.fetchOne(database, sql: "SELECT mark FROM installation").map { try $0.bytes(0) }
                )
            }
            try target.close()
        } catch let failure as SQLiteStore.OpenFailure {
            throw failure
        } catch {
            throw .database(detail: "\(source): \(SQLiteStore.detail(of: error))")
        }
        byteCount = try DatabaseFile.synchronize(at: destination)
    }
}
