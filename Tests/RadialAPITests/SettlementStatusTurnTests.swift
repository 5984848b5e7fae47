import ApplePay
import Payments
import RadialAPI
import Synchronization
import Testing
import TestSupport

/// The webhooks of several merchants, of which some don't answer.
@Suite(.timeLimit(.minutes(5)))
struct SettlementStatusTurnTests {
    @Test func `a webhook that hangs delays no other merchant's messages, whenever they are due`() async throws {
        let shops = try Shops(["A", "B"])
        let network = Network(hanging: ["A"])
        let delivery = shops.delivery(network)
        try await shops.add("one", for: "A")
        try await shops.add("two", for: "B")
        let first = Task { await delivery.deliverDue() }
        await network.arrival(of: "A")
        await network.arrival(of: "B")
        // A's webhook still hangs.
        try await shops.add("three", for: "B")
        #expect(await delivery.deliverDue() == 1)
        #expect(network.arrivals.sorted() == ["A", "B", "B"])
        network.release()
        #expect(await first.value == 2)
    }
}

/// Merchants with a webhook each, and what waits for them.
private struct Shops {
    let outbox: Outbox
    let merchants: MerchantDirectory
    let clock = TestClock(Instant(secondsSinceEpoch: 1_700_000_000))

    init(_ names: [String]) throws {
        outbox = Outbox(store: InMemoryStore(), keys: try KeyRing.test())
        merchants = MerchantDirectory(
            try names.map { name in
                let address = try #require(WebhookAddress("http://\(name).example/events"))
                return Merchant(
                    id: try MerchantID(name), passwords: [], applePay: nil,
                    radial: RadialStore(
                        id: try MerchantID("STORE-\(name)"), apiKeys: [], webhook: RadialWebhook(address: address)))
            })
    }

    func add(_ text: String, for name: String) async throws {
        try await outbox.add(Array(text.utf8), for: MerchantID(name), at: clock.now)
    }

    func delivery(_ network: Network) -> SettlementStatusDelivery {
        SettlementStatusDelivery(
            outbox: outbox, merchants: merchants, machineTime: { [clock] in clock.now },
            send: { await network.send($0) }, report: { _ in })
    }
}

/// Webhooks that take what arrives, and those that don't answer until they are released.
private final class Network: Sendable {
    private struct State {
        var arrivals: [String] = []
        var waiting: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var isReleased = false
    }

    private let hanging: Set<String>
    private let state = Mutex(State())

    init(hanging: Set<String>) { self.hanging = hanging }

    /// Whose webhooks were reached, in order.
    var arrivals: [String] { state.withLock { $0.arrivals } }

    func send(_ message: WebhookMessage) async -> Bool {
        let name = String(message.webhook.address.host.prefix { $0 != "." })
        let awaited = state.withLock { state in
            state.arrivals.append(name)
            defer { state.waiting.removeAll { $0.name == name } }
            return state.waiting.filter { $0.name == name }
        }
        for waiter in awaited { waiter.continuation.resume() }
        guard hanging.contains(name) else { return true }
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.held.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
        return false
    }

    /// Waits until a merchant's webhook is reached for the first time.
    func arrival(of name: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.arrivals.contains(name)
                if !isThere { state.waiting.append((name, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets those that hang answer that they didn't take what they got.
    func release() {
        let held = state.withLock { state in
            state.isReleased = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
