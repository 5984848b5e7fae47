/// The token bucket of one ``HTTP2Rate``. It is refilled with time, up to the burst.
struct TokenBucket {
    private let rate: HTTP2Rate
    private var left: Int
    /// The instant up to which the bucket has been refilled, in nanoseconds.
    private var filledUntil: UInt64

    init(_ rate: HTTP2Rate, now: UInt64) {
        self.rate = rate
        left = rate.burst
        filledUntil = now
    }

    /// Takes one token.
    ///
    /// - Returns: false if there was none.
    mutating func take(now: UInt64) -> Bool {
        if left == 0 { fill(now: now) }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// Adds tokens, up to the burst.
    mutating func give(_ count: Int) { left = min(rate.burst, left + count) }

    private mutating func fill(now: UInt64) {
        guard rate.perSecond > 0, now > filledUntil else { return }
        let nanosecondsEach = 1_000_000_000 / UInt64(rate.perSecond)
        let count = (now - filledUntil) / nanosecondsEach
        left = Int(min(UInt64(rate.burst), count))
        // The fraction of the next token is kept.
        filledUntil += count * nanosecondsEach
    }
}
