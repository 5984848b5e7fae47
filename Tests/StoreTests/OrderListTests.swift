import Foundation
import GRDB
import Payments
import SQLiteStore
import TestSupport
import Testing
import Values

/// The lists of orders that every store answers.
@Suite(.serialized)
struct OrderListTests {
    /// A store with orders "0" to "n-1", made in this order, a minute apart.
    private static func store(
        _ kind: StoreUnderTest, _ orders: [(merchant: String, status: OrderStatus)]
    ) async throws -> any PaymentStore & OrderListing {
        let store = try await kind.opened()
        for (number, order) in orders.enumerated() {
            let fixture = CommitFixture {
                $0.merchant = order.merchant
                $0.order = "\(number)"
                $0.status = order.status
                $0.instant = TestPayment.instant.advanced(byMilliseconds: Int64(number) * 60_000 - 1_000_000)
            }
            #expect(try await store.commit(fixture) == .committed)
        }
        return store
    }

    private static let statuses: [(merchant: String, status: OrderStatus)] = [
        ("ONE", .failed), ("TWO", .authorized), ("ONE", .authorized), ("ONE", .captured), ("TWO", .failed),
        ("ONE", .authorized), ("ONE", .refunded),
    ]

    /// The identifiers on all pages of a search.
    private static func found(_ store: any OrderListing, _ query: OrderQuery) async throws -> [String] {
        var query = query
        var found: [String] = []
        for _ in 0..<100 {
            let page = try #require(try await store.orders(query))
            #expect(page.orders.count <= query.count)
            found += page.orders.map(\.order.id.text)
            guard let next = page.next else { return found }
            query.before = next
        }
        Issue.record("the list has no end")
        return found
    }

    @Test(arguments: StoreUnderTest.allCases, [1, 2, 3, 7, 100])
    func `orders are listed once each, the newest first, on pages of any size`(
        kind: StoreUnderTest, count: Int
    ) async throws {
        let store = try await Self.store(kind, Self.statuses)
        #expect(try await Self.found(store, OrderQuery(count: count)) == ["6", "5", "4", "3", "2", "1", "0"])
    }

    @Test(arguments: StoreUnderTest.allCases, [1, 2, 100])
    func `each filter, and all of them together, choose orders`(kind: StoreUnderTest, count: Int) async throws {
        let store = try await Self.store(kind, Self.statuses)
        func found(_ change: (inout OrderQuery) throws -> Void) async throws -> [String] {
            var query = OrderQuery(count: count)
            try change(&query)
            return try await Self.found(store, query)
        }
        let all = ["6", "5", "4", "3", "2", "1", "0"]
        let order = try #require(try await store.orders(OrderQuery())?.orders.first)
        let lastFour = try #require(order.lastFour)
        #expect(try await found { $0.merchant = try MerchantID("TWO") } == ["4", "1"])
        #expect(try await found { $0.merchant = try MerchantID("THREE") } == [])
        #expect(try await found { $0.order = try OrderID("3") } == ["3"])
        #expect(try await found { $0.order = try OrderID("33") } == [])
        #expect(try await found { $0.status = .authorized } == ["5", "2", "1"])
        #expect(try await found { $0.wallet = .applePay } == all)
        #expect(try await found { $0.wallet = .googlePay } == [])
        #expect(try await found { $0.lastFour = lastFour } == all)
        #expect(try await found { $0.lastFour = "0000" } == [])
        let amount = ExactDecimal(order.order.amount)
        #expect(try await found { $0.amount = amount } == all)
        #expect(try await found { $0.amount = ExactDecimal("0.01") } == [])
        #expect(
            try await found {
                ($0.merchant, $0.status, $0.wallet) = (try MerchantID("ONE"), .authorized, .applePay)
                ($0.lastFour, $0.amount) = (lastFour, amount)
            } == ["5", "2"])
        #expect(
            try await found { ($0.order, $0.merchant) = (try OrderID("3"), try MerchantID("TWO")) } == [])
        #expect(try await found { ($0.order, $0.status) = (try OrderID("3"), .captured) } == ["3"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `one identifier of several merchants is found with each of them`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for merchant in ["ALPHA", "BETA", "GAMMA"] {
            #expect(try await store.commit(CommitFixture { $0.merchant = merchant }) == .committed)
            #expect(
                try await store.commit(
                    CommitFixture {
                        $0.merchant = merchant
                        $0.order = "another"
                    }) == .committed)
        }
        var query = OrderQuery()
        query.order = try OrderID("order-1")
        let page = try #require(try await store.orders(query))
        #expect(Set(page.orders.map(\.order.merchant.text)) == ["ALPHA", "BETA", "GAMMA"])
        #expect(page.orders.count == 3 && page.next == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an order is listed with its latest state, and found only by it`(kind: StoreUnderTest) async throws {
        let store = try await Self.store(kind, [("ONE", .authorized), ("ONE", .authorized)])
        let captured = CommitFixture {
            ($0.merchant, $0.order, $0.transaction) = ("ONE", "0", "2")
            ($0.versionBefore, $0.status) = (1, .captured)
            $0.instant = TestPayment.instant.advanced(byMilliseconds: -1_000_000)
        }
        #expect(try await store.commit(captured) == .committed)
        var query = OrderQuery()
        #expect(try await store.orders(query)?.orders.map(\.order.status) == [.authorized, .captured])
        query.status = .captured
        #expect(try await store.orders(query)?.orders.map(\.order.id.text) == ["0"])
        query.status = .authorized
        #expect(try await store.orders(query)?.orders.map(\.order.id.text) == ["1"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a position of another store is refused, and a removed order leaves the list`(kind: StoreUnderTest)
        async throws
    {
        let store = try await Self.store(kind, Self.statuses)
        for text in ["", "x", "-1", "1.2.3", "1.zz.00", "99999999999999999999"] {
            var query = OrderQuery()
            query.before = OrderPosition(text)
            // A row number is a position, too; what matters is that no text is an error.
            if let page = try await store.orders(query) { #expect(page.orders.count <= 7) }
        }
        let later = TestPayment.instant.advanced(byMilliseconds: 40 * OrderRetention.keptMilliseconds)
        _ = try await store.prune(OrderRetention(ordersMax: 2), at: later, countMax: 1000)
        #expect(try await Self.found(store, OrderQuery()) == ["6", "5"])
        try await store.reset()
        #expect(try await Self.found(store, OrderQuery()) == [])
    }

    @Test(arguments: [StoreUnderTest.sqlite, .postgres])
    func `one page examines a bounded number of orders`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let commit = try await CommitFixture().commit
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<OrderQuery.examinedMax + 10 {
                if number >= 500 { await group.next() }
                group.addTask {
                    let copy = commit.transaction.named(order: "n\(number)", status: number == 0 ? .captured : .failed)
                    let outcome = try? await store.commit(
                        Commit(transaction: copy, fingerprint: commit.fingerprint, token: nil))
                    #expect(outcome == .committed)
                }
            }
        }
        var query = OrderQuery()
        (query.status, query.wallet) = (.captured, .applePay)
        // The index of the status finds it at once.
        #expect(try await store.orders(query)?.orders.map(\.order.id.text) == ["n0"])
        (query.status, query.merchant) = (nil, try MerchantID("TESTMERCHANT"))
        query.wallet = .googlePay
        let page = try #require(try await store.orders(query))
        #expect(page.orders.isEmpty && page.next != nil)
        query.before = page.next
        let rest = try #require(try await store.orders(query))
        #expect(rest.orders.isEmpty && rest.next == nil)
    }
}

extension Transaction {
    /// The same transaction of another order.
    fileprivate func named(order name: String, status: OrderStatus) -> Transaction {
        guard let id = try? OrderID(name) else { preconditionFailure("the tests' names are identifiers") }
        let order = Order(
            key: OrderKey(merchant: order.merchant, order: id), amount: order.amount, status: status,
            totals: order.totals, creationTime: order.creationTime, lastUpdatedTime: order.lastUpdatedTime,
            walletProvider: order.walletProvider, authenticationStatus: order.authenticationStatus, version: 1)
        return Transaction(
            id: self.id, type: type, amount: amount, approvedMinorUnits: approvedMinorUnits,
            targetTransactionID: targetTransactionID, result: result, gatewayCode: gatewayCode,
            recommendation: recommendation, acquirer: acquirer, authorizationResponse: authorizationResponse,
            references: references, source: source, authenticationStatus: authenticationStatus,
            timeOfRecord: timeOfRecord, card: card, particulars: particulars, order: order)
    }
}
