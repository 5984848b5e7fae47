internal import Foundation
internal import GRDB
public import Payments
internal import Synchronization

/// Keeps orders, transactions, credited tokens and sealed texts in one SQLite file.
///
/// The file is in WAL mode: readers work on connections of their own and neither wait for the writer nor hold it up.
/// What was committed has been synced to the disk (`synchronous=FULL`).
public final class SQLiteStore: PaymentStore {
    /// Why a store could not be opened.
    public enum OpenFailure: Error, Equatable, Sendable {
        /// The file or its directory can't be made or read.
        case file(detail: String)
        /// SQLite can't use the file.
        case database(detail: String)
        /// A later version of the program has written the file.
        case newerSchema(path: String)
    }

    let pool: DatabasePool
    /// The transaction up to which the pruning that is under way has come.
    let prunedRow = Atomic<Int64>(0)
    /// Reads that find rows by their keys.
    let reads: ReadThreads
    /// Reads of whole orders, and searches.
    let longReads: ReadThreads
    private let checkpoints: Checkpoints
    private let commits: CommitQueue<PreparedCommit>
    let sealedItems: CommitQueue<PreparedItem>
    let chores: CommitQueue<PreparedChore>

    /// Opens the store at `path`, or makes it, with mode 0600. The directory must exist.
    ///
    /// - Parameters:
    ///   - path: the database file; SQLite keeps two more beside it, `-wal` and `-shm`.
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

    /// Closes the file, which then holds everything; whatever is asked of the store after that fails.
    public func close() throws(StoreFailure) {
        do {
            try reads.close()
            try longReads.close()
            try checkpoints.close()
            // GRDB closes the writer before the readers, and of these none may do it at the end. What stays in the log for
            // want of room is found there by the next start.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        } catch { throw SQLiteStore.failure(error) }
    }

    /// Whether everything in the file is kept under the installation key of a mark. The first mark that is asked of a file
    /// is written into it, and is its mark for good.
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

    /// The order as it stands and, if it exists, the transaction as it was answered.
    public func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await reads.read { try Recollection(of: transaction, of: order, in: $0) }
    }

    /// The order as it stands with all its transactions.
    public func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        try await rows(of: order, by: longReads).map { OrderHistory(order: $0.order, transactions: $0.values) }
    }

    /// The order as it stands with what later operations on it are decided on.
    public func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        try await rows(of: order, by: reads).map { OrderLedger(order: $0.order, entries: $0.values) }
    }

    private func rows<Value: OrderRow>(
        of order: OrderKey, by threads: ReadThreads
    ) async throws(StoreFailure) -> (order: Order, values: [Value])? {
        try await threads.read { try OrderRows<Value>(of: order, in: $0) }?.completed(by: threads)
    }

    /// Writes all of a commit or nothing, together with those that wait at the same time.
    public func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        try await commits.commit(PreparedCommit(commit)).get()
    }

    /// Empties every table that something is put into.
    public func reset() async throws(StoreFailure) {
        do {
            try await pool.write { database in
                for table in Schema.filledTables { try database.execute(sql: "DELETE FROM \(table)") }
            }
        } catch { throw SQLiteStore.failure(error) }
    }

    private static let readThreadCount = 4
    private static let longReadThreadCount = 2

    /// What a connection that reads may keep of the file: the pages of one statement. Whatever another connection commits
    /// makes it forget all of them, so more would be kept only where nobody writes.
    static let readerCacheKibibytes = 256
    /// What the one that writes may keep. Pages that it lacks come from the kernel's cache, for some microseconds each; a
    /// larger one has not been measured to be faster, at ten thousand orders or at a million.
    private static let writerCacheKibibytes = 2048

    static func limitCache(of database: Database, kibibytes: Int) throws {
        try database.execute(sql: "PRAGMA cache_size = -\(kibibytes)")
    }

    private static func openPool(at path: String, lockTimeoutMilliseconds: Int) throws -> DatabasePool {
        var configuration = Configuration()
        // For the start and for checks of integrity; requests read on threads of their own.
        configuration.maximumReaderCount = 1
        configuration.label = "tollgate.store"
        configuration.busyMode = .timeout(Double(lockTimeoutMilliseconds) / 1000)
        configuration.prepareDatabase { try limitCache(of: $0, kibibytes: readerCacheKibibytes) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL when it turns WAL on, after the configuration's own statements; NORMAL loses commits
        // at a power cut.
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
    /// What a caller is told of an error: SQLite's code and words, never a statement with its values.
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
