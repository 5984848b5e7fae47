import Glibc
import Values

/// The machine's clock, the only one in the program.
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

/// The clock for the gateway's checks and records: the machine's, or one that was set to an instant and runs on from
/// there.
struct GatewayClock: Sendable {
    /// How far the clock is ahead of the machine's; negative if it is behind.
    let offsetMilliseconds: Int64

    /// A clock that now shows `instant`, or the machine's time if that is nil.
    init(showing instant: Instant?) {
        offsetMilliseconds = instant.map { $0.millisecondsSinceEpoch - SystemClock.now().millisecondsSinceEpoch } ?? 0
    }

    /// A clock with this offset.
    init(offsetMilliseconds: Int64) { self.offsetMilliseconds = offsetMilliseconds }

    /// The present instant on this clock.
    func now() -> Instant { SystemClock.now().advanced(byMilliseconds: offsetMilliseconds) }
}
