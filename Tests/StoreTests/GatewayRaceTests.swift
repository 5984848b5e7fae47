import Payments
import TestSupport
import Testing
import Values

/// The gateway's promises over every store, with many requests at once.
@Suite(.serialized)
struct GatewayRaceTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `fifty requests alike make one transaction and have one answer`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let acquirer = try TestSimulator.acquirer()
        let gateway = Gateway(store: store, acquirer: acquirer, keys: try .test())
        let command = try TestPayment().command
        let answers = try await race(50) { number in
            try await gateway.perform(command, at: TestPayment.instant.advanced(byMilliseconds: Int64(number)))
        }
        #expect(answers.allSatisfy { $0 == answers[0] })
        let history = try await gateway.retrieve(TestPayment().key)
        #expect(history.transactions == [answers[0]])
        #expect(history.order == answers[0].order)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of fifty different transactions one authorizes the order`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let gateway = Gateway(store: store, acquirer: try TestSimulator.acquirer(), keys: try .test())
        let outcomes = try await race(50) { number in
            let command = try TestPayment { $0.transaction = "\(number)" }.command
            do {
                return try await gateway.perform(command, at: TestPayment.instant).order.status.rawValue
            } catch { return "\(error)".prefix { $0 != "(" }.description }
        }
        #expect(outcomes.count { $0 == "AUTHORIZED" } == 1)
        #expect(outcomes.count { $0 == "orderNotAwaitingAuthorization" } == 49)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `fifty declined transactions of one order are all kept`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let gateway = Gateway(store: store, acquirer: try TestSimulator.acquirer(), keys: try .test())
        _ = try await race(50) { number in
            try await gateway.perform(
                TestPayment {
                    $0.transaction = "\(number)"
                    $0.amount = "5757.00"
                }.command, at: TestPayment.instant)
        }
        let history = try await gateway.retrieve(TestPayment().key)
        #expect(history.order.version == 50)
        #expect(history.transactions.map(\.order.version) == Array(1...50))
        #expect(Set(history.transactions.map(\.id)).count == 50)
    }
}
