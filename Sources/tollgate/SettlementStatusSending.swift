import RadialAPI

/// Sends settlements' statuses to merchants' webhooks as long as the program runs.
struct SettlementStatusSending {
    /// How often the outbox is looked at.
    private static let pauseMilliseconds = 500

    private let delivery: SettlementStatusDelivery
    private let task: Task<Void, Never>

    /// Sends from now on.
    init(_ delivery: SettlementStatusDelivery) {
        self.delivery = delivery
        task = Task {
            while !Task.isCancelled {
                // Not waited for, as a webhook may hang; and in a task of its own, as the end of the sending is no failure
                // of the store's, which would be told. There are no more of these tasks than merchants: each looks after
                // some of them, or ends at once.
                Task { _ = await delivery.deliverDue() }
                try? await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
            }
        }
    }

    /// Ends the sending; a message that is being sent may be sent again by another run.
    func stop() {
        task.cancel()
        delivery.stop()
    }
}
