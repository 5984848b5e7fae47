import ApplePay
import HTTP
import HTTPTypes
import Payments
import Synchronization
import TestSupport
import Testing

/// What the store keeps of a request beside its order: that its `requestId` is taken, and the account's token.
struct HeldItemTests {
    private static let card = "4012000033330026"

    private func authorize(_ store: TestStore, _ name: String, card: String = card) async throws -> String {
        let message = Message.card(card, order: "order-\(name)", requestID: "request-\(name)")
        let reply = await store.send("creditcard/auth/VC.xml", message.text)
        return try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
    }

    @Test func `an order with a new account is one write`() async throws {
        let counting = CountingStore()
        let store = try TestStore(store: counting, sealedStore: counting)
        _ = try await authorize(store, "1")
        #expect(counting.writeCount == 1)
        _ = try await authorize(store, "2")
        #expect(counting.writeCount == 2)
        // A repetition writes nothing.
        _ = try await authorize(store, "1")
        #expect(counting.writeCount == 2)
    }

    @Test func `a refused request writes nothing`() async throws {
        let counting = CountingStore()
        let store = try TestStore(currencies: [.usd], store: counting, sealedStore: counting)
        let reply = await store.send("creditcard/auth/VC.xml", Message.card(currency: "EUR").text)
        #expect(reply.head.status == .badRequest)
        #expect(counting.writeCount == 0)
    }
}

/// A store that counts how often it is written to.
private final class CountingStore: PaymentStore, SealedStore {
    private let store = InMemoryStore()
    private let counted = Atomic<Int>(0)

    var writeCount: Int { counted.load(ordering: .relaxed) }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await store.recall(transaction, of: order)
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { try await store.history(of: order) }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        counted.add(1, ordering: .relaxed)
        return try await store.commit(commit)
    }

    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int { try await store.prune(retention, at: instant, countMax: countMax) }

    func reset() async throws(StoreFailure) { try await store.reset() }

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? { try await store.item(name) }

    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        counted.add(1, ordering: .relaxed)
        return try await store.put(item, at: instant, in: group)
    }

    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        counted.add(1, ordering: .relaxed)
        return try await store.remove(name)
    }

    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        try await store.removeExpired(at: instant, countMax: countMax)
    }
}
