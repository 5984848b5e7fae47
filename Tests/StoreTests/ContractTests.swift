import JSON
import Payments
import TestSupport
import Testing

/// What every store keeps to.
@Suite(.serialized)
struct ContractTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `an empty store remembers nothing`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let fixture = CommitFixture()
        #expect(
            try await store.recall(fixture.transactionID, of: fixture.key)
                == Recollection(order: nil, transaction: nil))
        #expect(try await store.history(of: fixture.key) == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what was committed is recalled`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let fixture = CommitFixture()
        let commit = try await fixture.commit
        #expect(try await store.commit(commit) == .committed)
        let recorded = RecordedTransaction(transaction: commit.transaction, fingerprint: commit.fingerprint)
        #expect(
            try await store.recall(fixture.transactionID, of: fixture.key)
                == Recollection(order: commit.order, transaction: recorded))
        #expect(
            try await store.recall(TransactionID("2"), of: fixture.key)
                == Recollection(order: commit.order, transaction: nil))
        #expect(
            try await store.history(of: fixture.key)
                == OrderHistory(order: commit.order, transactions: [commit.transaction]))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an order has its latest state and its transactions from the oldest on`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        var commits: [Commit] = []
        // Neither the identifiers nor their order tell which came first.
        for (version, name) in ["b", "c", "a"].enumerated() {
            let commit = try await CommitFixture {
                $0.transaction = name
                $0.versionBefore = Int64(version)
                $0.status = version == 2 ? .authorized : .failed
            }.commit
            #expect(try await store.commit(commit) == .committed)
            commits.append(commit)
        }
        let history = try #require(try await store.history(of: CommitFixture().key))
        #expect(history.order == commits[2].order)
        #expect(history.transactions == commits.map(\.transaction))

        let recalled = try await store.recall(TransactionID("b"), of: CommitFixture().key)
        #expect(recalled.order == commits[2].order)
        #expect(recalled.transaction?.transaction.order == commits[0].order)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `large particulars come back whole, and a ledger has what operations are decided on`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        var commits: [Commit] = []
        // In the record, beside it, and beside it in a read of its own.
        for (version, byteCount) in [10, 5_000, 200_000, 20, 300_000].enumerated() {
            let commit = try await CommitFixture {
                $0.transaction = "\(version)"
                $0.versionBefore = Int64(version)
                $0.particulars = ["note": .string(String(repeating: "n", count: byteCount))]
            }.commit
            #expect(try await store.commit(commit) == .committed)
            commits.append(commit)
        }
        let key = try CommitFixture().key
        #expect(
            try await store.history(of: key)
                == OrderHistory(order: commits[4].order, transactions: commits.map(\.transaction)))
        #expect(
            try await store.ledger(of: key)
                == OrderLedger(order: commits[4].order, entries: commits.map { LedgerEntry($0.transaction) }))
        for commit in commits {
            let recalled = try await store.recall(commit.transaction.id, of: key)
            #expect(recalled.transaction?.transaction == commit.transaction)
        }
        #expect(try await store.ledger(of: CommitFixture { $0.order = "another" }.key) == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a store that was reset is as good as new`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let first = CommitFixture { $0.token = 1 }
        let second = CommitFixture {
            $0.order = "order-2"
            $0.token = 2
        }
        for fixture in [first, second] { #expect(try await store.commit(fixture) == .committed) }
        try await store.reset()
        for fixture in [first, second] {
            #expect(try await store.history(of: fixture.key) == nil)
            #expect(
                try await store.recall(fixture.transactionID, of: fixture.key)
                    == Recollection(order: nil, transaction: nil))
        }
        // Neither the identifiers nor the tokens are taken.
        let other = CommitFixture {
            $0.order = "order-2"
            $0.token = 1
        }
        for fixture in [first, other] {
            #expect(try await store.commit(fixture) == (fixture.order == "order-1" ? .committed : .tokenCredited))
        }
        try await store.reset()
        try await store.reset()
        #expect(try await store.history(of: first.key) == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a transaction is committed once`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(CommitFixture()) == .committed)
        for versionBefore in [0, 1, 2] as [Int64] {
            let outcome = try await store.commit(
                CommitFixture {
                    $0.versionBefore = versionBefore
                    $0.fingerprint = 2
                    $0.status = .authorized
                })
            #expect(outcome == .transactionExists)
        }
        let recalled = try await store.recall(TransactionID("1"), of: CommitFixture().key)
        #expect(recalled.transaction?.fingerprint == Array(repeating: 1, count: 32))
        #expect(recalled.order?.status == .failed)
    }

    @Test(arguments: StoreUnderTest.allCases, [0, 2, 3, 100] as [Int64])
    func `a decision on another version of the order is not committed`(
        kind: StoreUnderTest, versionBefore: Int64
    ) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(CommitFixture()) == .committed)
        let outcome = try await store.commit(
            CommitFixture {
                $0.transaction = "2"
                $0.versionBefore = versionBefore
                $0.token = 1
            })
        #expect(outcome == .orderMoved)
        #expect(try await store.history(of: CommitFixture().key)?.transactions.count == 1)
        let unspent = try await store.commit(
            CommitFixture {
                $0.order = "order-2"
                $0.token = 1
            })
        #expect(unspent == .committed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an order that isn't there has not been decided on`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(CommitFixture { $0.versionBefore = 1 }) == .orderMoved)
        #expect(try await store.history(of: CommitFixture().key) == nil)
    }

    static let presentedAgain = [
        CommitFixture {
            $0.transaction = "2"
            $0.versionBefore = 1
        },
        CommitFixture { $0.order = "order-2" },
        CommitFixture { $0.merchant = "OTHER" },
    ]

    @Test(arguments: StoreUnderTest.allCases, [true, false])
    func `a credited token is used by nobody again`(kind: StoreUnderTest, isCredited: Bool) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(CommitFixture { $0.token = 1 }) == .committed)
        for var again in Self.presentedAgain {
            again.token = 1
            again.isCredited = isCredited
            #expect(try await store.commit(again) == .tokenCredited)
        }
        #expect(try await store.history(of: CommitFixture().key)?.order.version == 1)
        #expect(try await store.history(of: CommitFixture { $0.order = "order-2" }.key) == nil)

        var other = Self.presentedAgain[1]
        other.token = 2
        #expect(try await store.commit(other) == .committed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a token that moved no money stays with its order`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for version in 0...1 as ClosedRange<Int64> {
            let declined = try await store.commit(
                CommitFixture {
                    $0.transaction = "declined \(version)"
                    $0.versionBefore = version
                    $0.token = 1
                    $0.isCredited = false
                })
            #expect(declined == .committed)
        }
        for (merchant, order) in [("TESTMERCHANT", "order-2"), ("OTHER", "order-1")] {
            let elsewhere = try await store.commit(
                CommitFixture {
                    $0.merchant = merchant
                    $0.order = order
                    $0.token = 1
                })
            #expect(elsewhere == .tokenPresentedElsewhere)
        }
        let approved = try await store.commit(
            CommitFixture {
                $0.transaction = "approved"
                $0.versionBefore = 2
                $0.token = 1
            })
        #expect(approved == .committed)
        let again = try await store.commit(
            CommitFixture {
                $0.transaction = "again"
                $0.versionBefore = 3
                $0.token = 1
                $0.isCredited = false
            })
        #expect(again == .tokenCredited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `identifiers are compared by their bytes`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for name in ["caf\u{E9}", "cafe\u{301}", "CAF\u{C9}", "café ", "'; DROP TABLE orders; --", "%"] {
            #expect(try await store.commit(CommitFixture { $0.order = name }) == .committed)
            #expect(try await store.commit(CommitFixture { $0.order = name }) == .transactionExists)
        }
        for (version, name) in ["x", "X", "x ", "x\u{301}"].enumerated() {
            let outcome = try await store.commit(
                CommitFixture {
                    $0.transaction = name
                    $0.versionBefore = Int64(version)
                })
            #expect(outcome == .committed)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of commits that race for a transaction one wins`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let outcomes = try await race(50) { _ in try await store.commit(CommitFixture()) }
        #expect(outcomes.count { $0 == .committed } == 1)
        #expect(outcomes.count { $0 == .transactionExists } == 49)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of commits that race for a version one wins`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let outcomes = try await race(50) { number in
            try await store.commit(CommitFixture { $0.transaction = "\(number)" })
        }
        #expect(outcomes.count { $0 == .committed } == 1)
        #expect(outcomes.count { $0 == .orderMoved } == 49)
        #expect(try await store.history(of: CommitFixture().key)?.transactions.count == 1)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of commits that race for a token one wins`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let outcomes = try await race(50) { number in
            try await store.commit(
                CommitFixture {
                    $0.order = "order-\(number)"
                    $0.token = 1
                })
        }
        #expect(outcomes.count { $0 == .committed } == 1)
        #expect(outcomes.count { $0 == .tokenCredited } == 49)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `commits that have nothing to do with each other all succeed`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let outcomes = try await race(500) { number in
            try await store.commit(CommitFixture { $0.order = "order-\(number)" })
        }
        #expect(outcomes.allSatisfy { $0 == .committed })
        for number in 0..<500 {
            let key = try CommitFixture { $0.order = "order-\(number)" }.key
            #expect(try await store.history(of: key)?.order.key == key)
        }
    }
}

/// Runs `count` tasks at once and gathers what they return.
func race<Outcome: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Outcome
) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
