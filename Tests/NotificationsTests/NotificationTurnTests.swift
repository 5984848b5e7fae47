import HTTP
import HTTPTypes
@testable import Notifications
import Payments
import Synchronization
import Testing
import TestSupport
import Values
import Vault

/// The servers of several merchants, of which some don't answer.
@Suite(.timeLimit(.minutes(30)))
struct NotificationTurnTests {
    @Test func `a server that hangs delays no other merchant's messages, whenever they are due`() async throws {
        let shops = try Shops(["A", "B"])
        let network = Network(hanging: ["A"])
        let sender = shops.sender(network)
        try await shops.add("one", for: "A")
        try await shops.add("two", for: "B")
        let first = Task { await sender.sendDue() }
        await network.arrival(of: "A")
        await network.arrival(of: "B")
        // A's server still hangs.
        try await shops.add("three", for: "B")
        #expect(await sender.sendDue() == 1)
        #expect(network.arrivals.sorted() == ["A", "B", "B"])
        network.release()
        #expect(await first.value == 2)
    }

    @Test func `servers that hang once have half the permits, so that those that answer keep the others`()
        async throws
    {
        let hanging = (0..<20).map { "H\($0)" }
        let shops = try Shops(hanging + ["A"])
        let network = Network(hanging: Set(hanging))
        let sender = shops.sender(network)
        for name in hanging { try await shops.add("one", for: name) }
        // All of them fail, and are known for it from then on.
        let failing = Task { await sender.sendDue() }
        await network.arrivals(8)
        network.release()
        #expect(await failing.value == 20)
        #expect(network.concurrentMax == 8)

        network.hold()
        shops.clock.advance(byMilliseconds: 1000)
        try await shops.add("two", for: "A")
        let again = Task { await sender.sendDue() }
        await network.arrival(of: "A")
        await network.arrivals(25)
        network.release()
        #expect(await again.value == 21)
        #expect(network.concurrentMax <= 5)
    }

    @Test func `however many messages a merchant has, others have their turns`() async throws {
        let busy = (0..<8).map { "B\($0)" }
        let shops = try Shops(busy + ["Z"])
        // More than a turn's messages are answered only after Z's.
        let network = Network(hanging: Set(busy), taking: true, holdingAfter: 16, untilArrivalOf: "Z")
        for name in busy {
            for number in 0..<20 { try await shops.add("\(number)", for: name) }
        }
        try await shops.add("last", for: "Z")
        let sender = shops.sender(network)
        let sending = Task { await sender.sendDue() }
        // Unless Z happens to be among the first eight, it waits.
        while sender.waitingCount == 0, !network.arrivals.contains("Z") { await Task.yield() }
        network.release()
        #expect(await sending.value == 8 * 20 + 1)
        let turn = try #require(network.arrivals.firstIndex(of: "Z"))
        for name in busy { #expect(network.arrivals[..<turn].count { $0 == name } <= 17) }
    }

    @Test func `nothing more is sent once it is stopped`() async throws {
        let shops = try Shops(["A", "B"])
        let network = Network(hanging: ["A"])
        let sender = shops.sender(network)
        try await shops.add("one", for: "A")
        let sending = Task { await sender.sendDue() }
        await network.arrival(of: "A")
        sender.stop()
        try await shops.add("two", for: "B")
        #expect(await sender.sendDue() == 0)
        network.release()
        #expect(await sending.value == 1)
        #expect(network.arrivals == ["A"])
    }
}

/// Merchants with a server each, and what waits for them.
private struct Shops {
    let outbox: Outbox
    let merchants: MerchantDirectory
    let clock = TestClock(Instant(secondsSinceEpoch: 1_700_000_000))

    init(_ names: [String]) throws {
        outbox = Outbox(store: InMemoryStore(), keys: try KeyRing.test())
        merchants = MerchantDirectory(
            try names.map { Merchant(id: try MerchantID($0), passwords: [], applePay: nil) })
    }

    func add(_ text: String, for name: String) async throws {
        try await outbox.add(Array(text.utf8), kind: .test, for: MerchantID(name), at: clock.now)
    }

    func sender(_ network: Network) -> NotificationSender {
        let kind = NotificationKind(.test, noun: "a message") { merchant in
            HTTPURL("http://\(merchant.id.text).example/events").map { url in
                NotificationDestination(retryMilliseconds: 86_400_000) { message in
                    Request(head: url.head(.post), body: message.text)
                }
            }
        }
        return NotificationSender(
            outbox: outbox, merchants: merchants, kinds: [kind], machineTime: { [clock] in clock.now },
            send: { await network.send($0) }, report: { _ in })
    }
}

/// Servers that take what arrives, and those that don't answer until they are released.
private final class Network: Sendable {
    private struct State {
        var arrivals: [String] = []
        var waiting: [(isMet: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var isReleased = false
        var concurrent = 0
        var concurrentMax = 0
    }

    private let hanging: Set<String>
    private let state = Mutex(State())

    private let isTaking: Bool
    private let held: (count: Int, awaited: String)?

    /// - Parameters:
    ///   - hanging: who doesn't answer until they are released.
    ///   - isTaking: whether they then take what they got.
    ///   - count: after how many messages of a merchant the next ones wait for another merchant's.
    init(
        hanging: Set<String>, taking isTaking: Bool = false, holdingAfter count: Int = .max,
        untilArrivalOf name: String? = nil
    ) {
        self.hanging = hanging
        self.isTaking = isTaking
        held = name.map { (count, $0) }
    }

    /// Whose servers were reached, in order.
    var arrivals: [String] { state.withLock { $0.arrivals } }

    /// How many were being reached at one time since they last began to hang.
    var concurrentMax: Int { state.withLock { $0.concurrentMax } }

    func send(_ request: Request) async -> Bool {
        let name = String((request.head.authority ?? "").prefix { $0 != "." })
        let awaited = state.withLock { state in
            state.arrivals.append(name)
            state.concurrent += 1
            state.concurrentMax = max(state.concurrentMax, state.concurrent)
            let arrivals = state.arrivals
            defer { state.waiting.removeAll { $0.isMet(arrivals) } }
            return state.waiting.filter { $0.isMet(arrivals) }
        }
        for waiter in awaited { waiter.continuation.resume() }
        defer { state.withLock { $0.concurrent -= 1 } }
        if let held, name != held.awaited, arrivals.count(where: { $0 == name }) > held.count {
            await arrival(of: held.awaited)
        }
        guard hanging.contains(name) else { return true }
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.held.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
        return isTaking
    }

    /// Waits until a merchant's server is reached for the first time.
    func arrival(of name: String) async { await wait { $0.contains(name) } }

    /// Waits until so many messages have arrived.
    func arrivals(_ count: Int) async { await wait { $0.count >= count } }

    private func wait(until isMet: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = state.withLock { state in
                let isMetAlready = isMet(state.arrivals)
                if !isMetAlready { state.waiting.append((isMet, continuation)) }
                return isMetAlready
            }
            if isMetAlready { continuation.resume() }
        }
    }

    /// Lets those that hang answer, from now on, that they didn't take what they got.
    func release() {
        let held = state.withLock { state in
            state.isReleased = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Lets them hang again.
    func hold() {
        state.withLock { state in
            state.isReleased = false
            state.concurrentMax = 0
        }
    }
}
