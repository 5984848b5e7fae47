import Payments
import Synchronization
import TestSupport
import Testing
import Values
import Vault

/// A transaction is looked up before anything else, in a gateway that has just started as in any other.
struct LookUpTests {
    static let steps: [TestStep] = [.authorize("5.00"), .pay("5.00"), .verify, .refundToCard("5.00")]

    @Test(arguments: steps)
    func `a card's request reads the store once, and before the acquirer is asked`(step: TestStep) async throws {
        let store = CountingStore()
        let acquirer = ListeningAcquirer(simulator: try TestSimulator.acquirer()) {
            #expect(store.reads == 1)
        }
        _ = try await Self.perform(step, "1", store, acquirer)
        #expect(store.reads == 1)
        #expect(acquirer.commands.count == 1)
    }

    @Test(arguments: steps)
    func `who was answered hears the same again, whatever is refused by now`(step: TestStep) async throws {
        let store = InMemoryStore()
        let first = try await Journey(store) { $0.privileges = RefusedOperationTests.every }.perform(step, "1")
        let deprived = try Journey(store) { $0.privileges = [] }
        #expect(try await deprived.perform(step, "1") == first)
        #expect(try await deprived.outcome(step, "2").hasPrefix("missingPrivilege"))
    }

    @Test(arguments: steps)
    func `nobody is asked for what another gateway has answered`(step: TestStep) async throws {
        let store = InMemoryStore()
        let acquirer = ListeningAcquirer(simulator: try TestSimulator.acquirer())
        let first = try await Self.perform(step, "1", store, acquirer)
        #expect(try await Self.perform(step, "1", store, acquirer) == first)
        #expect(acquirer.commands.count == 1)
    }

    @Test func `nobody is asked for what an order of another gateway doesn't allow`() async throws {
        let store = InMemoryStore()
        let acquirer = ListeningAcquirer(simulator: try TestSimulator.acquirer())
        _ = try await Self.perform(.pay("5.00"), "1", store, acquirer)
        for step in Self.steps {
            await #expect(throws: Refusal.self) { try await Self.perform(step, "2", store, acquirer) }
        }
        #expect(acquirer.commands.count == 1)
    }

    @Test func `an order's later attempt in another gateway draws one set of numbers`() async throws {
        let store = InMemoryStore()
        _ = try await Journey(store).perform(.authorize("5.00"), "1-DECLINED")
        let drawn = Atomic<Int>(0)
        let gateway = Gateway(
            store: store, acquirer: try TestSimulator.acquirer(), keys: try .test(),
            references: ReferenceNumbers(
                systemTraceAuditNumber: { drawn.add(1, ordering: .relaxed).newValue },
                acquirerTransactionID: { 447_345_902 }))
        let payment = TestPayment { $0.transaction = "2" }
        let transaction = try await gateway.perform(payment.command, at: TestPayment.instant)
        #expect(transaction.references.systemTraceAuditNumber == 1)
        #expect(try await gateway.perform(payment.command, at: TestPayment.instant) == transaction)
        #expect(drawn.load(ordering: .relaxed) == 1)
    }

    @Test func `a twin with other parameters is refused for that, whatever else is wrong with it`() async throws {
        let store = InMemoryStore()
        _ = try await Journey(store).perform(.authorize("5.00"), "1")
        let other = try Journey(store) {
            $0.privileges = []
            $0.parameters = "another request"
        }
        #expect(try await other.outcome(.authorize("5.00"), "1") == "parametersDiffer")
    }

    @Test func `an existing order is decided on by its present state`() async throws {
        let store = CountingStore()
        let journey = try Journey(store)
        _ = try await journey.perform(.authorize("5.00"), "1-DECLINED")
        let euros = try Journey(store) { $0.currency = .eur }
        #expect(try await euros.outcome(.authorize("5.00"), "2").hasPrefix("currencyDiffers"))
        #expect(try await journey.outcome(.authorize("7.00"), "2") == "AUTHORIZED 7.00/0.00/0.00")
        #expect(try await journey.history().transactions.map(\.id.text) == ["1-DECLINED", "2"])
    }

    /// Carries out a step in a gateway that has just started.
    private static func perform(
        _ step: TestStep, _ transaction: String, _ store: any PaymentStore, _ acquirer: any Acquirer
    ) async throws -> Transaction {
        let payment = TestPayment {
            $0.transaction = transaction
            $0.privileges = RefusedOperationTests.every
        }
        return try await Gateway.test(store: store, acquirer: acquirer)
            .perform(payment.command(of: step), at: TestPayment.instant)
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
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        try await store.reset(merchant, groups: groups)
    }
}
