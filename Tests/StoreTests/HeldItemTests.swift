import Payments
import TestSupport
import Testing
import Values
import Vault

/// What every store keeps for orders that hold sealed items.
@Suite(.serialized)
struct HeldItemTests {
    private static let now = TestPayment.instant.advanced(byMilliseconds: 1000 * OrderRetention.keptMilliseconds)
    private static let days30 = OrderRetention(daysMax: 30)

    private static func ago(_ days: Double) -> Instant {
        now.advanced(byMilliseconds: -Int64(days * Double(OrderRetention.keptMilliseconds)))
    }

    private static func item(_ name: UInt8) -> SealedItem {
        SealedItem(name: [UInt8](repeating: name, count: 32), revision: 1, expiry: nil, text: [name])
    }

    private static func group(countMax: Int = 100, followsOrders: Bool = true) -> SealedGroup {
        SealedGroup(name: [UInt8](repeating: 200, count: 32), countMax: countMax, followsOrders: followsOrders)
    }

    private static func new(_ name: UInt8, countMax: Int = 100) -> HeldItem {
        .new(item(name), in: group(countMax: countMax))
    }

    private static func kept(_ name: UInt8) -> HeldItem { .kept(name: item(name).name) }

    private static func fixture(_ order: String, days: Double = 0, _ items: HeldItem...) -> CommitFixture {
        CommitFixture {
            $0.order = order
            $0.instant = ago(days)
            $0.items = items
        }
    }

    /// Which of some items a store has.
    private static func found(_ names: [UInt8], in store: any SealedStore) async throws -> [UInt8] {
        var found: [UInt8] = []
        for name in names { if try await store.item(item(name).name) != nil { found.append(name) } }
        return found
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `items are written with their order, or neither is`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.commit(Self.fixture("a", Self.new(1), Self.new(2))) == .committed)
        #expect(try await store.item(Self.item(1).name) == Self.item(1))
        #expect(try await store.commit(Self.fixture("a", Self.new(3))) == .transactionExists)
        var later = Self.fixture("a", Self.new(3))
        (later.transaction, later.versionBefore) = ("2", 7)
        #expect(try await store.commit(later) == .orderMoved)
        #expect(try await store.commit(Self.fixture("b", Self.new(3), Self.new(2))) == .itemMoved)
        #expect(try await store.commit(Self.fixture("b", Self.new(3), Self.kept(4))) == .itemMoved)
        #expect(try await Self.found([1, 2, 3, 4], in: store) == [1, 2])
        #expect(try await store.history(of: Self.fixture("b").key) == nil)
        #expect(try await store.commit(Self.fixture("b", Self.new(3), Self.kept(2))) == .committed)
        // An item is an order's however often it holds it, and may be changed.
        later.versionBefore = 1
        later.items = [Self.kept(1), Self.kept(2)]
        #expect(try await store.commit(later) == .committed)
        let changed = SealedItem(name: Self.item(1).name, revision: 2, expiry: nil, text: [9])
        #expect(try await store.put(changed, at: Self.now, in: Self.group()) == .written)
        #expect(try await store.item(changed.name) == changed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `held items count in their group, and leave room when they go`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let full = CommitOutcome.groupFull(name: Self.group().name)
        #expect(try await store.put(Self.item(1), at: Self.now, in: Self.group(countMax: 3)) == .written)
        #expect(try await store.commit(Self.fixture("a", days: 40, Self.new(2, countMax: 3))) == .committed)
        let both = Self.fixture("b", Self.new(3, countMax: 3), Self.new(4, countMax: 3))
        #expect(try await store.commit(both) == full)
        #expect(try await store.history(of: both.key) == nil)
        #expect(try await store.commit(Self.fixture("c", Self.new(3, countMax: 3))) == .committed)
        #expect(try await store.commit(Self.fixture("d", Self.new(4, countMax: 3))) == full)
        #expect(try await store.put(Self.item(4), at: Self.now, in: Self.group(countMax: 3)) == .full)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        #expect(try await Self.found([1, 2, 3], in: store) == [1, 3])
        #expect(try await store.commit(Self.fixture("d", Self.new(4, countMax: 3))) == .committed)
        #expect(try await store.commit(Self.fixture("e", Self.new(5, countMax: 3))) == full)
        try await store.reset()
        #expect(try await store.commit(Self.fixture("f", Self.new(1, countMax: 1))) == .committed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an item goes with the last order that holds it`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.put(Self.item(3), at: Self.ago(400), in: Self.group()) == .written)
        #expect(
            try await store.commit(Self.fixture("a", days: 400, Self.new(1), Self.new(2), Self.kept(3))) == .committed)
        #expect(try await store.commit(Self.fixture("b", days: 20, Self.kept(2), Self.kept(3))) == .committed)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        #expect(try await Self.found([1, 2, 3], in: store) == [2, 3])
        #expect(try await store.prune(OrderRetention(ordersMax: 0), at: Self.now, countMax: 100) == 1)
        #expect(try await Self.found([2, 3], in: store) == [])
        // The names are free.
        #expect(try await store.commit(Self.fixture("c", Self.new(1), Self.new(3))) == .committed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what no order ever held goes when it is as old as an order may be, if it follows orders`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        for (name, days) in [(1, 31), (2, 30), (3, 31)] as [(UInt8, Double)] {
            #expect(try await store.put(Self.item(name), at: Self.ago(days), in: Self.group()) == .written)
        }
        let others = SealedGroup(name: [UInt8](repeating: 201, count: 32), countMax: 100)
        #expect(try await store.put(Self.item(4), at: Self.ago(400), in: others) == .written)
        #expect(try await store.put(Self.item(5), at: Self.ago(400), in: nil) == .written)
        #expect(try await store.commit(Self.fixture("a", Self.kept(3), Self.kept(4), Self.kept(5))) == .committed)
        #expect(try await store.prune(OrderRetention(ordersMax: 10), at: Self.now, countMax: 100) == 0)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 0) == 0)
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        #expect(try await Self.found([1, 2, 3, 4, 5], in: store) == [2, 3, 4, 5])
        // What follows no order stays also after the order that used it.
        let later = Self.now.advanced(byMilliseconds: 31 * OrderRetention.keptMilliseconds)
        #expect(try await store.prune(Self.days30, at: later, countMax: 100) == 2)
        #expect(try await Self.found([1, 2, 3, 4, 5], in: store) == [4, 5])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `many items that no order holds go some at a time`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        _ = try await race(200) { number in
            try await store.put(
                Self.item(UInt8(number)), at: Self.ago(500 - Double(number)), in: Self.group(countMax: 200))
        }
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 50) == 50)
        #expect(try await Self.found(Array(0..<200), in: store) == Array(50..<200))
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 1000) == 150)
        #expect(try await store.put(Self.item(0), at: Self.now, in: Self.group(countMax: 1)) == .written)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of many orders at once with one new item one is written, and the others hold it then`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        let outcomes = try await race(50) { number in
            try await store.commit(Self.fixture("order-\(number)", days: 40, Self.new(1)))
        }
        #expect(outcomes.count { $0 == .committed } == 1)
        #expect(outcomes.count { $0 == .itemMoved } == 49)
        let again = try await race(50) { number in
            try await store.commit(Self.fixture("again-\(number)", Self.kept(1)))
        }
        #expect(again.allSatisfy { $0 == .committed })
        #expect(try await store.prune(Self.days30, at: Self.now, countMax: 100) == 1)
        #expect(try await Self.found([1], in: store) == [1])
        let later = Self.now.advanced(byMilliseconds: 31 * OrderRetention.keptMilliseconds)
        #expect(try await store.prune(Self.days30, at: later, countMax: 100) == 50)
        #expect(try await Self.found([1], in: store) == [])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an item that gets an order while its last one goes is there, or is reported as gone`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        for name in 0..<60 as Range<UInt8> {
            #expect(try await store.commit(Self.fixture("old-\(name)", days: 400, Self.new(name))) == .committed)
        }
        let outcomes = try await withThrowingTaskGroup(of: (UInt8, CommitOutcome)?.self) { group in
            group.addTask {
                while try await store.prune(Self.days30, at: Self.now, countMax: 5) > 0 {}
                return nil
            }
            for name in 0..<60 as Range<UInt8> {
                group.addTask { (name, try await store.commit(Self.fixture("new-\(name)", Self.kept(name)))) }
            }
            return try await group.reduce(into: [UInt8: CommitOutcome]()) { outcomes, outcome in
                if let outcome { outcomes[outcome.0] = outcome.1 }
            }
        }
        for name in 0..<60 as Range<UInt8> {
            let isThere = try await Self.found([name], in: store) == [name]
            #expect(outcomes[name] == (isThere ? .committed : .itemMoved))
        }
    }
}
