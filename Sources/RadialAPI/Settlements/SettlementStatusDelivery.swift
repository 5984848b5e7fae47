public import Payments
internal import Synchronization
public import Values
public import Vault

/// A message for a store's webhook.
public struct WebhookMessage: Sendable {
    /// The destination.
    public let webhook: RadialWebhook
    /// The event's id, by which the store detects duplicates.
    public let id: String
    /// The XML.
    public let content: [UInt8]
}

/// Sends messages from the outbox to stores' webhooks. Each is retried until it is accepted or expires.
///
/// Delivery happens outside of requests. Retries use exponential backoff: one second after the first attempt, then
/// doubling up to one hour. A message that is not accepted within the webhook's retry period is dropped and reported.
///
/// Several merchants are served concurrently, and a slow webhook delays only its own merchant. A merchant's permit ends
/// with the first message that is not accepted, or after `turnMessagesMax` messages. Webhooks that failed last can't
/// occupy all permits.
public final class SettlementStatusDelivery: Sendable {
    /// How long an attempt reserves its message, in milliseconds. Longer than a sender's timeout.
    public static let attemptMilliseconds: Int64 = 60_000
    /// The most messages that are sent concurrently.
    public static let concurrentMax = 8
    /// The most of these that go to webhooks whose last attempt failed.
    static let failingMax = 4
    /// The most messages that a merchant sends before it yields to waiting merchants.
    static let turnMessagesMax = 16
    private static let pauseMillisecondsMax: Int64 = 3_600_000

    private struct State {
        /// Merchants whose messages are being sent.
        var inFlight: Set<MerchantID> = []
        /// Merchants whose webhooks failed last.
        var failing: Set<MerchantID> = []
        var isStopped = false
    }

    private let outbox: Outbox
    private let merchants: MerchantDirectory
    private let machineTime: @Sendable () -> Instant
    private let send: @Sendable (WebhookMessage) async -> Bool
    private let report: @Sendable (String) -> Void
    private let permits = FairSemaphore(permits: concurrentMax)
    private let failingPermits = FairSemaphore(permits: failingMax)
    private let state = Mutex(State())

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - send: sends a message, and returns whether it was accepted. Called for at most ``concurrentMax`` messages
    ///     concurrently, and for one message of a merchant at a time.
    ///   - report: receives one line for each dropped message, without its content.
    public init(
        outbox: Outbox, merchants: MerchantDirectory, machineTime: @escaping @Sendable () -> Instant,
        send: @escaping @Sendable (WebhookMessage) async -> Bool, report: @escaping @Sendable (String) -> Void
    ) {
        self.outbox = outbox
        self.merchants = merchants
        self.machineTime = machineTime
        self.send = send
        self.report = report
    }

    /// Sends all due messages of merchants with a webhook, until none is due or one is not accepted. Merchants that an
    /// earlier call still serves are skipped, so calls may overlap while a webhook hangs.
    ///
    /// - Returns: how many messages were due. A store failure is reported elsewhere and counts as none.
    public func deliverDue() async -> Int {
        let candidates = merchants.all.list.filter { $0.radial?.webhook != nil }.map(\.id)
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

    /// How many merchants wait for a permit.
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
            guard !state.withLock(\.isStopped), let webhook = merchants[merchant]?.radial?.webhook else {
                return (sent, false)
            }
            do throws(StoreFailure) {
                let taken = try await outbox.take(for: Self.attemptMilliseconds, of: merchant, at: machineTime())
                guard let message = taken else { return (sent, false) }
                guard try await deliver(message, to: webhook) else { return (sent + 1, false) }
            } catch {
                return (sent, false)
            }
        }
        return (Self.turnMessagesMax, true)
    }

    /// Sends a message. Returns whether it was accepted.
    private func deliver(
        _ message: Outbox.Message, to webhook: RadialWebhook
    ) async throws(StoreFailure) -> Bool {
        let isTaken = await send(WebhookMessage(webhook: webhook, id: message.id, content: message.text))
        state.withLock { state in
            if isTaken { state.failing.remove(message.merchant) } else { state.failing.insert(message.merchant) }
        }
        if isTaken {
            try await outbox.remove(message)
            return true
        }
        let now = machineTime()
        let next = now.advanced(byMilliseconds: Self.pauseMilliseconds(after: message.attempts))
        guard next < message.added.advanced(byMilliseconds: webhook.retryMilliseconds) else {
            try await outbox.remove(message)
            report(
                "webhook of merchant \(message.merchant.text): a settlement's status was dropped after "
                    + "\(message.attempts) attempts")
            return false
        }
        try await outbox.putBack(message, until: next)
        return false
    }

    /// The exponential backoff after a number of attempts.
    static func pauseMilliseconds(after attempts: Int64) -> Int64 {
        min(pauseMillisecondsMax, 1000 << min(max(attempts - 1, 0), 12))
    }
}
