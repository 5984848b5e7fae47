import HTTP
import HTTPTypes
import Payments
@testable import RadialAPI
import Synchronization
import TestSupport
import Testing
import Values
import Vault

/// What the store keeps of a request beside its order: that its `requestId` is taken, and the account's token.
struct HeldItemTests {
    private static let card = "4012000033330026"
    private static let days30 = OrderRetention(daysMax: 30)
    private static let dayMilliseconds = OrderRetention.keptMilliseconds

    private func authorize(_ store: TestStore, _ name: String, card: String = card) async throws -> String {
        let message = Message.card(card, order: "order-\(name)", requestID: "request-\(name)")
        let reply = await store.send("creditcard/auth/VC.xml", message.text)
        return try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
    }

    /// Whether a token still stands for a number.
    private func isKept(_ token: String, _ store: TestStore) async throws -> Bool {
        let reply = await store.send(
            "tendertype/lookup.xml",
            """
            <TenderTypeLookupRequest xmlns="\(Message.namespace)">
            <PaymentAccountUniqueId isToken="true">\(token)</PaymentAccountUniqueId>
            <TenderClass>CreditCard</TenderClass><CurrencyCode>USD</CurrencyCode></TenderTypeLookupRequest>
            """)
        return reply.faultCode != "TokenNotFoundException"
    }

    private func prune(_ store: TestStore) async throws {
        _ = try await store.ledger.prune(Self.days30, at: store.clock.now, countMax: 1000)
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
        let acquirer = HeldAcquirer(simulator: try TestSimulator.acquirer(apiCodes: SimulatedRadialChecks()))
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

    @Test func `a requestId is free once its order was pruned, and no other one is`() async throws {
        let store = try TestStore()
        _ = try await authorize(store, "1")
        store.clock.advance(byMilliseconds: 20 * Self.dayMilliseconds)
        _ = try await authorize(store, "2")
        store.clock.advance(byMilliseconds: 11 * Self.dayMilliseconds)
        try await prune(store)
        let taken = await store.send(
            "creditcard/auth/VC.xml", Message.card(order: "order-3", requestID: "request-2").text)
        #expect(taken.faultCode == "DuplicateRequestException")
        let free = await store.send(
            "creditcard/auth/VC.xml", Message.card(order: "order-3", requestID: "request-1").text)
        #expect(free.head.status == .ok)
    }

    @Test func `an account's token goes with the last order that it paid for`() async throws {
        let store = try TestStore()
        let token = try await authorize(store, "1")
        let other = try await authorize(store, "other", card: "4005550000000001")
        store.clock.advance(byMilliseconds: 20 * Self.dayMilliseconds)
        #expect(try await authorize(store, "2") == token)
        store.clock.advance(byMilliseconds: 11 * Self.dayMilliseconds)
        try await prune(store)
        #expect(try await isKept(token, store))
        #expect(try await !isKept(other, store))
        store.clock.advance(byMilliseconds: 20 * Self.dayMilliseconds)
        try await prune(store)
        #expect(try await !isKept(token, store))
        #expect(try await authorize(store, "3") == token)
    }

    @Test func `a token that paid for no order goes when it is as old as an order may be`() async throws {
        let store = try TestStore()
        let protected = await store.send(
            "pan/protect.xml",
            """
            <ProtectPanRequest xmlns="\(Message.namespace)"><PaymentAccountNumber>\(Self.card)</PaymentAccountNumber>
            <TenderClass>CreditCard</TenderClass></ProtectPanRequest>
            """)
        let token = try #require(try protected.text("Token"))
        store.clock.advance(byMilliseconds: 30 * Self.dayMilliseconds)
        try await prune(store)
        #expect(try await isKept(token, store))
        store.clock.advance(byMilliseconds: 1)
        try await prune(store)
        #expect(try await !isKept(token, store))
    }

    @Test func `what was settled and cancelled goes with its order, and what was refused when it is old`() async throws
    {
        let store = try TestStore()
        let token = try await authorize(store, "1")
        let settled = Message.settle(token, order: "order-1", requestID: "settle-1").text
        let first = await store.send("settlement/create/VC.xml", settled)
        let refused = Message.cancel("401200AAAAAA0026", order: "order-1", requestID: "cancel-1").text
        let second = await store.send("auth/cancel/VC.xml", refused)
        #expect(try second.text("ResponseCode") == "Fail")
        // What was done later keeps the order, and so what was done before.
        store.clock.advance(byMilliseconds: 20 * Self.dayMilliseconds)
        let credit = Message.settle(token, "Credit", order: "order-1", requestID: "settle-2").text
        #expect(await store.send("settlement/create/VC.xml", credit).head.status == .ok)
        store.clock.advance(byMilliseconds: 11 * Self.dayMilliseconds)
        try await prune(store)
        #expect(await store.send("settlement/create/VC.xml", settled).body == first.body)
        let taken = Message.settle(token, amount: "1.00", requestID: "settle-1").text
        #expect(await store.send("settlement/create/VC.xml", taken).faultCode == "DuplicateRequestException")
        let free = Message.cancel("401200AAAAAA0026", order: "order-9", requestID: "cancel-1").text
        #expect(await store.send("auth/cancel/VC.xml", free).head.status == .ok)
        store.clock.advance(byMilliseconds: 31 * Self.dayMilliseconds)
        try await prune(store)
        #expect(await store.send("settlement/create/VC.xml", taken).faultCode == "NoAuthFoundException")
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
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        try await store.reset(merchant, groups: groups)
    }

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
