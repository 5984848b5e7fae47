import ApplePay
import Payments
import Synchronization
import TestSupport
import Testing

/// A card's order is taken for new until the store tells that it is not.
struct FirstAttemptTests {
    static let steps: [TestStep] = [.authorize("5.00"), .pay("5.00"), .verify, .refundToCard("5.00")]

    @Test(arguments: steps)
    func `a card on a new order asks the store for nothing before it is committed`(step: TestStep) async throws {
        let store = CountingStore()
        _ = try await Journey(store) { $0.privileges = RefusedOperationTests.every }.perform(step, "1")
        #expect(store.reads == 0)
    }

    @Test(arguments: steps)
    func `who was answered hears the same again, whatever is refused by now`(step: TestStep) async throws {
        let store = InMemoryStore()
        let first = try await Journey(store) { $0.privileges = RefusedOperationTests.every }.perform(step, "1")
        let deprived = try Journey(store) { $0.privileges = [] }
        #expect(try await deprived.perform(step, "1") == first)
        #expect(try await deprived.outcome(step, "2").hasPrefix("missingPrivilege"))
    }

    @Test func `a twin with other parameters is told so, whatever else is wrong with it`() async throws {
        let store = InMemoryStore()
        _ = try await Journey(store).perform(.authorize("5.00"), "1")
        let other = try Journey(store) {
            $0.privileges = []
            $0.parameters = "another request"
        }
        #expect(try await other.outcome(.authorize("5.00"), "1") == "parametersDiffer")
    }

    @Test func `an order that is there is decided on as it stands`() async throws {
        let store = CountingStore()
        let journey = try Journey(store)
        _ = try await journey.perform(.authorize("5.00"), "1-DECLINED")
        let euros = try Journey(store) { $0.currency = .eur }
        #expect(try await euros.outcome(.authorize("5.00"), "2").hasPrefix("currencyDiffers"))
        #expect(try await journey.outcome(.authorize("7.00"), "2") == "AUTHORIZED 7.00/0.00/0.00")
        #expect(try await journey.history().transactions.map(\.id.text) == ["1-DECLINED", "2"])
    }
}

/// A store that counts how often it is read.
private final class CountingStore: PaymentStore {
    private let store = InMemoryStore()
    private let counted = Atomic<Int>(0)

    var reads: Int { counted.load(ordering: .relaxed) }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        counted.add(1, ordering: .relaxed)
        return try await store.recall(transaction, of: order)
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        counted.add(1, ordering: .relaxed)
        return try await store.history(of: order)
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome { try await store.commit(commit) }

    func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int { 0 }

    func reset() async throws(StoreFailure) { try await store.reset() }
}
