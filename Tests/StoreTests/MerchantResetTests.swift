import Payments
import PostgresStore
import TestSupport
import Testing
import Values
import Vault

/// How every store forgets one merchant.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct MerchantResetTests {
    private static let ours = "OURS"
    private static let theirs = "THEIRS"

    private static func fixture(
        _ merchant: String, _ order: String = "order-1", token: UInt8? = nil, _ items: HeldItem...
    ) -> CommitFixture {
        CommitFixture {
            $0.merchant = merchant
            $0.order = order
            $0.token = token
            $0.items = items
        }
    }

    private static func item(_ name: UInt8, expiry: Instant? = nil) -> SealedItem {
        SealedItem(name: [UInt8](repeating: name, count: 32), revision: 1, expiry: expiry, text: [name])
    }

    private static func group(_ name: UInt8, countMax: Int = 1000, followsOrders: Bool = false) -> SealedGroup {
        SealedGroup(name: [UInt8](repeating: name, count: 32), countMax: countMax, followsOrders: followsOrders)
    }

    /// Forgets the first merchant, whose groups are 201 and 202.
    private static func reset(_ store: any PaymentStore) async throws {
        try await store.reset(MerchantID(ours), groups: [group(201).name, group(202).name])
    }

    private static func found(_ names: ClosedRange<UInt8>, in store: any SealedStore) async throws -> [UInt8] {
        var found: [UInt8] = []
        for name in names { if try await store.item(item(name).name) != nil { found.append(name) } }
        return found
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a merchant that was reset is as good as new, and another keeps everything`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        let theirs = try await Self.fixture(Self.theirs, token: 2).commit
        for fixture in [Self.fixture(Self.ours, token: 1), Self.fixture(Self.ours, "order-2", token: 3)] {
            #expect(try await store.commit(fixture) == .committed)
        }
        #expect(try await store.commit(theirs) == .committed)
        var presented = Self.fixture(Self.ours, "order-3", token: 4)
        presented.isCredited = false
        #expect(try await store.commit(presented) == .committed)

        try await Self.reset(store)
        for order in ["order-1", "order-2", "order-3"] {
            #expect(try await store.history(of: Self.fixture(Self.ours, order).key) == nil)
            #expect(
                try await store.recall(TransactionID("1"), of: Self.fixture(Self.ours, order).key)
                    == Recollection(order: nil, transaction: nil))
        }
        #expect(
            try await store.history(of: Self.fixture(Self.theirs).key)
                == OrderHistory(order: theirs.order, transactions: [theirs.transaction]))
        // Identifiers and tokens are free, but for those of the other merchant.
        #expect(try await store.commit(Self.fixture(Self.ours, token: 2)) == .tokenCredited)
        #expect(try await store.commit(Self.fixture(Self.ours, token: 3)) == .committed)
        #expect(try await store.commit(Self.fixture(Self.theirs, "order-2", token: 1)) == .committed)
        #expect(try await store.commit(Self.fixture(Self.theirs, "order-3", token: 4)) == .committed)
        #expect(try await store.commit(Self.fixture(Self.theirs, "order-4", token: 3)) == .tokenCredited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the sealed items of the merchant's groups go, with what they count`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let expiry = TestPayment.instant.advanced(byMilliseconds: 1000)
        for (name, group) in [
            (1, Self.group(201, countMax: 2)), (2, Self.group(201, countMax: 2)), (3, Self.group(202)),
            (4, Self.group(203)), (5, nil),
        ] as [(UInt8, SealedGroup?)] {
            let item = Self.item(name, expiry: name == 2 ? nil : expiry)
            #expect(try await store.put(item, at: TestPayment.instant, in: group) == .written)
        }
        let held = Self.group(202, followsOrders: true)
        let theirs = Self.group(203, followsOrders: true)
        let orders = [
            Self.fixture(Self.ours, "order-1", .new(Self.item(6), in: held), .new(Self.item(7), in: held)),
            Self.fixture(Self.theirs, "order-1", .new(Self.item(8), in: theirs)),
        ]
        for order in orders { #expect(try await store.commit(order) == .committed) }
        #expect(try await store.put(Self.item(9), at: TestPayment.instant, in: held) == .written)

        try await Self.reset(store)
        #expect(try await Self.found(1...9, in: store) == [4, 5, 8])
        for name in [1, 2] as [UInt8] {
            let outcome = try await store.put(
                Self.item(name), at: TestPayment.instant, in: Self.group(201, countMax: 2))
            #expect(outcome == .written)
        }
        #expect(try await store.put(Self.item(3), at: expiry, in: Self.group(201, countMax: 2)) == .full)
        #expect(try await store.commit(orders[0]) == .committed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `as many orders and items go as there are`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for number in 0..<200 {
            let merchant = number.isMultiple(of: 2) ? Self.ours : Self.theirs
            let fixture = Self.fixture(merchant, "order-\(number)", token: UInt8(number))
            #expect(try await store.commit(fixture) == .committed)
        }
        let names = (0..<600).map { number in (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) } }
        for name in names {
            let item = SealedItem(name: name, revision: 1, expiry: nil, text: [1])
            #expect(try await store.put(item, at: TestPayment.instant, in: Self.group(201)) == .written)
        }
        try await Self.reset(store)
        for name in names { #expect(try await store.item(name) == nil) }
        var kept = 0
        for number in 0..<200 {
            for merchant in [Self.ours, Self.theirs] {
                if try await store.history(of: Self.fixture(merchant, "order-\(number)").key) != nil { kept += 1 }
            }
        }
        #expect(kept == 100)
        // The orders are counted right from then on, and the merchant may be reset again.
        let now = TestPayment.instant.advanced(byMilliseconds: 2 * OrderRetention.keptMilliseconds)
        #expect(try await store.prune(OrderRetention(ordersMax: 90), at: now, countMax: 1000) == 10)
        try await Self.reset(store)
        #expect(try await store.prune(OrderRetention(ordersMax: 90), at: now, countMax: 1000) == 0)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the commits of another merchant are undisturbed, and those of the merchant whole`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        for number in 0..<100 {
            #expect(try await store.commit(Self.fixture(Self.ours, "before-\(number)")) == .committed)
        }
        let theirs = (0..<60).map { Self.fixture(Self.theirs, "order-\($0)", token: UInt8($0)) }
        let ours = (0..<60).map { Self.fixture(Self.ours, "order-\($0)", token: UInt8(100 + $0)) }
        var commits: [Commit] = []
        for fixture in theirs + ours { commits.append(try await fixture.commit) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.reset(store) }
            for commit in commits {
                group.addTask {
                    let outcome = try await store.commit(commit)
                    #expect(outcome == .committed)
                }
            }
            try await group.waitForAll()
        }
        for fixture in theirs { #expect(try await store.history(of: fixture.key) != nil) }
        for number in 0..<100 {
            #expect(try await store.history(of: Self.fixture(Self.ours, "before-\(number)").key) == nil)
        }
        for fixture in ours {
            // An order that was made meanwhile is there with its token, or neither is.
            let isThere = try await store.history(of: fixture.key) != nil
            let again = Self.fixture(Self.theirs, "again-\(fixture.order)", token: fixture.token)
            #expect(try await store.commit(again) == (isThere ? .tokenCredited : .committed))
        }
    }

    @Test func `gateways on one server that reset merchants at once disturb nobody`() async throws {
        let url = try PostgresServer.shared().url()
        let stores = [try await PostgresStore(patiently: url), try await PostgresStore(patiently: url)]
        for number in 0..<120 {
            let merchant = number.isMultiple(of: 3) ? Self.theirs : Self.ours
            let fixture = Self.fixture(merchant, "order-\(number)", token: UInt8(number))
            #expect(try await stores[number % 2].commit(fixture) == .committed)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask { try await Self.reset(store) }
                group.addTask {
                    _ = try await store.prune(
                        OrderRetention(daysMax: 30), at: TestPayment.instant, countMax: 1000)
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<120 {
            let (ours, theirs) = (
                Self.fixture(Self.ours, "order-\(number)"), Self.fixture(Self.theirs, "order-\(number)")
            )
            #expect(try await stores[1 - number % 2].history(of: ours.key) == nil)
            #expect(try await (stores[1 - number % 2].history(of: theirs.key) != nil) == number.isMultiple(of: 3))
        }
    }
}
