import Glibc

/// Instants on the monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
enum Monotonic {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The instant some nanoseconds after another; the maximum value on overflow.
    static func after(_ instant: UInt64, _ nanoseconds: UInt64) -> UInt64 {
        let (sum, overflow) = instant.addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }

    /// Converts seconds to nanoseconds, clamped to the range of the result.
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        let nanoseconds = max(0, seconds) * 1e9
        return nanoseconds < 1.8e19 ? UInt64(nanoseconds) : .max
    }
}
