/// How long things may take, in milliseconds.
struct Timing: Sendable {
    /// From a caller's question to its answer, whatever happens.
    var callerMilliseconds = 1800
    /// For the server to answer one exchange. The server itself ends a statement a little earlier.
    var answerMilliseconds = 1400
    /// For one attempt to connect, with everything that a new session is told.
    var connectMilliseconds = 1400
    /// Whether the first attempt to connect that fails is the last, as an operator waits for its reason.
    var triesConnectingOnce = false
    /// For what an operator asks: a migration, a reset.
    var administrationMilliseconds = 600_000
    /// For whom the server waits amid the removal of orders, before it lets go of what it keeps others from.
    var idleMilliseconds = 5000

    /// The time between attempts to connect: double each time up to a second, and half of it random, so that the instances
    /// that lost a server don't all come back to it at once.
    func pauseMilliseconds(beforeAttempt failed: Int) -> Int {
        let full = min(1000, 10 << min(failed - 1, 10))
        return full / 2 + Int.random(in: 0...(full / 2))
    }
}
