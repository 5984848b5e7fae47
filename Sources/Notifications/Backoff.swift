internal import Values

/// Exponential backoff: one second after the first attempt, then doubling up to one hour.
enum Backoff {
    private static let pauseMillisecondsMin: Int64 = 1000
    private static let pauseMillisecondsMax: Int64 = 3_600_000

    /// The pause after a number of attempts, in milliseconds.
    static func pauseMilliseconds(after attempts: Int64) -> Int64 {
        min(pauseMillisecondsMax, pauseMillisecondsMin << min(max(attempts - 1, 0), 12))
    }

    /// The time of the next attempt after one that ended at `instant`; nil if the message has expired by then.
    ///
    /// - Parameters:
    ///   - attempts: the number of attempts so far.
    ///   - added: when the message was added; `retryMilliseconds` counts from then.
    static func nextAttempt(
        after attempts: Int64, at instant: Instant, added: Instant, retryMilliseconds: Int64
    ) -> Instant? {
        let next = instant.advanced(byMilliseconds: pauseMilliseconds(after: attempts))
        return next < added.advanced(byMilliseconds: retryMilliseconds) ? next : nil
    }
}
