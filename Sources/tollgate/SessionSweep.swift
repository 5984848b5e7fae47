import ApplePay
import Payments

/// Removes expired sessions while nobody asks for new ones, so that what they hold does not outlast them for long.
struct SessionSweep {
    private static let pauseSeconds = 60
    /// How many sessions go at once, so that requests need not wait for them.
    private static let countMax = 256

    private let task: Task<Void, Never>

    /// Sweeps from now on, once a minute.
    init(_ sessions: Sessions, at now: @escaping @Sendable () -> Instant) {
        task = Task {
            while !Task.isCancelled {
                // In a task of its own: the end of the sweeping is no failure of the store's, which would be told. A store
                // that fails has been reported, and is asked again at the next turn.
                let removal = Task { try? await sessions.removeExpired(at: now(), countMax: Self.countMax) }
                if await removal.value == Self.countMax { continue }
                try? await Task.sleep(for: .seconds(Self.pauseSeconds))
            }
        }
    }

    /// Ends the sweeping.
    func stop() { task.cancel() }
}
