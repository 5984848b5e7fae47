import RadialAPI

/// Sends settlement statuses to merchants' webhooks as long as the program runs.
struct SettlementStatusSending {
    /// The interval between two checks of the outbox.
    private static let pauseMilliseconds = 500

    private let delivery: SettlementStatusDelivery
    private let task: Task<Void, Never>

    /// Starts sending.
    init(_ delivery: SettlementStatusDelivery) {
        self.delivery = delivery
        task = Task {
            while !Task.isCancelled {
                // Not awaited, since a webhook may hang. The task is unstructured: cancellation would reach the store,
                // and be reported as its failure. There are at most as many of these tasks as merchants: each serves
                // some of them, or ends at once.
                Task { _ = await delivery.deliverDue() }
                try? await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
            }
        }
    }

    /// Stops sending. A message in flight may be sent again by another run.
    func stop() {
        task.cancel()
        delivery.stop()
    }
}
