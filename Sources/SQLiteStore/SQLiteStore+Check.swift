internal import GRDB
internal import GRDBSQLite
public import Payments
public import Vault

extension SQLiteStore {
    /// Returns if the store is readable, writable or intact, as asked.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) {
        switch aspect {
        case .reading: try await read()
        case .writing: try await write()
        case .integrity: try await checkIntegrity()
        }
    }

    /// Reads from the file, not from the connection's page cache.
    private func read() async throws(StoreFailure) {
        try await reads.read { database in
            _ = sqlite3_db_release_memory(database.sqliteConnection)
            _ = try Int.fetchOne(database, sql: "SELECT 1 FROM orders WHERE merchant = '' AND id = ''")
        }
    }

    /// The size of a health check's write, in bytes. It changes more pages than a transaction without large
    /// particulars, so a disk with room for it has room for a transaction.
    private static let probeByteCount = 64 << 10

    /// Writes about as much as a transaction does. Each check overwrites the last one's row.
    private func write() async throws(StoreFailure) {
        _ = try await chores.commit(
            PreparedChore { database in
                try database.cachedStatement(
                    sql: "INSERT OR REPLACE INTO probe (row, content) VALUES (1, randomblob(?))"
                ).execute(arguments: [Self.probeByteCount])
                return database.changesCount
            }
        ).get()
    }

    /// Reads all pages on a new connection, whose page cache is empty. Then empties the other connections' caches,
    /// which may be from before the file was repaired.
    private func checkIntegrity() async throws(StoreFailure) {
        do {
            var configuration = Configuration()
            configuration.label = "tollgate.store.integrity"
            configuration.readonly = true
            let connection = try DatabaseQueue(path: pool.path, configuration: configuration)
            defer { try? connection.close() }
            let finding = try await connection.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            guard finding == "ok" else { throw StoreFailure.corrupt(detail: "SQLite: \(finding ?? "no answer")") }
            try await pool.writeWithoutTransaction { _ = sqlite3_db_release_memory($0.sqliteConnection) }
            try await pool.read { _ = sqlite3_db_release_memory($0.sqliteConnection) }
            reads.forgetPages()
            longReads.forgetPages()
        } catch { throw SQLiteStore.failure(error) }
    }
}
