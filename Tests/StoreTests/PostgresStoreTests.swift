import Payments
@testable import PostgresStore
import TestSupport
import Testing
import Values
import Vault

/// What a PostgreSQL store promises beyond the contract.
@Suite(.serialized)
struct PostgresStoreTests {
    @Test func `a database keeps its first mark, permanently and for all instances`() async throws {
        let url = try PostgresServer.shared().url()
        let first = try await PostgresStore(patiently: url)
        let second = try await PostgresStore(patiently: url)
        let marks = try await race(8) { number -> UInt8? in
            try await (number % 2 == 0 ? first : second).isKept(under: [UInt8(number)]) ? UInt8(number) : nil
        }.compactMap { $0 }
        #expect(marks.count == 1)
        let mark = try #require(marks.first)
        try await first.reset()
        #expect(try await first.isKept(under: [mark]))
        #expect(try await !second.isKept(under: [mark, mark]))
    }

    @Test func `instances that start at once make one schema`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let stores = try await race(8) { _ in try await PostgresStore(patiently: url) }
        let outcomes = try await race(8) { number in
            try await stores[number].commit(CommitFixture { $0.order = "order-\(number)" })
        }
        #expect(outcomes.allSatisfy { $0 == .committed })
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        #expect(
            try server.query("SELECT number FROM migrations ORDER BY 1", schema: schema) == [
                "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
            ])
        _ = try await PostgresStore(patiently: url)
        #expect(try server.query("SELECT count(*) FROM migrations", schema: schema) == ["10"])
    }

    @Test func `a database that a later version has written is refused`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        try await PostgresStore(patiently: url).close()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        try server.query("INSERT INTO migrations VALUES (11, 'later')", schema: schema)
        await #expect(throws: PostgresStore.OpenFailure.newerSchema) {
            _ = try await PostgresStore(patiently: url)
        }
    }

    @Test(arguments: [
        "UPDATE orders SET document = '\\x01'", "UPDATE transactions SET document = ''",
        "ALTER TABLE orders ALTER document TYPE text USING 'x'",
    ])
    func `what was tampered with is damaged`(damage: String) async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let writer = try await PostgresStore(patiently: url)
        #expect(try await writer.commit(CommitFixture()) == .committed)
        try server.query(damage, schema: try #require(url.split(separator: "%3D").last.map(String.init)))
        let reader = try await PostgresStore(patiently: url)
        let failure = await #expect(throws: StoreFailure.self) {
            _ = try await reader.recall(CommitFixture().transactionID, of: CommitFixture().key)
        }
        guard case .damaged = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a closed store refuses its callers`() async throws {
        let store = try await PostgresStore(patiently: PostgresServer.shared().url())
        store.close()
        for _ in 0..<2 {
            await #expect(throws: StoreFailure.unavailable(detail: "PostgreSQL: the store is closed")) {
                _ = try await store.commit(CommitFixture())
            }
        }
        await #expect(throws: StoreFailure.unavailable(detail: "PostgreSQL: the store is closed")) {
            _ = try await store.history(of: CommitFixture().key)
        }
    }

    // MARK: Several instances

    @Test func `of sixteen writers of the same two hundred transactions each has one winner`() async throws {
        let url = try PostgresServer.shared().url()
        let stores = try await race(4) { _ in try await PostgresStore(patiently: url) }
        let commits = try await race(200) { number in try await CommitFixture { $0.order = "order-\(number)" }.commit }
        let outcomes = try await race(16) { writer in
            try await race(200) { number in try await stores[writer % 4].commit(commits[number]) }
        }.flatMap { $0 }
        #expect(outcomes.count { $0 == .committed } == 200)
        #expect(outcomes.count { $0 == .transactionExists } == 15 * 200)
    }

    @Test func `a token that is presented to many instances at once is credited once`() async throws {
        let url = try PostgresServer.shared().url()
        let stores = try await race(3) { _ in try await PostgresStore(patiently: url) }
        let presentations = 40 * 12
        let outcomes = try await race(presentations) { number in
            try await stores[number % 3].commit(
                CommitFixture {
                    $0.order = "order-\(number)"
                    $0.token = UInt8(number / 12)
                })
        }
        #expect(outcomes.count { $0 == .committed } == 40)
        #expect(outcomes.count { $0 == .tokenCredited } == presentations - 40)
    }

    @Test func `instances that decide on one order see each other's decisions`() async throws {
        let url = try PostgresServer.shared().url()
        let stores = try await race(3) { _ in try await PostgresStore(patiently: url) }
        let versions = try await race(3) { instance in
            var committed: [Int64] = []
            for number in 0..<20 {
                var outcome = CommitOutcome.orderMoved
                while outcome == .orderMoved {
                    let order = try await stores[instance].recall(
                        CommitFixture().transactionID, of: CommitFixture().key)
                    let version = order.order?.version ?? 0
                    outcome = try await stores[instance].commit(
                        CommitFixture {
                            $0.transaction = "\(instance)-\(number)"
                            $0.versionBefore = version
                        })
                    if outcome == .committed { committed.append(version) }
                }
                #expect(outcome == .committed)
            }
            return committed
        }
        #expect(versions.flatMap { $0 }.sorted() == Array(0..<60))
        #expect(try await stores[0].history(of: CommitFixture().key)?.transactions.count == 60)
    }

    @Test func `sealed items of many instances are counted as one`() async throws {
        let url = try PostgresServer.shared().url()
        let stores = try await race(3) { _ in try await PostgresStore(patiently: url) }
        let group = SealedGroup(name: [UInt8](repeating: 7, count: 32), countMax: 50)
        let outcomes = try await race(90) { number in
            let item = SealedItem(
                name: [UInt8](repeating: UInt8(number), count: 32), revision: 1,
                expiry: TestPayment.instant.advanced(byMilliseconds: 1000), text: [1])
            return try await stores[number % 3].put(item, at: TestPayment.instant, in: group)
        }
        #expect(outcomes.count { $0 == .written } == 50)
        #expect(outcomes.count { $0 == .full } == 40)
    }

    @Test func `instances that prune at once remove together what one would`() async throws {
        let url = try PostgresServer.shared().url()
        let stores = try await race(3) { _ in try await PostgresStore(patiently: url) }
        let now = TestPayment.instant.advanced(byMilliseconds: 1000 * OrderRetention.keptMilliseconds)
        @Sendable func fixture(_ number: Int) -> CommitFixture {
            CommitFixture {
                $0.order = "order-\(number)"
                $0.instant = now.advanced(byMilliseconds: Int64(number - 500) * OrderRetention.keptMilliseconds)
            }
        }
        _ = try await race(150) { number in try await stores[0].commit(fixture(number)) }
        let removed = try await race(6) { number in
            try await stores[number % 3].prune(OrderRetention(ordersMax: 50), at: now, countMax: 1000)
        }
        #expect(removed.reduce(0, +) == 100)
        for number in 0..<150 {
            #expect(try await (stores[1].history(of: fixture(number).key) == nil) == (number < 100))
        }
    }

    @Test func `a transaction that writes shows that the store can`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        // One connection reads: another would be made after the table is gone, and prepares all statements at once.
        let store = try await PostgresStore(patiently: url, limits: PostgresStore.Limits(connectionsMax: 3))
        try await store.check(.reading)
        try await store.check(.writing)
        #expect(try server.query("SELECT sum(batch) FROM writers", schema: schema) == ["1"])
        try server.query("ALTER TABLE writers RENAME TO gone", schema: schema)
        try await store.check(.reading)
        await #expect(throws: StoreFailure.self) { try await store.check(.writing) }
        store.close()
        for aspect in StoreCheck.allCases {
            await #expect(throws: StoreFailure.unavailable(detail: "PostgreSQL: the store is closed")) {
                try await store.check(aspect)
            }
        }
    }

    @Test func `a reset waits for nobody who looks at the tables for long`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let store = try await PostgresStore(patiently: url)
        #expect(try await store.commit(CommitFixture()) == .committed)
        let backup = try server.locking("transactions", schema: schema, mode: "ACCESS SHARE")
        try await store.reset()
        #expect(try await store.history(of: CommitFixture().key) == nil)
        #expect(try await store.commit(CommitFixture()) == .committed)
        try server.end(applicationName: "locking \(schema)")
        backup.finish()
        try await store.reset()
        #expect(try await store.history(of: CommitFixture().key) == nil)
    }

    @Test func `a store that isn't open yet refuses its callers, and nothing is reset`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let first = try await PostgresStore(patiently: url)
        #expect(try await first.commit(CommitFixture()) == .committed)
        let mark = [UInt8](repeating: 1, count: 32)
        #expect(try await first.isKept(under: mark))

        let store = try PostgresStore(unopened: url)
        let refusal = StoreFailure.unavailable(detail: "PostgreSQL: the store is not open yet")
        await #expect(throws: refusal) { _ = try await store.history(of: CommitFixture().key) }
        await #expect(throws: refusal) { try await store.reset() }
        await #expect(throws: refusal) {
            _ = try await store.prune(OrderRetention(ordersMax: 0), at: TestPayment.instant, countMax: 1)
        }
        await #expect(throws: PostgresStore.OpenFailure.otherInstallation) {
            try await store.open(under: [UInt8](repeating: 2, count: 32))
        }
        await #expect(throws: refusal) { _ = try await store.commit(CommitFixture { $0.order = "another" }) }
        try await store.open(under: mark)
        #expect(try await first.history(of: CommitFixture().key) != nil)
    }

    // MARK: Refusals of the server

    @Test(arguments: ["40001", "40P01"])
    func `a transaction that lost against another one runs again`(sqlState: String) async throws {
        let (store, _) = try await Self.store(
            failing: "nextval('attempts') <= 3", with: sqlState, beforehand: "CREATE SEQUENCE attempts")
        let outcomes = try await race(20) { number in try await store.commit(CommitFixture { $0.order = "\(number)" }) }
        #expect(outcomes.allSatisfy { $0 == .committed })
    }

    @Test func `what the server refuses of one takes nothing from its neighbours`() async throws {
        let (store, server) = try await Self.store(failing: "NEW.order_id = 'order-7'", with: "23514")
        let outcomes = try await race(40) { number in
            do {
                return try await store.commit(CommitFixture { $0.order = "order-\(number)" }) == .committed
            } catch StoreFailure.unavailable(let detail) {
                #expect(detail == "PostgreSQL 23514: refused by the test" && number == 7)
                return false
            }
        }
        #expect(outcomes.count { $0 } == 39)
        withExtendedLifetime(server) {}
    }

    /// A store whose transactions are refused by a trigger, on a condition.
    private static func store(
        failing condition: String, with sqlState: String, beforehand: String = "SELECT"
    ) async throws -> (PostgresStore, PostgresServer) {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let store = try await PostgresStore(patiently: url)
        try server.query(
            """
            \(beforehand);
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF \(condition) THEN RAISE EXCEPTION 'refused by the test' USING ERRCODE = '\(sqlState)'; END IF;
            RETURN NEW; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION refuse()
            """, schema: try #require(url.split(separator: "%3D").last.map(String.init)))
        return (store, server)
    }

    @Test func `more callers than may wait are refused at once`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        #expect(try await PostgresStore(patiently: url).commit(CommitFixture()) == .committed)
        // Those who wait are to be refused before the lock goes.
        let store = try await PostgresStore(
            patiently: url, limits: .init(callersMax: 5), callerMilliseconds: Timing().callerMilliseconds)
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let lock = try server.locking("orders", schema: schema)
        let outcomes = try await race(25) { number in
            do {
                return try await store.commit(CommitFixture { $0.order = "order-\(number)-waiting" }) == .committed
                    ? "committed" : "refused"
            } catch StoreFailure.unavailable(let detail) { return detail }
        }
        #expect(outcomes.count { $0 == "PostgreSQL: too many wait for it" } == 20)
        try server.end(applicationName: "locking \(schema)")
        lock.finish()
        var outcome: CommitOutcome?
        while outcome == nil { outcome = try? await store.commit(CommitFixture { $0.order = "after" }) }
        #expect(outcome == .committed)
    }
}
