public import ApplePay
public import Payments

/// A message for a store's webhook.
public struct WebhookMessage: Sendable {
    /// Where it goes.
    public let webhook: RadialWebhook
    /// The XML.
    public let content: [UInt8]
}

/// Takes messages from the outbox and sends them to stores' webhooks, each until it is taken or too old.
///
/// Nothing of it is on a request's path. What can't be sent waits: one second after the first attempt, then twice as long each
/// time, an hour at most. A message that nobody took within the webhook's time is dropped and told of.
public struct SettlementStatusDelivery: Sendable {
    /// How long one attempt may take before others may make it, in milliseconds: longer than a sender waits.
    public static let attemptMilliseconds: Int64 = 60_000
    private static let pauseMillisecondsMax: Int64 = 3_600_000

    private let outbox: Outbox
    private let merchants: MerchantDirectory
    private let machineTime: @Sendable () -> Instant
    private let send: @Sendable (WebhookMessage) async -> Bool
    private let report: @Sendable (String) -> Void

    /// A delivery.
    ///
    /// - Parameters:
    ///   - send: sends a message, and tells whether it was taken.
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

    /// Sends one message that is due for each merchant who has a webhook.
    ///
    /// - Returns: how many were due. A store that fails has been told of elsewhere, and counts as none.
    public func deliverDue() async -> Int {
        var count = 0
        for merchant in merchants.all.list.sorted(by: { $0.id.text < $1.id.text }) {
            guard let webhook = merchant.radial?.webhook else { continue }
            do throws(StoreFailure) {
                let taken = try await outbox.take(for: Self.attemptMilliseconds, of: merchant.id, at: machineTime())
                guard let message = taken else { continue }
                count += 1
                try await deliver(message, to: webhook)
            } catch {
                continue
            }
        }
        return count
    }

    private func deliver(_ message: Outbox.Message, to webhook: RadialWebhook) async throws(StoreFailure) {
        if await send(WebhookMessage(webhook: webhook, content: message.text)) {
            try await outbox.remove(message)
            return
        }
        let now = machineTime()
        let next = now.advanced(byMilliseconds: Self.pauseMilliseconds(after: message.attempts))
        guard next < message.added.advanced(byMilliseconds: webhook.retryMilliseconds) else {
            try await outbox.remove(message)
            report(
                "webhook of merchant \(message.merchant.text): a settlement's status was dropped after "
                    + "\(message.attempts) attempts")
            return
        }
        try await outbox.putBack(message, until: next)
    }

    /// How long nobody tries again after so many attempts.
    static func pauseMilliseconds(after attempts: Int64) -> Int64 {
        min(pauseMillisecondsMax, 1000 << min(max(attempts - 1, 0), 12))
    }
}
