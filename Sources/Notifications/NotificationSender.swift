public import HTTP
public import Payments
internal import Synchronization
public import Values
public import Vault

/// Sends the outbox's messages to merchants' servers. Each is sent again until it is accepted or expires.
///
/// This happens outside of requests, with exponential backoff: one second after the first attempt, then doubling up to one
/// hour. A message that is not accepted within its destination's retry period is dropped and reported.
///
/// Several merchants are served concurrently, and a slow server delays only its own merchant. A merchant's turn ends with
/// the first message that is not accepted, or after `turnMessagesMax` messages. Merchants whose servers failed last can't
/// occupy all permits.
public final class NotificationSender: Sendable {
    /// How long an attempt reserves its message, in milliseconds; longer than the client's timeout.
    public static let attemptMilliseconds: Int64 = 60_000
    /// The maximum number of messages sent concurrently.
    public static let concurrentMax = 8
    /// The maximum number of concurrent messages to merchants whose last attempt failed.
    static let failingMax = 4
    /// The maximum number of messages that a merchant sends before it yields to waiting merchants.
    static let turnMessagesMax = 16

    private struct State {
        /// Merchants whose messages are being sent.
        var inFlight: Set<MerchantID> = []
        /// Merchants whose last attempt failed.
        var failing: Set<MerchantID> = []
        var isStopped = false
    }

    private let outbox: Outbox
    private let merchants: MerchantDirectory
    private let kinds: [OutboxKind: NotificationKind]
    private let machineTime: @Sendable () -> Instant
    private let send: @Sendable (Request) async -> Bool
    private let report: @Sendable (String) -> Void
    private let permits = FairSemaphore(permits: concurrentMax)
    private let failingPermits = FairSemaphore(permits: failingMax)
    private let state = Mutex(State())

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - kinds: those that are sent; messages of other kinds stay in the outbox.
    ///   - machineTime: the system clock, which decides when messages are due.
    ///   - send: sends a message, and returns whether it was accepted. Called for at most ``concurrentMax`` messages
    ///     concurrently, and for one message of a merchant at a time.
    ///   - report: receives one line for each dropped message, without its content.
    public init(
        outbox: Outbox, merchants: MerchantDirectory, kinds: [NotificationKind],
        machineTime: @escaping @Sendable () -> Instant, send: @escaping @Sendable (Request) async -> Bool,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.outbox = outbox
        self.merchants = merchants
        self.kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.kind, $0) })
        self.machineTime = machineTime
        self.send = send
        self.report = report
    }

    /// Sends all due messages of merchants with a destination, until none is due or one is not accepted. Merchants that an
    /// earlier call still serves are skipped, so calls may overlap while a server hangs.
    ///
    /// - Returns: how many messages were due. A store failure is reported elsewhere and counts as none.
    public func sendDue() async -> Int {
        let candidates = merchants.all.list.filter { !destinations(of: $0).isEmpty }.map(\.id)
        let mine = state.withLock { state -> [MerchantID] in
            guard !state.isStopped else { return [] }
            state.failing.formIntersection(candidates)
            return candidates.filter { state.inFlight.insert($0).inserted }
        }
        return await withTaskGroup(of: Int.self) { group in
            for merchant in mine.sorted(by: { $0.text < $1.text }) {
                group.addTask { await self.drain(merchant) }
            }
            return await group.reduce(0, +)
        }
    }

    /// Stops sending further messages. Another run may resend those in flight.
    public func stop() { state.withLock { $0.isStopped = true } }

    private func destinations(of merchant: Merchant) -> [OutboxKind: NotificationDestination] {
        kinds.compactMapValues { $0.destination(merchant) }
    }

    /// The number of merchants that wait for a permit.
    var waitingCount: Int { permits.waitingCount }

    /// Sends a merchant's messages until none is due or one is not accepted. Returns how many were due.
    private func drain(_ merchant: MerchantID) async -> Int {
        defer { _ = state.withLock { $0.inFlight.remove(merchant) } }
        var count = 0
        while true {
            let isFailing = state.withLock { $0.failing.contains(merchant) }
            if isFailing { await failingPermits.acquire() }
            await permits.acquire()
            let (sent, hasMore) = await turn(of: merchant)
            permits.release()
            if isFailing { failingPermits.release() }
            count += sent
            guard hasMore else { return count }
        }
    }

    /// Sends up to ``turnMessagesMax`` due messages.
    ///
    /// - Returns: how many messages were due, and whether more may be.
    private func turn(of merchant: MerchantID) async -> (sent: Int, hasMore: Bool) {
        for sent in 0..<Self.turnMessagesMax {
            // The merchant's current configuration.
            guard !state.withLock(\.isStopped), let destinations = merchants[merchant].map(destinations),
                !destinations.isEmpty
            else { return (sent, false) }
            do throws(StoreFailure) {
                let taken = try await outbox.take(
                    Set(destinations.keys), for: Self.attemptMilliseconds, of: merchant, at: machineTime())
                guard let message = taken, let destination = destinations[message.kind] else { return (sent, false) }
                guard try await send(message, to: destination) else { return (sent + 1, false) }
            } catch {
                return (sent, false)
            }
        }
        return (Self.turnMessagesMax, true)
    }

    /// Sends a message. Returns whether the merchant's turn goes on: it was accepted, or can't be sent.
    private func send(
        _ message: Outbox.Message, to destination: NotificationDestination
    ) async throws(StoreFailure) -> Bool {
        guard let request = destination.request(message) else {
            try await drop(message, "because its text can't be read")
            return true
        }
        let isAccepted = await send(request)
        state.withLock { state in
            if isAccepted { state.failing.remove(message.merchant) } else { state.failing.insert(message.merchant) }
        }
        if isAccepted {
            try await outbox.remove(message)
            return true
        }
        let next = Backoff.nextAttempt(
            after: message.attempts, at: machineTime(), added: message.added,
            retryMilliseconds: destination.retryMilliseconds)
        if let next {
            try await outbox.putBack(message, until: next)
        } else {
            try await drop(message, "after \(message.attempts) attempts")
        }
        return false
    }

    private func drop(_ message: Outbox.Message, _ reason: String) async throws(StoreFailure) {
        try await outbox.remove(message)
        let noun = kinds[message.kind]?.noun ?? "a message"
        report("webhook of merchant \(message.merchant.text): \(noun) was dropped \(reason)")
    }
}
