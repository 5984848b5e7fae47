/// What a run under fire came to.
struct FireCounts {
    var kills = 0
    /// Kills that met a gateway while it started, among all.
    var killsAtStart = 0
    /// Writes that a client was told were done, each counted once.
    var acknowledged = 0
    /// Refusals.
    var refused = 0
    /// Answers 503 SERVER_BUSY.
    var busy = 0
    /// Requests whose connection was lost.
    var lost = 0
    /// Of the requests without an answer: those that RETRIEVE showed to be done, and those that it showed not to be.
    var foundDone = 0
    var foundUndone = 0
    /// Requests that were sent again after a kill, and answered with a transaction.
    var repeated = 0
    /// Orders that were compared with all that was answered on them.
    var orderChecks = 0
    /// Answers to RETRIEVE.
    var retrieved = 0
    /// The longest from a kill's end to the last answer of the look that follows it.
    var slowestCheckNanoseconds: UInt64 = 0

    /// One line.
    var summary: String {
        """
        \(kills) kills (\(killsAtStart) amid a start), \(acknowledged) writes acknowledged, \(refused) refused, \
        \(busy) answered busy, \(lost) lost (\(foundDone) found done, \(foundUndone) not), \(repeated) sent again with \
        the same bytes, \(retrieved) retrievals, \(orderChecks) orders checked
        """
    }
}
