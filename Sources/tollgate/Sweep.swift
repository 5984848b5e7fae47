import ControlAPI
import HTTPServer
import Payments

/// Removes what is no longer kept, now and then, while the gateway serves: sessions that have expired, so that what they hold
/// does not outlast them for long, orders that are too old or too many, and memory that was freed.
struct Sweep {
    private static let pauseSeconds = 60
    /// How many go at once, so that requests need not wait for them.
    private static let countMax = 256
    /// The pause where there are more, so that most of the time is for requests.
    private static let pauseMilliseconds = 10

    private let task: Task<Void, Never>

    /// Sweeps from now on, once a minute.
    ///
    /// - Parameter remove: removes at most as many as it is told, and returns how many.
    init(_ remove: @escaping @Sendable (Int) async throws -> Int) {
        task = Task {
            while !Task.isCancelled {
                // In a task of its own: the end of the sweeping is no failure of the store's, which would be told. A store
                // that fails has been reported, and is asked again at the next turn.
                let removal = Task { try? await remove(Self.countMax) }
                let hasMore = await removal.value == Self.countMax
                try? await Task.sleep(
                    for: hasMore ? .milliseconds(Self.pauseMilliseconds) : .seconds(Self.pauseSeconds))
            }
        }
    }

    /// Ends the sweeping.
    func stop() { task.cancel() }
}

extension Wiring {
    /// Begins to remove what is no longer kept.
    func sweeps() -> [Sweep] {
        let (sessions, store, retention, clock) = (sessions, store, settings.retention, clock)
        var sweeps = [
            Sweep { try await sessions.removeExpired(at: clock.now(), countMax: $0) },
            Sweep { _ in
                FreedMemory.giveBack()
                return 0
            },
        ]
        if !retention.keepsAll {
            sweeps.append(Sweep { try await store.prune(retention, at: clock.now(), countMax: $0) })
        }
        return sweeps
    }
}
