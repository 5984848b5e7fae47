public import Payments
internal import Synchronization
public import Values

/// A message for a store's webhook.
public struct WebhookMessage: Sendable {
    /// Where it goes.
    public let webhook: RadialWebhook
    /// By which the store knows an event again that it is sent once more.
    public let id: String
    /// The XML.
    public let content: [UInt8]
}

/// Takes messages from the outbox and sends them to stores' webhooks, each until it is taken or too old.
///
/// Nothing of it is on a request's path. What can't be sent waits: one second after the first attempt, then twice as long each
/// time, an hour at most. A message that nobody took within the webhook's time is dropped and told of.
///
/// Merchants take turns, several at a time, and none waits for what another one's webhook does: a turn ends with the first
/// message that isn't taken, or after some that are, and webhooks that failed last never have all the turns.
public final class SettlementStatusDelivery: Sendable {
    /// How long one attempt may take before others may make it, in milliseconds: longer than a sender waits.
    public static let attemptMilliseconds: Int64 = 60_000
    /// How many messages are being sent at one time.
    public static let concurrentMax = 8
    /// How many of them to webhooks that didn't take what they were sent last.
    static let doubtfulMax = 4
    /// How many messages a merchant may have sent before others who wait are next.
    static let turnMessagesMax = 16
    private static let pauseMillisecondsMax: Int64 = 3_600_000

    private struct State {
        /// Whose messages are being looked after.
        var underWay: Set<MerchantID> = []
        /// Whose webhooks failed last.
        var doubtful: Set<MerchantID> = []
        var isStopped = false
    }

    private let outbox: Outbox
    private let merchants: MerchantDirectory
    private let machineTime: @Sendable () -> Instant
    private let send: @Sendable (WebhookMessage) async -> Bool
    private let report: @Sendable (String) -> Void
    private let turns = DeliveryTurns(countMax: concurrentMax)
    private let doubtfulTurns = DeliveryTurns(countMax: doubtfulMax)
    private let state = Mutex(State())

    /// A delivery.
    ///
    /// - Parameters:
    ///   - send: sends a message, and tells whether it was taken. Called at most ``concurrentMax`` times at once, and once at
    ///     a time for a merchant.
    ///   - report: is told of messages that were dropped, in one line without what they say.
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

    /// Sends what is due for each merchant who has a webhook, until nothing is or a message isn't taken. Merchants whom an
    /// earlier call still looks after are left to it, so that one may call again while a webhook hangs.
    ///
    /// - Returns: how many were due. A store that fails has been told of elsewhere, and counts as none.
    public func deliverDue() async -> Int {
        let candidates = merchants.all.list.filter { $0.radial?.webhook != nil }.map(\.id)
        let mine = state.withLock { state -> [MerchantID] in
            guard !state.isStopped else { return [] }
            state.doubtful.formIntersection(candidates)
            return candidates.filter { state.underWay.insert($0).inserted }
        }
        return await withTaskGroup(of: Int.self) { group in
            for merchant in mine.sorted(by: { $0.text < $1.text }) {
                group.addTask { await self.drain(merchant) }
            }
            return await group.reduce(0, +)
        }
    }

    /// Begins to send no message any more. Those that are being sent may be sent again by another run.
    public func stop() { state.withLock { $0.isStopped = true } }

    /// How many merchants wait for a turn.
    var waitingCount: Int { turns.waitingCount }

    /// Gives a merchant turns until nothing is due for them, or a message wasn't taken.
    private func drain(_ merchant: MerchantID) async -> Int {
        defer { _ = state.withLock { $0.underWay.remove(merchant) } }
        var count = 0
        while true {
            let isDoubtful = state.withLock { $0.doubtful.contains(merchant) }
            if isDoubtful { await doubtfulTurns.begin() }
            await turns.begin()
            let (sent, hasMore) = await turn(of: merchant)
            turns.end()
            if isDoubtful { doubtfulTurns.end() }
            count += sent
            guard hasMore else { return count }
        }
    }

    /// Sends some of what is due.
    ///
    /// - Returns: how many messages were due, and whether there may be more to send at once.
    private func turn(of merchant: MerchantID) async -> (sent: Int, hasMore: Bool) {
        for sent in 0..<Self.turnMessagesMax {
            // As the merchant is configured by now.
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

    /// Sends a message, and tells whether it was taken.
    private func deliver(
        _ message: Outbox.Message, to webhook: RadialWebhook
    ) async throws(StoreFailure) -> Bool {
        let isTaken = await send(WebhookMessage(webhook: webhook, id: message.id, content: message.text))
        state.withLock { state in
            if isTaken { state.doubtful.remove(message.merchant) } else { state.doubtful.insert(message.merchant) }
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

    /// How long nobody tries again after so many attempts.
    static func pauseMilliseconds(after attempts: Int64) -> Int64 {
        min(pauseMillisecondsMax, 1000 << min(max(attempts - 1, 0), 12))
    }
}
