internal import GRDB
internal import GRDBSQLite
public import Payments

extension SQLiteStore {
    /// Returns if the store can be read, be written, or is whole.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) {
        switch aspect {
        case .reading: try await read()
        case .writing: try await write()
        case .integrity: try await checkIntegrity()
        }
    }

    /// Reads from the file, not from what a connection has in memory.
    private func read() async throws(StoreFailure) {
        try await reads.read { database in
            _ = sqlite3_db_release_memory(database.sqliteConnection)
            _ = try Int.fetchOne(database, sql: "SELECT 1 FROM orders WHERE merchant = '' AND id = ''")
        }
    }

    /// How many bytes a check writes: more pages than a transaction without large particulars changes, so that a disk that
    /// has room for them has room for one.
    private static let probeByteCount = 64 << 10

    /// Writes as much as a transaction does. What was written before goes.
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

    /// Reads all pages through, on a connection that has none of them in its memory. The other connections then forget
    /// theirs, which may be from before the file was mended.
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
