import Glibc
import Values

/// The system clock. All other clocks of the program are derived from it.
enum SystemClock {
    /// The present instant.
    static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(millisecondsSinceEpoch: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Nanoseconds on the monotonic clock, for measuring durations.
    static func monotonicNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The clock for the gateway's checks and records: the system clock, or a clock that was set to an instant and runs on
/// from there.
struct GatewayClock: Sendable {
    /// The offset from the system clock; negative if the gateway's clock is behind.
    let offsetMilliseconds: Int64

    /// Creates a clock that now shows `instant`, or the system time if that is nil.
    init(showing instant: Instant?) {
        offsetMilliseconds = instant.map { $0.millisecondsSinceEpoch - SystemClock.now().millisecondsSinceEpoch } ?? 0
    }

    /// Creates a clock with this offset.
    init(offsetMilliseconds: Int64) { self.offsetMilliseconds = offsetMilliseconds }

    /// The present instant on this clock.
    func now() -> Instant { SystemClock.now().advanced(byMilliseconds: offsetMilliseconds) }
}
