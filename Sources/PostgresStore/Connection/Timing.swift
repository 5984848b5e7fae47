/// Timeouts in milliseconds.
struct Timing: Sendable {
    /// From a caller's request to its answer, in every case.
    var callerMilliseconds = 1800
    /// For the answer to one exchange. The server's `statement_timeout` is 200 ms shorter.
    var answerMilliseconds = 1400
    /// For one connection attempt, including the preparation of the session.
    var connectMilliseconds = 1400
    /// Whether to give up after one failed connection attempt, so that an operator sees the reason at once.
    var triesConnectingOnce = false
    /// For an operator's commands, such as a migration or a reset.
    var administrationMilliseconds = 600_000
    /// How long the server keeps an idle pruning transaction, and thus its locks, before it ends the session.
    var idleMilliseconds = 5000

    /// The exponential backoff between connection attempts: doubles from 10 ms up to one second, and half of it is
    /// random. The jitter keeps instances that lost the same server from reconnecting all at once.
    func pauseMilliseconds(beforeAttempt failed: Int) -> Int {
        let full = min(1000, 10 << min(failed - 1, 10))
        return full / 2 + Int.random(in: 0...(full / 2))
    }
}
