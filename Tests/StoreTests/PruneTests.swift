import Payments
import TestSupport
import Testing
import Values

/// How every store forgets orders that are too old or too many.
@Suite(.serialized)
struct PruneTests {
    private static let dayMilliseconds = OrderRetention.keptMilliseconds
    private static let now = TestPayment.instant.advanced(byMilliseconds: 1000 * dayMilliseconds)
    private static let days30 = OrderRetention(daysMax: 30)

    /// The instant so many days before ``now``.
    private static func ago(_ days: Double) -> Instant {
        now.advanced(byMilliseconds: -Int64(days * Double(dayMilliseconds)))
    }

    /// An order of so many days.
    private static func fixture(_ order: String, days: Double, token: UInt8? = nil) -> CommitFixture {
        CommitFixture {
            $0.order = order
            $0.instant = ago(days)
            $0.token = token
        }
    }

    /// Which of some orders a store has.
    private static func kept(_ orders: [String], in store: any PaymentStore) async throws -> [String] {
        var kept: [String] = []
        for order in orders {
            if try await store.history(of: fixture(order, days: 0).key) != nil { kept.append(order) }
        }
        return kept
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `orders that are too old go with their transactions, and others stay`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let ages = [("a", 400), ("b", 30.0001), ("c", 30), ("d", 1)]
        for (order, days) in ages { #expect(try await store.commit(Self.fixture(order, days: days)) == .committed) }
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 2)
        #expect(try await Self.kept(ages.map(\.0), in: store) == ["c", "d"])
        let gone = try await store.recall(TransactionID("1"), of: Self.fixture("a", days: 0).key)
        #expect(gone == Recollection(order: nil, transaction: nil))
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 0)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an order is as old as its last transaction`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for order in ["captured", "left"] {
            #expect(try await store.commit(Self.fixture(order, days: 400)) == .committed)
        }
        var capture = Self.fixture("captured", days: 29)
        capture.transaction = "2"
        capture.versionBefore = 1
        #expect(try await store.commit(capture) == .committed)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        #expect(try await store.history(of: capture.key)?.transactions.count == 2)
        #expect(try await Self.kept(["left"], in: store) == [])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the oldest go first, as many at once as were asked for`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let orders = (0..<100).map { "order-\($0)" }
        for (number, order) in orders.enumerated() {
            #expect(try await store.commit(Self.fixture(order, days: 500 - Double(number))) == .committed)
        }
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 0) == 0)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 40) == 40)
        #expect(try await Self.kept(orders, in: store) == Array(orders[40...]))
        // What was committed between two turns changes nothing for what is older.
        #expect(try await store.commit(Self.fixture("late", days: 40)) == .committed)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 40) == 40)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 40) == 21)
        #expect(try await Self.kept(orders + ["late"], in: store) == [])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `beyond a count the oldest go, but none within a day of its last transaction`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        let orders = ["a", "b", "c", "d", "e"]
        for (order, days) in zip(orders, [9, 8, 7, 1, 0.5]) {
            #expect(try await store.commit(Self.fixture(order, days: days)) == .committed)
        }
        #expect(try await store.prune(OrderRetention(ordersMax: 5), at: Self.now, countMax: 100) == 0)
        #expect(try await store.prune(OrderRetention(ordersMax: 4), at: Self.now, countMax: 100) == 1)
        #expect(try await Self.kept(orders, in: store) == ["b", "c", "d", "e"])
        #expect(try await store.prune(OrderRetention(ordersMax: 0), at: Self.now, countMax: 100) == 2)
        #expect(try await Self.kept(orders, in: store) == ["d", "e"])
        // The count is right again after a reset.
        try await store.reset()
        for (order, days) in zip(orders, [9, 8, 7, 6, 5] as [Double]) {
            #expect(try await store.commit(Self.fixture(order, days: days)) == .committed)
        }
        #expect(try await store.prune(OrderRetention(ordersMax: 3), at: Self.now, countMax: 100) == 2)
        #expect(try await Self.kept(orders, in: store) == ["c", "d", "e"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of two rules each holds`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let orders = ["a", "b", "c", "d"]
        for (order, days) in zip(orders, [60, 50, 20, 10] as [Double]) {
            #expect(try await store.commit(Self.fixture(order, days: days)) == .committed)
        }
        let roomy = OrderRetention(daysMax: 30, ordersMax: 100)
        #expect(try await store.prune(roomy, at: Self.now, countMax: 1) == 1)
        #expect(try await Self.kept(orders, in: store) == ["b", "c", "d"])
        #expect(try await store.prune(OrderRetention(daysMax: 30, ordersMax: 1), at: Self.now, countMax: 100) == 2)
        #expect(try await Self.kept(orders, in: store) == ["d"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a store that keeps all keeps all`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(Self.fixture("a", days: 900)) == .committed)
        #expect(try await store.prune(OrderRetention(), at: Self.now, countMax: 100) == 0)
        #expect(try await Self.kept(["a"], in: store) == ["a"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an order of the future stays`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(Self.fixture("a", days: -400)) == .committed)
        let all = OrderRetention(daysMax: 1, ordersMax: 0)
        #expect(try await store.prune(all, at: Self.now, countMax: 100) == 0)
        #expect(try await Self.kept(["a"], in: store) == ["a"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a credited token is used by nobody again, its order gone or not`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(Self.fixture("a", days: 400, token: 1)) == .committed)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        for order in ["a", "b"] {
            for isCredited in [true, false] {
                var again = Self.fixture(order, days: 0, token: 1)
                again.isCredited = isCredited
                #expect(try await store.commit(again) == .tokenCredited)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases, ["a", "b"])
    func `a token that moved no money is free once its order has gone`(
        kind: StoreUnderTest, order: String
    ) async throws {
        let store = try await kind.opened()
        var declined = Self.fixture("a", days: 400, token: 1)
        declined.isCredited = false
        #expect(try await store.commit(declined) == .committed)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)

        // Presented again it stays with the order that it is presented for.
        var again = Self.fixture(order, days: 0, token: 1)
        again.isCredited = false
        #expect(try await store.commit(again) == .committed)
        #expect(try await store.commit(Self.fixture("c", days: 0, token: 1)) == .tokenPresentedElsewhere)
        var approved = Self.fixture(order, days: 0, token: 1)
        approved.transaction = "2"
        approved.versionBefore = 1
        #expect(try await store.commit(approved) == .committed)
        #expect(try await store.commit(Self.fixture("c", days: 0, token: 1)) == .tokenCredited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what was decided on an order that went finds that it has moved`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(Self.fixture("a", days: 400)) == .committed)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        var capture = Self.fixture("a", days: 0)
        capture.transaction = "2"
        capture.versionBefore = 1
        #expect(try await store.commit(capture) == .orderMoved)
        // The identifiers are free.
        #expect(try await store.commit(Self.fixture("a", days: 0)) == .committed)
        #expect(try await store.history(of: capture.key)?.transactions.count == 1)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an order that is committed to while others go stays or goes as a whole`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let orders = (0..<200).map { "order-\($0)" }
        for order in orders { #expect(try await store.commit(Self.fixture(order, days: 400)) == .committed) }
        let outcomes = try await withThrowingTaskGroup(of: (String, CommitOutcome)?.self) { group in
            group.addTask {
                while try await store.prune(Self.days30, at: Self.now, countMax: 10) > 0 {}
                return nil
            }
            for order in orders {
                group.addTask {
                    var capture = Self.fixture(order, days: 0)
                    capture.transaction = "2"
                    capture.versionBefore = 1
                    return (order, try await store.commit(capture))
                }
            }
            return try await group.reduce(into: [String: CommitOutcome]()) { outcomes, outcome in
                if let outcome { outcomes[outcome.0] = outcome.1 }
            }
        }
        for order in orders {
            let history = try await store.history(of: Self.fixture(order, days: 0).key)
            switch outcomes[order] {
            case .committed: #expect(history?.transactions.map(\.id.text) == ["1", "2"])
            case .orderMoved: #expect(history == nil)
            default: Issue.record("\(order): \(String(describing: outcomes[order]))")
            }
        }
    }
}
