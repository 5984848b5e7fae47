/// The token bucket of one ``HTTP2Rate``: time fills it, up to the burst.
struct TokenBucket {
    private let rate: HTTP2Rate
    private var left: Int
    /// Up to when the bucket has been filled, in nanoseconds.
    private var filledUntil: UInt64

    init(_ rate: HTTP2Rate, now: UInt64) {
        self.rate = rate
        left = rate.burst
        filledUntil = now
    }

    /// Takes one.
    ///
    /// - Returns: false if there was none.
    mutating func take(now: UInt64) -> Bool {
        if left == 0 { fill(now: now) }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// Gives some back, up to the burst.
    mutating func give(_ count: Int) { left = min(rate.burst, left + count) }

    private mutating func fill(now: UInt64) {
        guard rate.perSecond > 0, now > filledUntil else { return }
        let nanosecondsEach = 1_000_000_000 / UInt64(rate.perSecond)
        let count = (now - filledUntil) / nanosecondsEach
        left = Int(min(UInt64(rate.burst), count))
        // The part of one that has accrued is kept.
        filledUntil += count * nanosecondsEach
    }
}
