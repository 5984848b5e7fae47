/// Sends due notifications for as long as the program runs.
public struct NotificationPolling: Sendable {
    /// The interval between two checks of the outbox.
    private static let intervalMilliseconds = 500

    private let sender: NotificationSender
    private let task: Task<Void, Never>

    /// Starts polling.
    public init(_ sender: NotificationSender) {
        self.sender = sender
        task = Task {
            while !Task.isCancelled {
                // Not awaited, since a server may hang. The task is unstructured: cancellation would reach the store,
                // and be reported as its failure. There are at most as many of these tasks as merchants: each serves
                // some of them, or ends at once.
                Task { _ = await sender.sendDue() }
                try? await Task.sleep(for: .milliseconds(Self.intervalMilliseconds))
            }
        }
    }

    /// Stops sending. A notification in flight may be sent again by another run.
    public func stop() {
        task.cancel()
        sender.stop()
    }
}
