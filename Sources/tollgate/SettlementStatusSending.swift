import RadialAPI

/// Sends settlements' statuses to merchants' webhooks as long as the program runs.
struct SettlementStatusSending {
    /// How often the outbox is looked at while nothing in it is due.
    private static let pauseMilliseconds = 500

    private let task: Task<Void, Never>

    /// Sends from now on.
    init(_ delivery: SettlementStatusDelivery) {
        task = Task {
            while !Task.isCancelled {
                // In a task of its own: the end of the sending is no failure of the store's, which would be told.
                let sending = Task { await delivery.deliverDue() }
                if await sending.value > 0 { continue }
                try? await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
            }
        }
    }

    /// Ends the sending; a message that is being sent may be sent again by another run.
    func stop() { task.cancel() }
}
