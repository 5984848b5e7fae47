import Payments
import Synchronization
import TestSupport
import Testing
import Values
import Vault

/// The acquirer is asked once a transaction, whatever happens to the order meanwhile.
struct AskedOnceTests {
    private let store = InMemoryStore()

    @Test func `a decision that is made again keeps the answer`() async throws {
        let acquirer = try InterruptedAcquirer(answering: .declined) { try await perform(.verify, "2") }
        let transaction = try await perform(.authorize("5.00"), "1", acquirer)
        #expect(transaction.gatewayCode == .declined)
        #expect(transaction.order.version == 2)
        #expect(acquirer.asked.map(\.transaction.text) == ["1"])
        #expect(acquirer.concluded == ["1 committed"])
    }

    @Test func `a void of what was updated meanwhile undoes all of it, by the same answer`() async throws {
        try await perform(.authorize("10.00"), "1")
        let acquirer = try InterruptedAcquirer { try await perform(.update("25.00"), "2") }
        let transaction = try await perform(.void("1"), "3", acquirer)
        #expect(transaction.amount.description == "25.00")
        #expect(transaction.order.status == .cancelled)
        #expect(acquirer.asked.map(\.amount.minorUnits) == [1000])
        #expect(acquirer.concluded == ["3 committed"])
    }

    @Test func `a refund whose capture was refunded meanwhile is of the other one, by the same answer`() async throws {
        for (index, step) in [TestStep.authorize("20.00"), .capture("5.00"), .capture("5.00")].enumerated() {
            try await perform(step, "\(index + 1)")
        }
        try await perform(.refund("5.00", of: "2"), "4")
        let acquirer = try InterruptedAcquirer {
            try await perform(.void("4"), "5")
            try await perform(.refund("5.00", of: "3"), "6")
        }
        let transaction = try await perform(.refund("5.00"), "7", acquirer)
        #expect(transaction.targetTransactionID?.text == "2")
        #expect(acquirer.asked.map(\.target?.text) == ["3"])
    }

    @Test func `what is refused after the acquirer was asked is concluded as nothing`() async throws {
        try await perform(.authorize("5.00"), "1")
        let acquirer = try InterruptedAcquirer { try await perform(.capture("5.00"), "2") }
        await #expect(throws: Refusal.self) { try await perform(.capture("5.00"), "3", acquirer) }
        #expect(acquirer.asked.count == 1)
        #expect(acquirer.concluded == ["3 not committed"])
    }

    @Test func `a twin in another process has its answer given, and ours doesn't count`() async throws {
        let acquirer = try InterruptedAcquirer(answering: .declined) { try await perform(.authorize("5.00"), "1") }
        let transaction = try await perform(.authorize("5.00"), "1", acquirer)
        #expect(transaction.gatewayCode == .approved)
        #expect(acquirer.concluded == ["1 not committed"])
    }

    @Test func `a store that fails at the commit leaves nothing`() async throws {
        let acquirer = try InterruptedAcquirer {}
        let gateway = try Gateway.test(store: ReadOnlyStore(), acquirer: acquirer)
        await #expect(throws: Refusal.self) {
            try await gateway.perform(TestPayment().command, at: TestPayment.instant)
        }
        #expect(acquirer.concluded == ["1 not committed"])
    }

    @Test func `twins in one process ask once, and a different twin is refused`() async throws {
        let gate = Pauses()
        let acquirer = try InterruptedAcquirer { await gate.pause() }
        let gateway = try Gateway.test(store: store, acquirer: acquirer)
        let command = try TestPayment().command
        let different = try TestPayment { $0.parameters = "another request" }.command
        try await withThrowingTaskGroup(of: Transaction?.self) { group in
            for _ in 0..<8 {
                group.addTask { try await gateway.perform(command, at: TestPayment.instant) }
            }
            await gate.begun()
            group.addTask {
                await #expect(throws: Refusal.self) {
                    try await gateway.perform(different, at: TestPayment.instant)
                }
                return nil
            }
            for _ in 0..<100 { await Task.yield() }
            gate.end()
            let answers = try await group.reduce(into: [Transaction?]()) { $0.append($1) }.compactMap(\.self)
            #expect(answers.count == 8)
            #expect(answers.allSatisfy { $0 == answers[0] })
        }
        #expect(acquirer.asked.count == 1)
        #expect(acquirer.concluded == ["1 committed"])
    }

    @Test func `a twin of what was refused asks for itself`() async throws {
        try await perform(.authorize("5.00"), "1")
        let gate = Pauses()
        let acquirer = try InterruptedAcquirer { await gate.pause() }
        let gateway = try Gateway.test(store: RefusingOnce(store), acquirer: acquirer)
        let command = try TestPayment { $0.transaction = "2" }.command(of: .capture("5.00"))
        let first = Task { try? await gateway.perform(command, at: TestPayment.instant) }
        await gate.begun()
        let second = Task { try? await gateway.perform(command, at: TestPayment.instant) }
        for _ in 0..<100 { await Task.yield() }
        gate.end()
        let answers = [await first.value, await second.value].compactMap(\.self)
        #expect(answers.count == 1)
        #expect(acquirer.concluded == ["2 not committed", "2 committed"])
    }

    /// Carries out a step in a gateway of its own.
    @discardableResult
    private func perform(
        _ step: TestStep, _ transaction: String, _ acquirer: (any Acquirer)? = nil
    ) async throws -> Transaction {
        let payment = TestPayment { $0.transaction = transaction }
        return try await Gateway.test(store: store, acquirer: acquirer ?? TestSimulator.acquirer())
            .perform(payment.command(of: step), at: TestPayment.instant)
    }
}

/// An acquirer during whose answer something else happens.
private final class InterruptedAcquirer: Acquirer {
    private let acquirer: SimulatedAcquirer
    private let interruption: @Sendable () async throws -> Void
    private let state = Mutex<(asked: [AcquirerCommand], concluded: [String])>(([], []))

    init(answering gatewayCode: GatewayCode = .approved, _ interruption: @escaping @Sendable () async throws -> Void)
        throws
    {
        acquirer = try TestSimulator.acquirer(always: gatewayCode)
        self.interruption = interruption
    }

    var asked: [AcquirerCommand] { state.withLock { $0.asked } }
    var concluded: [String] { state.withLock { $0.concluded } }

    func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        state.withLock { $0.asked.append(command) }
        do { try await interruption() } catch { Issue.record(error) }
        return acquirer.answer(command)
    }

    func conclude(_ command: AcquirerCommand, isCommitted: Bool) {
        state.withLock { $0.concluded.append("\(command.transaction) \(isCommitted ? "" : "not ")committed") }
    }
}

/// Blocks its callers until a test releases them.
private final class Pauses: Sendable {
    private struct State {
        var isOver = false
        var hasBegun = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var tests: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pause() async {
        await withCheckedContinuation { continuation in
            let (isOver, tests) = state.withLock { state in
                state.hasBegun = true
                if !state.isOver { state.waiting.append(continuation) }
                defer { state.tests = [] }
                return (state.isOver, state.tests)
            }
            if isOver { continuation.resume() }
            for test in tests { test.resume() }
        }
    }

    /// Waits until somebody is held up.
    func begun() async {
        await withCheckedContinuation { continuation in
            let hasBegun = state.withLock { state in
                if !state.hasBegun { state.tests.append(continuation) }
                return state.hasBegun
            }
            if hasBegun { continuation.resume() }
        }
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A store that can't be written.
private struct ReadOnlyStore: PaymentStore {
    private let store = InMemoryStore()

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await store.recall(transaction, of: order)
    }
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { try await store.history(of: order) }
    func commit(_: Commit) async throws(StoreFailure) -> CommitOutcome { throw .unavailable(detail: "full") }
    func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int { 0 }
    func reset() async throws(StoreFailure) {}
    func reset(_: MerchantID, groups _: [[UInt8]]) async throws(StoreFailure) {}
}

/// A store whose first commit fails.
private final class RefusingOnce: PaymentStore {
    private let store: InMemoryStore
    private let hasFailed = Atomic<Bool>(false)

    init(_ store: InMemoryStore) { self.store = store }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await store.recall(transaction, of: order)
    }
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { try await store.history(of: order) }
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        guard hasFailed.exchange(true, ordering: .relaxed) else { throw .unavailable(detail: "once") }
        return try await store.commit(commit)
    }
    func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int { 0 }
    func reset() async throws(StoreFailure) {}
    func reset(_: MerchantID, groups _: [[UInt8]]) async throws(StoreFailure) {}
}
