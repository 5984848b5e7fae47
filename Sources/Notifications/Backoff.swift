internal import Values

/// Exponential backoff: one second after the first attempt, then doubling up to one hour.
enum Backoff {
    private static let pauseMillisecondsMin: Int64 = 1000
    private static let pauseMillisecondsMax: Int64 = 3_600_000

    /// The pause after a number of attempts, in milliseconds.
    static func pauseMilliseconds(after attempts: Int64) -> Int64 {
        min(pauseMillisecondsMax, pauseMillisecondsMin << min(max(attempts - 1, 0), 12))
    }

    /// When a message is sent again after an attempt that ended at `instant`; nil if its time is over by then.
    ///
    /// - Parameters:
    ///   - attempts: how often it was sent.
    ///   - added: when it was added, from which `retryMilliseconds` count.
    static func nextAttempt(
        after attempts: Int64, at instant: Instant, added: Instant, retryMilliseconds: Int64
    ) -> Instant? {
        let next = instant.advanced(byMilliseconds: pauseMilliseconds(after: attempts))
        return next < added.advanced(byMilliseconds: retryMilliseconds) ? next : nil
    }
}
