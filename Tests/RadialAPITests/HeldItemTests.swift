import ApplePay
import HTTP
import HTTPTypes
import Payments
@testable import RadialAPI
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

    @Test(arguments: ["creditcard/auth/VC.xml", "auth/cancel/VC.xml"])
    func `a twin waits for the first one's end, and asks the store nothing meanwhile`(service: String) async throws {
        let counting = CountingStore()
        let acquirer = HeldAcquirer(simulator: try TestSimulator.acquirer())
        let store = try TestStore(acquirer: acquirer, store: counting, sealedStore: counting)
        let token = try await authorize(store, "1")
        let isCancel = service.hasPrefix("auth")
        let body = isCancel ? Message.cancel(token).text : Message.card(order: "order-2", requestID: "request-2").text
        let reached = acquirer.hold()
        let first = Task { await store.send(service, body) }
        await reached()
        let readCount = counting.itemReadCount
        let second = Task { await store.send(service, body) }
        while store.api.inFlight.waitingCount < 1 { await Task.yield() }
        #expect(counting.itemReadCount == readCount)
        acquirer.letGo()
        let bodies = [await first.value.body, await second.value.body]
        #expect(bodies[0] == bodies[1])
    }
}

/// A store that counts how often it is written to and how often a sealed text is read.
private final class CountingStore: PaymentStore, SealedStore {
    private let store = InMemoryStore()
    private let counted = Atomic<Int>(0)
    private let readings = Atomic<Int>(0)

    var writeCount: Int { counted.load(ordering: .relaxed) }
    var itemReadCount: Int { readings.load(ordering: .relaxed) }

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

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        readings.add(1, ordering: .relaxed)
        return try await store.item(name)
    }

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

/// An acquirer that keeps its answer back for as long as a test wants.
private final class HeldAcquirer: Acquirer {
    private struct State {
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var reached: CheckedContinuation<Void, Never>?
    }

    private let simulator: SimulatedAcquirer
    private let state = Mutex(State())

    init(simulator: SimulatedAcquirer) { self.simulator = simulator }

    /// Keeps answers back from now on. What it returns waits until one is asked for.
    func hold() -> () async -> Void {
        state.withLock { $0.isHolding = true }
        return { [self] in
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    guard state.held.isEmpty else { return true }
                    state.reached = continuation
                    return false
                }
                if isReached { continuation.resume() }
            }
        }
    }

    /// Gives all answers that were kept back, and those that follow.
    func letGo() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        await withCheckedContinuation { continuation in
            let (reached, isHeld) = state.withLock { state in
                guard state.isHolding else { return (nil as CheckedContinuation<Void, Never>?, false) }
                state.held.append(continuation)
                defer { state.reached = nil }
                return (state.reached, true)
            }
            reached?.resume()
            if !isHeld { continuation.resume() }
        }
        return simulator.answer(command)
    }
}
