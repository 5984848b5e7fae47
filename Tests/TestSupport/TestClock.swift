internal import Synchronization
public import Values

/// A clock that a test sets.
public final class TestClock: Sendable {
    private let state: Mutex<(instant: Instant, stepMilliseconds: Int64)>

    /// A clock that stands still at an instant.
    public init(_ instant: Instant) { state = Mutex((instant, 0)) }

    /// What the clock shows.
    public var now: Instant {
        state.withLock { state in
            defer { state.instant = state.instant.advanced(byMilliseconds: state.stepMilliseconds) }
            return state.instant
        }
    }

    /// Sets the clock forward.
    public func advance(byMilliseconds milliseconds: Int64) {
        state.withLock { $0.instant = $0.instant.advanced(byMilliseconds: milliseconds) }
    }

    /// From now on every look at the clock finds it so much later than the last one.
    public func advanceWithEachLook(byMilliseconds milliseconds: Int64) {
        state.withLock { $0.stepMilliseconds = milliseconds }
    }
}
