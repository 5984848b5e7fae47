internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// A copy of a store's file, made while other processes may write to it.
///
/// The copy is a snapshot from the moment it began. It blocks no one: in WAL mode a long read only keeps the WAL from
/// restarting.
public struct StoreCopy: Sendable {
    /// The number of orders in the copy.
    public let orderCount: Int64
    /// The copy's size in bytes.
    public let byteCount: Int64
    /// The mark of the installation key that the contents belong to; nil if no gateway has ever used the file.
    public let mark: [UInt8]?

    /// Copies the file at `source` to a new file of mode 0600, checks the copy's integrity, and syncs it. A failure may
    /// leave a partial copy.
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
            // All pages in one step: a backup in several steps restarts whenever another process commits.
            try origin.backup(to: target, pagesPerStep: -1)
            try origin.close()
            // Empties the page cache, so that the check reads what was written.
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
