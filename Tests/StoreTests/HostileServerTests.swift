import Foundation
import Glibc
import Payments
@testable import PostgresStore
import TestSupport
import Testing
import Values
import Vault

/// A server, or what pretends to be one, that doesn't keep the protocol, or doesn't know its measure.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct HostileServerTests {
    private typealias Server = ScriptedServer

    private static func connection(
        to server: ScriptedServer, preparing preparation: [Query] = [], milliseconds: Int = 60_000
    ) throws -> Connection {
        var timing = Timing(
            answerMilliseconds: milliseconds, connectMilliseconds: milliseconds, triesConnectingOnce: true)
        timing.administrationMilliseconds = milliseconds
        return Connection(to: try ServerAddress(url: server.url), preparing: preparation, timing: timing, label: "test")
    }

    /// What comes of questions that are asked on a new connection.
    private static func ask(
        _ server: ScriptedServer, _ queries: [Query] = [.text("first"), .run(.begin), .prepare(.commit)],
        preparing preparation: [Query] = [], milliseconds: Int = 60_000
    ) async throws -> [QueryResult] {
        let connection = try connection(to: server, preparing: preparation, milliseconds: milliseconds)
        return try await connection.exchange(queries, connectingBy: Deadline(afterMilliseconds: 60_000))
    }

    /// Why questions are not answered; the connection is given up, so that the next ones are asked on another.
    private static func loss(_ script: @escaping @Sendable (ScriptedServer.Pipeline) -> ScriptedServer.Answer)
        async throws
        -> String
    {
        let server = try ScriptedServer(script: script)
        defer { server.stop() }
        let failure = await #expect(throws: ExchangeFailure.self) { _ = try await ask(server) }
        guard case .lost(let detail) = failure else { return "\(String(describing: failure))" }
        return detail
    }

    @Test func `a server that keeps the protocol is answered by, again and again`() async throws {
        let server = try ScriptedServer { .bytes(Server.lawful($0)) }
        defer { server.stop() }
        let connection = try Self.connection(to: server, preparing: [.prepare(.begin), .text("preparation")])
        for _ in 0..<50 {
            let results = try await connection.exchange(
                [.text("one"), .prepare(.commit), .run(.begin)], connectingBy: Deadline(afterMilliseconds: 60_000))
            #expect(results.map(\.rowCount) == [1, 0, 1])
            #expect(try results[2].integer(0, 0) == 1)
        }
    }

    // MARK: Numbers of answers

    @Test(arguments: [0, 1, 2, 4, 5, 100])
    func `another number of answers than of questions is no answer`(count: Int) async throws {
        let detail = try await Self.loss { _ in
            .bytes((0..<count).flatMap { _ in Server.answered(.run(""), 1) } + Server.ready)
        }
        // A result is no answer to a statement that is being prepared, which needs its own.
        #expect(detail.contains("answers to 3 questions"), "\(detail)")
    }

    @Test func `answers that go on after an error are none`() async throws {
        for count in [1, 3, 50] {
            let detail = try await Self.loss { pipeline in
                .bytes(
                    pipeline.flatMap { Server.answered($0, 1) }
                        + (0..<count).flatMap { _ in Server.complete("SELECT 1") } + Server.error("40001")
                        + Server.ready)
            }
            #expect(detail.contains("answers to 3 questions"), "\(detail)")
        }
    }

    @Test(arguments: 0...3)
    func `an error is of the question that it stands for, or of the end`(number: Int) async throws {
        let server = try ScriptedServer { pipeline in
            .bytes(pipeline.prefix(number).flatMap { Server.answered($0, 1) } + Server.error("40001") + Server.ready)
        }
        defer { server.stop() }
        let error = ServerError(sqlState: "40001", message: "refused")
        await #expect(throws: ExchangeFailure.refused(error, query: number)) { _ = try await Self.ask(server) }
    }

    @Test func `a preparation that isn't answered is no connection`() async throws {
        let server = try ScriptedServer { _ in .bytes(Server.ready) }
        defer { server.stop() }
        let failure = await #expect(throws: ExchangeFailure.self) {
            _ = try await Self.ask(server, preparing: [.prepare(.begin), .text("preparation")])
        }
        #expect(failure == .unsent(detail: "PostgreSQL: 0 answers to 2 questions"))
    }

    @Test func `a store isn't opened on a server that answers nothing`() async throws {
        let server = try ScriptedServer { _ in .bytes(Server.ready) }
        defer { server.stop() }
        await #expect(throws: PostgresStore.OpenFailure.unreachable(detail: "PostgreSQL: 0 answers to 2 questions")) {
            _ = try await PostgresStore(patiently: server.url)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1])
    func `a store isn't opened on a server that forgets every step`(number: Int64) async throws {
        let server = try ScriptedServer { .bytes(Server.lawful($0, number)) }
        defer { server.stop() }
        await #expect(
            throws: PostgresStore.OpenFailure.database(detail: "the table of migrations forgets steps")
        ) { _ = try await PostgresStore(patiently: server.url) }
    }

    // MARK: What nobody asked for

    @Test(arguments: ["G", "H", "W"] as [Character])
    func `a server that copies is given up`(type: Character) async throws {
        let detail = try await Self.loss { _ in
            .bytes(Server.message("1") + Server.message("2") + Server.message(type, [0, 0, 0]) + Server.ready)
        }
        #expect(detail == "PostgreSQL: the server began an unsolicited COPY")
    }

    @Test(arguments: [256, 1 << 20])
    func `rows without end are cut off long before their time`(valueBytes: Int) async throws {
        let row = Server.row([UInt8](repeating: 1, count: valueBytes))
        let rows = Array(repeating: row, count: max(1, (1 << 20) / row.count)).flatMap(\.self)
        let server = try ScriptedServer { pipeline in
            guard pipeline == [.text("more")] else {
                return .endless(Server.message("2") + Server.columns() + rows)
            }
            return .bytes(Server.lawful(pipeline))
        }
        defer { server.stop() }
        let connection = try Self.connection(to: server)
        let limit = Deadline(afterMilliseconds: 60_000)
        let bytesMax = ReceivedBytes.answersMax
        await #expect(
            throws: ExchangeFailure.lost(
                detail: "PostgreSQL: the server sent more than \(bytesMax) bytes where an answer was due")
        ) { _ = try await connection.exchange([.run(.begin)], connectingBy: limit, milliseconds: 600_000) }
        // What libpq took in one piece, and what the kernel still held, come on top.
        #expect(server.sentBytes < 1 << 29)
        #expect(try await connection.exchange([.text("more")], connectingBy: limit).count == 1)
    }

    @Test func `a lawful answer may have as many bytes as are told`() async throws {
        let bytes = ReceivedBytes.answersMax / 2 - 1024
        let server = try ScriptedServer { _ in
            .bytes(
                Server.message("2") + Server.columns() + Server.row([UInt8](repeating: 1, count: bytes))
                    + Server.complete("SELECT 1") + Server.ready)
        }
        defer { server.stop() }
        #expect(try await Self.ask(server, [.run(.begin)])[0].bytes(0, 0).count == bytes)
    }

    private static let remarks = [
        "notification": Server.notification(10), "notice": Server.notice, "setting": Server.setting("TimeZone"),
    ]

    @Test(arguments: remarks.keys.sorted())
    func `remarks without end end at the deadline`(kind: String) async throws {
        let remark = try #require(Self.remarks[kind])
        let server = try ScriptedServer { _ in .endless(remark, pauseMicroseconds: 1000) }
        defer { server.stop() }
        await #expect(throws: ExchangeFailure.lost(detail: "PostgreSQL: the server didn't answer in time")) {
            _ = try await Self.ask(server, [.run(.begin)], milliseconds: 500)
        }
    }

    @Test(arguments: remarks.keys.sorted())
    func `a flood of remarks is cut off`(kind: String) async throws {
        let remark = try #require(Self.remarks[kind])
        let flood = Array(repeating: remark, count: 10_000).flatMap(\.self)
        let server = try ScriptedServer { _ in .endless(flood) }
        defer { server.stop() }
        let failure = await #expect(throws: ExchangeFailure.self) { _ = try await Self.ask(server, [.run(.begin)]) }
        guard case .lost(let detail) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(detail.hasSuffix("bytes where an answer was due"))
    }

    /// More of them than ``ReceivedBytes/unaskedMax`` has room for, each with a name of its own.
    private static let settings = (0..<2500).flatMap {
        Server.setting("setting \($0) " + String(repeating: "x", count: 1000))
    }

    @Test func `a greeting without end is cut off`() async throws {
        let server = try ScriptedServer(greeting: Self.settings) { .bytes(Server.lawful($0)) }
        defer { server.stop() }
        let failure = await #expect(throws: ExchangeFailure.self) { _ = try await Self.ask(server) }
        guard case .unsent(let detail) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(detail.hasSuffix("\(ReceivedBytes.unaskedMax) bytes where an answer was due"))
    }

    @Test func `a connection is given up that tells without end while it is idle`() async throws {
        let flood = Self.settings
        let server = try ScriptedServer { pipeline in .bytes(Server.lawful(pipeline) + flood) }
        defer { server.stop() }
        let connection = try Self.connection(to: server)
        _ = try await connection.exchange([.run(.begin)], connectingBy: Deadline(afterMilliseconds: 60_000))
        // It goes on only where it was begun: on a connection that isn't there any more.
        var failure: ExchangeFailure?
        while failure == nil {
            try await Task.sleep(for: .milliseconds(50))
            do throws(ExchangeFailure) {
                _ = try await connection.exchange([.run(.begin)], connectingBy: nil)
            } catch { failure = error }
        }
        #expect(failure?.failure == .unavailable(detail: "PostgreSQL: the connection was lost"))
    }

    @Test func `notifications don't pile up`() async {
        // In a process of its own, as others of this one take memory, too.
        await #expect(processExitsWith: .success) {
            let bytes = try await HostileServerTests.bytesKept(afterNotificationsOf: 700_000_000)
            #expect(bytes < 350_000_000)
        }
    }

    /// How many more bytes are resident once so many were told.
    private static func bytesKept(afterNotificationsOf bytes: Int) async throws -> Int {
        let notifications = Array(repeating: Server.notification(7000), count: 500).flatMap(\.self)
        let server = try ScriptedServer { .bytes(notifications + Server.lawful($0)) }
        defer { server.stop() }
        let connection = try connection(to: server)
        func tell() async throws {
            _ = try await connection.exchange([.run(.begin)], connectingBy: Deadline(afterMilliseconds: 60_000))
        }
        try await tell()
        let before = try residentBytes()
        for _ in 0..<(bytes / notifications.count) { try await tell() }
        return try residentBytes() - before
    }

    /// proc(5), statm: the second number counts pages.
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(text.split(separator: " ")[1])) * sysconf(Int32(_SC_PAGESIZE))
    }

    // MARK: A store

    /// What comes of asking a store whose server has an empty database, but for what `broken` makes of it.
    ///
    /// - Parameter callerMilliseconds: until when the store retries if it gets no credible answer.
    private static func ask(
        _ ask: (PostgresStore) async throws -> Void, callerMilliseconds: Int = 120_000,
        broken: @escaping @Sendable (ScriptedServer.Pipeline) -> ScriptedServer.Answer?
    ) async throws -> StoreFailure? {
        let server = try ScriptedServer { pipeline in
            broken(pipeline) ?? .bytes(pipeline.flatMap { answer($0) } + Server.ready)
        }
        defer { server.stop() }
        var timing = Timing(
            callerMilliseconds: callerMilliseconds, answerMilliseconds: 60_000, connectMilliseconds: 60_000)
        timing.administrationMilliseconds = 60_000
        let store = try await PostgresStore(at: ServerAddress(url: server.url), limits: .init(), timing: timing)
        defer { store.close() }
        return await #expect(throws: StoreFailure.self) { try await ask(store) }
    }

    private static func answer(_ question: ScriptedServer.Question) -> [UInt8] {
        switch question {
        case .text(Schema.stepsTaken): Server.answered(question, Int64(Schema.steps.count))
        case .run("advanceWriter"), .run("addWriter"): Server.answered(question, nil, tag: "UPDATE 1")
        case orderCount: Server.answered(question, 0)
        case .run("commit"): Server.answered(question, nil, tag: "COMMIT")
        default: Server.answered(question, nil, tag: "SELECT 0")
        }
    }

    private static let orderCount = ScriptedServer.Question.text("SELECT orders FROM pruning FOR UPDATE")
    private static let item = SealedItem(
        name: [UInt8](repeating: 1, count: 32), revision: 1, expiry: TestPayment.instant, text: [1])
    private static let put: @Sendable (PostgresStore) async throws -> Void = {
        _ = try await $0.put(item, at: TestPayment.instant, in: SealedGroup(name: item.name, countMax: 10))
    }
    private static let removeExpired: @Sendable (PostgresStore) async throws -> Void = {
        _ = try await $0.removeExpired(at: TestPayment.instant, countMax: 10)
    }
    private static let prune: @Sendable (PostgresStore) async throws -> Void = {
        _ = try await $0.prune(OrderRetention(ordersMax: 1), at: TestPayment.instant, countMax: 10)
    }

    private static let questions:
        [(broken: ScriptedServer.Question, ask: @Sendable (PostgresStore) async throws -> Void)] = [
            (.run("addWriter"), { _ = try await $0.commit(CommitFixture()) }),
            (.run("begin"), { _ = try await $0.commit(CommitFixture()) }),
            (.run("commit"), { _ = try await $0.commit(CommitFixture()) }),
            (.run("begin"), put), (.run("commit"), put), (.run("begin"), removeExpired),
            (.run("recall"), { _ = try await $0.recall(CommitFixture().transactionID, of: CommitFixture().key) }),
            (.run("history"), { _ = try await $0.history(of: CommitFixture().key) }),
            (.run("findItem"), { _ = try await $0.item(item.name) }),
            (.text("UPDATE pruning SET orders = 0"), { try await $0.reset() }),
            (.text(Schema.findMark), { _ = try await $0.isKept(under: [1]) }), (orderCount, prune),
            (orderCount, { try await $0.reset(MerchantID("TESTMERCHANT"), groups: []) }),
        ]

    @Test(arguments: questions.indices, [Server.ready, Server.message("G", [0, 0, 0])])
    func `a store is unavailable whose server doesn't answer what was asked`(index: Int, said: [UInt8]) async throws {
        let (broken, ask) = Self.questions[index]
        let failure = try await Self.ask(ask, callerMilliseconds: 500) { $0.contains(broken) ? .bytes(said) : nil }
        guard case .unavailable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(arguments: [
        ("DELETE 9223372036854775807", removeExpired), ("DELETE 11", removeExpired),
        ("DELETE 9223372036854775807", put), ("DELETE 65", put),
    ])
    func `a server that removes more than it was told is damaged`(
        tag: String, ask: @Sendable (PostgresStore) async throws -> Void
    ) async throws {
        let failure = try await Self.ask(ask) { pipeline in
            let removals = [ScriptedServer.Question.run("removeExpiredItems"), .run("removeExpiredItemsOfGroups")]
            guard pipeline.contains(where: removals.contains) else { return nil }
            return .bytes(
                pipeline.flatMap { question in
                    removals.contains(question)
                        ? Server.answered(question, nil, tag: tag) : Self.answer(question)
                } + Server.ready)
        }
        guard case .damaged = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(arguments: [Int64.min, -1])
    func `a server that keeps fewer orders than none is damaged`(number: Int64) async throws {
        let failure = try await Self.ask(Self.prune) { pipeline in
            guard pipeline.contains(Self.orderCount) else { return nil }
            return .bytes(Server.lawful(pipeline, number))
        }
        guard case .damaged = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a server whose orders are never there when they are to go is given up`() async throws {
        let id = Array("id".utf8)
        let server = try ScriptedServer { pipeline in
            .bytes(
                pipeline.flatMap { question in
                    switch question {
                    case Self.orderCount: Server.answered(question, 10)
                    case .text(let sql) where sql.hasPrefix("SELECT merchant, id, version FROM orders"):
                        Server.answered(
                            question, rows: Server.columns(3) + Server.row(id, id, Server.bigEndian(Int64(1))))
                    case .text(Statement.lockOrders.sql):
                        Server.answered(question, rows: Server.columns(2) + Server.row(id, Server.bigEndian(Int64(2))))
                    default: Self.answer(question)
                    }
                } + Server.ready)
        }
        defer { server.stop() }
        let store = try await PostgresStore(patiently: server.url)
        #expect(
            try await store.prune(OrderRetention(ordersMax: 1), at: TestPayment.instant, countMax: 10) == 0)
    }
}
