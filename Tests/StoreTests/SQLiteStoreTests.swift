import Foundation
import GRDB
import Payments
import SQLiteStore
import TestSupport
import Testing
import Vault

@Suite(.serialized)
struct SQLiteStoreTests {
    @Test func `what was committed is there after a reopening`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let first = try SQLiteStore(path: path)
        let commit = try await CommitFixture { $0.token = 1 }.commit
        #expect(try await first.commit(commit) == .committed)
        try first.close()

        let second = try SQLiteStore(path: path)
        let recorded = RecordedTransaction(transaction: commit.transaction, fingerprint: commit.fingerprint)
        #expect(
            try await second.recall(commit.transaction.id, of: commit.order.key)
                == Recollection(order: commit.order, transaction: recorded))
        #expect(try await second.commit(commit) == .transactionExists)
        #expect(
            try await second.commit(
                CommitFixture {
                    $0.order = "order-2"; $0.token = 1
                }) == .tokenCredited)
        try second.close()
    }

    @Test func `a file keeps its first mark permanently`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let first = try SQLiteStore(path: path)
        #expect(try first.isKept(under: [1, 2, 3]))
        #expect(try first.isKept(under: [1, 2, 3]))
        #expect(try !first.isKept(under: [1, 2]))
        try await first.reset()
        try first.close()
        let second = try SQLiteStore(path: path)
        #expect(try !second.isKept(under: [3, 2, 1]))
        #expect(try second.isKept(under: [1, 2, 3]))
        try second.close()
    }

    @Test func `what was committed is in the file before the store is closed`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        #expect(try await store.commit(CommitFixture()) == .committed)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: directory.path + "/copy.sqlite" + suffix)
        }
        let copy = try SQLiteStore(path: directory.path + "/copy.sqlite")
        #expect(try await copy.history(of: CommitFixture().key)?.transactions.count == 1)
        try copy.close()
        try store.close()
    }

    @Test func `only their owner can read the files`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        for round in 0...1 as ClosedRange<Int64> {
            let store = try SQLiteStore(path: path)
            #expect(
                try await store.commit(
                    CommitFixture {
                        $0.versionBefore = round; $0.transaction = "\(round)"
                    }) == .committed)
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
            }
            try store.close()
            // A file that someone opened up is closed again.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
    }

    @Test func `the file is in WAL mode`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        let reader = try DatabaseQueue(path: path)
        #expect(try await reader.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        try reader.close()
        try store.close()
    }

    @Test func `opening a store again changes nothing`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        var schemas: [[String]] = []
        for _ in 0..<3 {
            try SQLiteStore(path: path).close()
            let reader = try DatabaseQueue(path: path)
            schemas.append(
                try await reader.read {
                    try String.fetchAll(
                        $0, sql: "SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY name")
                })
            try reader.close()
        }
        #expect(schemas[0] == schemas[1] && schemas[1] == schemas[2])
        #expect(schemas[0].count > 5)
    }

    @Test func `a file that a later version has written is refused`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        try SQLiteStore(path: path).close()
        let writer = try DatabaseQueue(path: path)
        try await writer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
        try writer.close()
        #expect(throws: SQLiteStore.OpenFailure.newerSchema(path: path)) { try SQLiteStore(path: path) }
    }

    @Test func `what is no database is refused`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let bytes = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect {
            try SQLiteStore(path: path)
        } throws: { error in
            guard case .database(let detail) = error as? SQLiteStore.OpenFailure else { return false }
            return detail.contains("SQLite 26")
        }
    }

    @Test(arguments: ["/no/such/directory/store.sqlite", "/proc/store.sqlite"])
    func `a place where no file can be is refused`(path: String) {
        #expect {
            try SQLiteStore(path: path)
        } throws: { error in
            guard case .file(let detail) = error as? SQLiteStore.OpenFailure else { return false }
            return detail.contains(path)
        }
    }

    @Test func `a symbolic link without a target is refused`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.path + "/elsewhere")
        #expect(throws: SQLiteStore.OpenFailure.self) { try SQLiteStore(path: path) }
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/elsewhere"))
    }

    @Test func `while another process holds the lock commits fail and reads go on, and then all is well`() async throws
    {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path, lockTimeoutMilliseconds: 20)
        #expect(try await store.commit(CommitFixture()) == .committed)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }

        let outcomes = try await race(20) { number in
            do { return "\(try await store.commit(CommitFixture { $0.order = "locked-\(number)" }))" } catch {
                return "\(error)"
            }
        }
        #expect(outcomes.allSatisfy { $0 == "the store can't be used: SQLite 5: database is locked" })
        #expect(try await store.history(of: CommitFixture().key)?.transactions.count == 1)

        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        #expect(try await store.commit(CommitFixture { $0.order = "locked-0" }) == .committed)
        try store.close()
    }

    @Test func `one commit that can't be written doesn't take the others with it`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        let other = try DatabaseQueue(path: path)
        try await other.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER poison BEFORE INSERT ON orders WHEN NEW.id = 'poison'
                    BEGIN SELECT RAISE(FAIL, 'poison'); END
                    """)
        }
        let outcomes = try await race(100) { number in
            let name = number == 50 ? "poison" : "order-\(number)"
            do { return "\(try await store.commit(CommitFixture { $0.order = name }))" } catch { return "\(error)" }
        }
        #expect(outcomes.count { $0 == "committed" } == 99)
        #expect(outcomes.count { $0.hasPrefix("the store can't be used: ") && $0.contains("poison") } == 1)
        #expect(try await store.history(of: CommitFixture { $0.order = "poison" }.key) == nil)
        #expect(try await store.history(of: CommitFixture { $0.order = "order-99" }.key) != nil)
        try other.close()
        try store.close()
    }

    /// A store with one transaction, in which another program then overwrote the documents of a table.
    private static func store(
        in directory: TemporaryDirectory, withDocumentsOf table: String, setTo value: String
    ) async throws -> SQLiteStore {
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        #expect(try await store.commit(CommitFixture()) == .committed)
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "UPDATE \(table) SET document = \(value)") }
        try other.close()
        return store
    }

    @Test(arguments: ["orders", "transactions"])
    func `a record that was tampered with is damaged`(table: String) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let store = try await Self.store(in: directory, withDocumentsOf: table, setTo: "X'7B7D'")
        let damaged = StoreFailure.damaged(detail: #"record: member("format")"#)
        let (key, transaction) = try (CommitFixture().key, CommitFixture().transactionID)
        await #expect(throws: damaged) { try await store.recall(transaction, of: key) }
        await #expect(throws: damaged) { try await store.history(of: key) }
        try store.close()
    }

    @Test(arguments: ["orders", "transactions"])
    func `a record of another storage class is damaged`(table: String) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let store = try await Self.store(in: directory, withDocumentsOf: table, setTo: "5")
        let (key, transaction) = try (CommitFixture().key, CommitFixture().transactionID)
        for operation in [
            { _ = try await store.recall(transaction, of: key) }, { _ = try await store.history(of: key) },
        ] as [() async throws -> Void] {
            await #expect { try await operation() } throws: { isDamage($0) }
        }
        try store.close()
    }

    @Test(arguments: ["UPDATE orders SET version = 'x'", "UPDATE tokens SET isCredited = 'x'"])
    func `a commit that meets a value of another storage class is refused as damage`(damage: String) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        #expect(try await store.commit(CommitFixture { $0.token = 1 }) == .committed)
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: damage) }
        try other.close()
        await #expect {
            try await store.commit(
                CommitFixture {
                    $0.versionBefore = 1; $0.transaction = "2"; $0.token = 1
                })
        } throws: {
            isDamage($0)
        }
        #expect(try await store.commit(CommitFixture { $0.order = "order-2" }) == .committed)
        try store.close()
    }

    private func isDamage(_ error: any Error) -> Bool {
        guard case .damaged = error as? StoreFailure else { return false }
        return true
    }

    @Test func `a closed store is unavailable`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let store = try SQLiteStore(path: directory.path + "/store.sqlite")
        try store.close()
        let key = try CommitFixture().key
        for operation in [
            { _ = try await store.history(of: key) }, { _ = try await store.commit(CommitFixture()) },
        ] as [() async throws -> Void] {
            await #expect { try await operation() } throws: { error in
                guard case .unavailable = error as? StoreFailure else { return false }
                return true
            }
        }
    }
}
