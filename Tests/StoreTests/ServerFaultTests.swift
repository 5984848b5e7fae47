import Glibc
import Payments
@testable import PostgresStore
import Synchronization
import TestSupport
import Testing
import Vault

/// A server that goes away, and connections that are cut.
@Suite(.serialized)
struct ServerFaultTests {
    /// Presents commits again and again until each is answered, and holds every answer against what must be so.
    private struct Client {
        let stores: [PostgresStore]
        let commits: [Commit]

        /// Commits all, from eight tasks a store, and returns how often nothing was answered.
        func run() async throws -> Int {
            try await race(stores.count * 8) { task in
                var failures = 0
                for number in stride(from: task, to: commits.count, by: stores.count * 8) {
                    failures += try await present(commits[number], to: stores[task % stores.count])
                }
                return failures
            }.reduce(0, +)
        }

        private func present(_ commit: Commit, to store: PostgresStore) async throws -> Int {
            var failures = 0
            while true {
                do throws(StoreFailure) {
                    let outcome = try await store.commit(commit)
                    // Nobody else presents it: it is there already only if an attempt that was not answered was done.
                    #expect(outcome == .committed || (outcome == .transactionExists && failures > 0), "\(outcome)")
                    return failures
                } catch {
                    guard case .unavailable = error else { throw error }
                    failures += 1
                }
            }
        }

        /// Every commit is there, once, and no other.
        func check(_ server: PostgresServer, schema: String) async throws {
            for commit in commits {
                let history = try await untilAnswered { try await stores[0].history(of: commit.order.key) }
                #expect(history?.transactions == [commit.transaction])
            }
            let counts = try ["orders", "transactions", "tokens"].map {
                try server.query("SELECT count(*) FROM \($0)", schema: schema)
            }
            #expect(counts == Array(repeating: ["\(commits.count)"], count: 3))
        }
    }

    private static func client(_ server: PostgresServer, _ url: String) async throws -> Client {
        let stores = try await race(2) { _ in try await PostgresStore(patiently: url) }
        let commits = try await race(240) { number in
            try await CommitFixture {
                $0.order = "order-\(number)"
                $0.token = UInt8(number)
            }.commit
        }
        return Client(stores: stores, commits: commits)
    }

    @Test func `connections that the server ends lose nothing and double nothing`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let client = try await Self.client(server, url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let isDone = Flag()
            group.addTask {
                _ = try await client.run()
                isDone.raise()
            }
            group.addTask {
                repeat {
                    // Those of this test's stores; no other has that name.
                    try server.end(applicationName: schema)
                } while !isDone.isRaised
            }
            try await group.waitForAll()
        }
        try await client.check(server, schema: schema)
    }

    @Test func `a server that is killed loses nothing that was acknowledged`() async throws {
        let server = try PostgresServer()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let client = try await Self.client(server, url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await client.run() }
            group.addTask {
                for _ in 0..<3 {
                    server.kill()
                    try server.start()
                }
            }
            try await group.waitForAll()
        }
        try await client.check(server, schema: schema)
    }

    @Test func `a server that is away is unavailable, and is found when it is back`() async throws {
        let server = try PostgresServer()
        let store = try await Self.storeWithOneOrder(server.url())
        server.kill()
        for asking in Self.questions {
            let failure = await #expect(throws: StoreFailure.self) { try await asking(store) }
            guard case .unavailable = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        try server.start()
        try await untilAnswered { try await store.recall(CommitFixture().transactionID, of: CommitFixture().key) }
        let next = try await untilAnswered { try await store.commit(CommitFixture { $0.order = "next" }) }
        #expect(next == .committed || next == .transactionExists)
        let history = try await untilAnswered { try await store.history(of: CommitFixture().key) }
        #expect(history?.transactions.count == 1)
    }

    @Test func `a server that hangs is unavailable, and serves again when it goes on`() async throws {
        let server = try PostgresServer()
        let store = try await Self.storeWithOneOrder(server.url())
        server.signal(SIGSTOP)
        for asking in Self.questions {
            let failure = await #expect(throws: StoreFailure.self) { try await asking(store) }
            guard case .unavailable = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        server.signal(SIGCONT)
        let next = try await untilAnswered { try await store.commit(CommitFixture { $0.order = "next" }) }
        #expect(next == .committed || next == .transactionExists)
    }

    /// A store that was opened with patience and refuses callers after the default time.
    private static func storeWithOneOrder(_ url: String) async throws -> PostgresStore {
        #expect(try await PostgresStore(patiently: url).commit(CommitFixture()) == .committed)
        let store = try await PostgresStore(
            patiently: url, answerMilliseconds: Timing().answerMilliseconds,
            callerMilliseconds: Timing().callerMilliseconds)
        // On the connections that it has when the server goes away.
        let again = try await untilAnswered { try await store.commit(CommitFixture()) }
        #expect(again == .transactionExists)
        return store
    }

    private static let questions: [@Sendable (PostgresStore) async throws -> Void] = [
        { _ = try await $0.commit(CommitFixture { $0.order = "away" }) },
        { _ = try await $0.recall(CommitFixture().transactionID, of: CommitFixture().key) },
        { _ = try await $0.history(of: CommitFixture().key) },
        { _ = try await $0.remove([UInt8](repeating: 1, count: 32)) },
    ]

    // MARK: The moment of the commit

    @Test(arguments: CuttingProxy.Cut.allCases)
    func `a commit whose answer is lost is looked up and told once`(cut: CuttingProxy.Cut) async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let proxy = try CuttingProxy(to: server)
        defer { proxy.stop() }
        let store = try await PostgresStore(patiently: proxy.url(schema: schema), answerMilliseconds: 1000)
        #expect(try await store.commit(CommitFixture()) == .committed)
        for number in 1...5 {
            proxy.arm(cut)
            let outcome = try await store.commit(
                CommitFixture {
                    $0.order = "cut-\(number)"
                    $0.token = UInt8(number)
                })
            #expect(outcome == .committed)
            #expect(!proxy.isArmed, "nothing was cut")
        }
        #expect(try server.query("SELECT count(*) FROM transactions", schema: schema) == ["6"])
        #expect(try server.query("SELECT count(*) FROM tokens", schema: schema) == ["5"])
    }
}

@discardableResult
private func untilAnswered<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    while true {
        do { return try await body() } catch StoreFailure.unavailable {}
    }
}

/// Raised by one task and seen by another.
private final class Flag: Sendable {
    private let state = Atomic<Bool>(false)

    var isRaised: Bool { state.load(ordering: .acquiring) }

    func raise() { state.store(true, ordering: .releasing) }
}
