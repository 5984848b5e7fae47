internal import Foundation
internal import GRDB
public import Payments
internal import Synchronization
public import Vault

/// Stores orders, transactions, credited tokens and sealed texts in one SQLite file.
///
/// The file is in WAL mode: readers use their own connections, and neither wait for the writer nor block it. Committed
/// data has been synced to disk (`synchronous=FULL`).
public final class SQLiteStore: PaymentStore {
    /// Why a store could not be opened.
    public enum OpenFailure: Error, Equatable, Sendable {
        /// The file or its directory can't be created or read.
        case file(detail: String)
        /// SQLite can't use the file.
        case database(detail: String)
        /// A later version of the program has written the file.
        case newerSchema(path: String)
    }

    let pool: DatabasePool
    /// The last transaction that the current pruning run has examined.
    let prunedRow = Atomic<Int64>(0)
    /// Threads for reads that find rows by key.
    let reads: ReadThreads
    /// Threads for reads of whole orders, and for searches.
    let longReads: ReadThreads
    private let checkpoints: Checkpoints
    private let commits: CommitQueue<PreparedCommit>
    let sealedItems: CommitQueue<PreparedItem>
    let chores: CommitQueue<PreparedChore>

    /// Opens the store at `path`, and creates it with mode 0600 if it is missing. The directory must exist.
    ///
    /// - Parameters:
    ///   - path: the database file. SQLite keeps two more files next to it, `-wal` and `-shm`.
    ///   - lockTimeoutMilliseconds: how long to wait for a lock that another process holds.
    public init(path: String, lockTimeoutMilliseconds: Int = 1000) throws(OpenFailure) {
        try DatabaseFile.prepare(at: path)
        do {
            pool = try Self.openPool(at: path, lockTimeoutMilliseconds: lockTimeoutMilliseconds)
            let migrator = Schema.migrator
            guard try !pool.read(migrator.hasBeenSuperseded) else { throw OpenFailure.newerSchema(path: path) }
            try migrator.migrate(pool)
            checkpoints = try Checkpoints(path: path)
            reads = try ReadThreads(
                path: path, count: Self.readThreadCount, label: "tollgate.store.reads",
                lockTimeoutMilliseconds: lockTimeoutMilliseconds)
            longReads = try ReadThreads(
                path: path, count: Self.longReadThreadCount, label: "tollgate.store.longReads",
                lockTimeoutMilliseconds: lockTimeoutMilliseconds)
        } catch let failure as OpenFailure {
            throw failure
        } catch {
            throw .database(detail: "\(path): \(SQLiteStore.detail(of: error))")
        }
        let files = PresentFiles(path: path)
        commits = CommitQueue(pool: pool, files: files, checkpoints: checkpoints)
        sealedItems = CommitQueue(pool: pool, files: files, checkpoints: checkpoints)
        chores = CommitQueue(pool: pool, files: files, checkpoints: checkpoints)
        pool.unsafeReentrantWrite { checkpoints.attach(to: $0) }
    }

    /// How many transactions were synced together, and how many sealed texts.
    public var batches: (transactions: BatchSizes, sealed: BatchSizes) { (commits.sizes, sealedItems.sizes) }

    /// Closes the file, after a full checkpoint into it. Later requests fail.
    public func close() throws(StoreFailure) {
        do {
            try reads.close()
            try longReads.close()
            try checkpoints.close()
            // GRDB closes the writer before the readers, and a read-only connection can't run the final checkpoint. If
            // the disk is full, the WAL keeps the rest and the next start reads it.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        } catch { throw SQLiteStore.failure(error) }
    }

    /// Whether the file's contents belong to the installation key of a mark. The first mark that is checked against a
    /// file is stored in it permanently.
    public func isKept(under mark: [UInt8]) throws(StoreFailure) -> Bool {
        do {
            return try pool.write { database in
                if let row = try Row.fetchOne(database, sql: "SELECT mark FROM installation") {
                    return try row.bytes(0) == mark
                }
                try database.execute(sql: "INSERT INTO installation (mark) VALUES (?)", arguments: [Data(mark)])
                return true
            }
        } catch { throw SQLiteStore.failure(error) }
    }

    /// The current order and, if it exists, the transaction as it was answered.
    public func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await reads.read { try Recollection(of: transaction, of: order, in: $0) }
    }

    /// The current order with all its transactions.
    public func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        try await rows(of: order, by: longReads).map { OrderHistory(order: $0.order, transactions: $0.values) }
    }

    /// The current order with the records that later operations are decided on.
    public func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        try await rows(of: order, by: reads).map { OrderLedger(order: $0.order, entries: $0.values) }
    }

    private func rows<Value: OrderRow>(
        of order: OrderKey, by threads: ReadThreads
    ) async throws(StoreFailure) -> (order: Order, values: [Value])? {
        try await threads.read { try OrderRows<Value>(of: order, in: $0) }?.completed(by: threads)
    }

    /// Writes a commit atomically, in one transaction with other waiting commits.
    public func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        try await commits.commit(PreparedCommit(commit)).get()
    }

    /// Empties all data tables.
    public func reset() async throws(StoreFailure) {
        do {
            try await pool.write { database in
                for table in Schema.filledTables { try database.execute(sql: "DELETE FROM \(table)") }
            }
        } catch { throw SQLiteStore.failure(error) }
    }

    private static let readThreadCount = 4
    private static let longReadThreadCount = 2

    /// A reading connection's page cache: enough for one statement. Any commit on another connection invalidates the
    /// whole cache, so a larger one would only help while nobody writes.
    static let readerCacheKibibytes = 256
    /// The writer's page cache. A missing page comes from the kernel's cache within microseconds. Larger caches were
    /// measured to be no faster, with ten thousand orders or a million.
    private static let writerCacheKibibytes = 2048

    static func limitCache(of database: Database, kibibytes: Int) throws {
        try database.execute(sql: "PRAGMA cache_size = -\(kibibytes)")
    }

    private static func openPool(at path: String, lockTimeoutMilliseconds: Int) throws -> DatabasePool {
        var configuration = Configuration()
        // For the start and for integrity checks; requests use their own read threads.
        configuration.maximumReaderCount = 1
        configuration.label = "tollgate.store"
        configuration.busyMode = .timeout(Double(lockTimeoutMilliseconds) / 1000)
        configuration.prepareDatabase { try limitCache(of: $0, kibibytes: readerCacheKibibytes) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL when it turns on WAL, after the configuration's own statements. NORMAL loses commits in
        // a power failure.
        try pool.writeWithoutTransaction { database in
            try limitCache(of: database, kibibytes: writerCacheKibibytes)
            try database.execute(sql: "PRAGMA synchronous = FULL")
            let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            precondition(level == 2, "SQLite takes this pragma outside of transactions")
        }
        return pool
    }
}

extension SQLiteStore {
    /// The error that callers see: SQLite's code and message, never a statement with its values.
    static func failure(_ error: any Error) -> StoreFailure {
        if let failure = error as? StoreFailure { return failure }
        if let fault = error as? RecordFault { return .damaged(detail: "record: \(fault)") }
        guard let error = error as? DatabaseError else { return .unavailable(detail: "SQLite: cancelled") }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .corrupt(detail: detail(of: error))
        default: return .unavailable(detail: detail(of: error))
        }
    }

    static func detail(of error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "SQLite: cancelled" }
        return "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
    }
}
