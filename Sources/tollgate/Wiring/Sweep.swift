import ControlAPI
import HTTPServer
internal import Payments
internal import Vault

/// Periodically removes data while the gateway serves: expired sessions, and orders that are too old or too many. Also
/// returns freed memory to the system, so that the contents of expired sessions don't stay in memory.
struct Sweep {
    private static let pauseSeconds = 60
    /// The maximum number of items removed at once, so that requests don't have to wait.
    private static let countMax = 256
    /// The pause between two removals if there are more items, which leaves most of the time to requests.
    private static let pauseMilliseconds = 10

    private let task: Task<Void, Never>

    /// Starts sweeping, once a minute.
    ///
    /// - Parameter remove: removes at most the given number of items, and returns how many it removed.
    init(_ remove: @escaping @Sendable (Int) async throws -> Int) {
        task = Task {
            while !Task.isCancelled {
                // The task is unstructured: cancellation would reach the store, and be reported as its failure. A
                // failing store has already been reported, and the next round tries again.
                let removal = Task { try? await remove(Self.countMax) }
                let hasMore = await removal.value == Self.countMax
                try? await Task.sleep(
                    for: hasMore ? .milliseconds(Self.pauseMilliseconds) : .seconds(Self.pauseSeconds))
            }
        }
    }

    /// Stops sweeping.
    func stop() { task.cancel() }
}

extension Wiring {
    /// Starts the sweeps.
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
