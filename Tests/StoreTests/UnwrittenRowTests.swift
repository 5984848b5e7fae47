@testable import PostgresStore
import Payments
import TestSupport
import Testing
import Vault

/// A server whose tables don't take what is written, by triggers or names of its administrator's.
@Suite(.serialized)
struct UnwrittenRowTests {
    private struct Database {
        let server: PostgresServer
        let url: String
        let schema: String
        let store: PostgresStore

        /// - Parameter callerMilliseconds: for how long the store tries for what is refused.
        init(on server: PostgresServer? = nil, callerMilliseconds: Int = 600_000) async throws {
            self.server = try server ?? PostgresServer.shared()
            url = try self.server.url()
            schema = try #require(url.split(separator: "%3D").last.map(String.init))
            store = try await PostgresStore(patiently: url, callerMilliseconds: callerMilliseconds)
        }

        func query(_ text: String) throws { try server.query(text, schema: schema) }

        func beginTrigger(_ event: String, on table: String, _ body: String) throws {
            try query(
                """
                CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body) END $$;
                CREATE TRIGGER interfere BEFORE \(event) ON \(table) FOR EACH ROW EXECUTE FUNCTION interfere();
                """)
        }

        func endTrigger(on table: String) throws {
            try query("DROP TRIGGER interfere ON \(table); DROP FUNCTION interfere();")
        }
    }

    private static let item = SealedItem(
        name: Array(repeating: 1, count: 32), revision: 1, expiry: TestPayment.instant, text: [1])

    private static let group = SealedGroup(name: Array(repeating: 2, count: 32), countMax: 10)

    @Test(arguments: [("INSERT", "orders"), ("UPDATE", "orders"), ("INSERT", "transactions"), ("INSERT", "tokens")])
    func `a row that the server does not write is no commit`(event: String, table: String) async throws {
        let database = try await Database()
        let first = try await CommitFixture { $0.token = 1 }.commit
        let second = try await CommitFixture {
            $0.transaction = "2"
            $0.versionBefore = 1
        }.commit
        if event == "UPDATE" { #expect(try await database.store.commit(first) == .committed) }
        let commit = event == "UPDATE" ? second : first
        try database.beginTrigger(event, on: table, "RETURN NULL;")
        await Self.expectUnavailable { _ = try await database.store.commit(commit) }
        await Self.expectUnavailable { try await database.store.check(.writing) }
        #expect(try await database.store.recall(commit.transaction.id, of: commit.order.key).transaction == nil)

        try database.endTrigger(on: table)
        try await database.store.check(.writing)
        #expect(try await database.store.commit(commit) == .committed)
    }

    @Test(arguments: [("INSERT", "sealed"), ("UPDATE", "sealed_groups")])
    func `a row that the server does not write is no sealed text`(event: String, table: String) async throws {
        let database = try await Database()
        try database.beginTrigger(event, on: table, "RETURN NULL;")
        await Self.expectUnavailable {
            _ = try await database.store.put(Self.item, at: TestPayment.instant, in: Self.group)
        }
        await Self.expectUnavailable { try await database.store.check(.writing) }
        #expect(try await database.store.item(Self.item.name) == nil)
        try database.endTrigger(on: table)
        try await database.store.check(.writing)
        #expect(
            try await database.store.put(Self.item, at: TestPayment.instant, in: Self.group) == .written)
    }

    @Test(arguments: [("INSERT", "sealed"), ("UPDATE", "sealed_groups"), ("INSERT", "holds")])
    func `a held item that the server does not write is no commit`(event: String, table: String) async throws {
        let database = try await Database()
        let commit = try await CommitFixture {
            $0.items = [
                .new(
                    SealedItem(name: Self.item.name, revision: 1, expiry: nil, text: [1]),
                    in: SealedGroup(name: Self.group.name, countMax: 10, followsOrders: true))
            ]
        }.commit
        try database.beginTrigger(event, on: table, "RETURN NULL;")
        await Self.expectUnavailable { _ = try await database.store.commit(commit) }
        #expect(try await database.store.history(of: commit.order.key) == nil)
        try database.endTrigger(on: table)
        #expect(try await database.store.commit(commit) == .committed)
        #expect(try await database.store.item(Self.item.name) != nil)
    }

    @Test(arguments: ["orders", "transactions", "tokens", "sealed", "holds"])
    func `a store whose table refuses rows can't be written`(table: String) async throws {
        let database = try await Database()
        try database.beginTrigger("INSERT OR UPDATE", on: table, "RAISE EXCEPTION 'no';")
        await Self.expectUnavailable { try await database.store.check(.writing) }
        try database.endTrigger(on: table)
        try await database.store.check(.writing)
        #expect(try await database.store.history(of: CommitFixture().key) == nil)
    }

    @Test(arguments: ["orders", "sealed"])
    func `a store whose table has gone can't be read`(table: String) async throws {
        let database = try await Database(callerMilliseconds: 10_000)
        try database.query("ALTER TABLE \(table) RENAME TO elsewhere")
        await Self.expectUnavailable { try await database.store.check(.reading) }
        try database.query("ALTER TABLE elsewhere RENAME TO \(table)")
        try await database.store.check(.reading)
    }

    /// A statement takes longer here than the role may. The role's limit still applies to a session's first statement, which
    /// sets the store's own, so opening is repeated as the gateway repeats it: on a busy machine a millisecond is short.
    @Test func `limits that a role brings along are not the store's`() async throws {
        let database = try await Database(on: PostgresServer())
        try database.beginTrigger("INSERT", on: "orders", "PERFORM pg_sleep(0.1); RETURN NEW;")
        for (name, value) in [
            ("idle_in_transaction_session_timeout", "1"), ("lock_timeout", "1"), ("statement_timeout", "1"),
        ] { try database.query("ALTER ROLE postgres SET \(name) = \(value)") }
        let store = try await Self.opened(database.url)
        #expect(try await store.commit(CommitFixture().commit) == .committed)
        try await store.check(.reading)
        try await store.check(.writing)
    }

    private static func opened(_ url: String) async throws -> PostgresStore {
        while true {
            do { return try await PostgresStore(patiently: url) } catch PostgresStore.OpenFailure.unreachable(
                let detail)
            {
                try #require(detail.contains("57014"), "\(detail)")
            }
        }
    }

    private static func expectUnavailable(_ body: () async throws -> Void) async {
        let failure = await #expect(throws: StoreFailure.self) { try await body() }
        guard case .unavailable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
