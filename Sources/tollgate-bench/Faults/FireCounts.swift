/// The results of a run with kills.
struct FireCounts {
    var kills = 0
    /// The number of kills that hit a gateway during its start; included in the total.
    var killsAtStart = 0
    /// The number of acknowledged writes, each counted once.
    var acknowledged = 0
    /// The number of refused requests.
    var refused = 0
    /// The number of answers 503 SERVER_BUSY.
    var busy = 0
    /// The number of requests whose connection was lost.
    var lost = 0
    /// The number of requests without an answer that RETRIEVE showed to be done, and the number that it showed not to be
    /// done.
    var foundDone = 0
    var foundUndone = 0
    /// The number of requests that were repeated after a kill, and then answered with a transaction.
    var repeated = 0
    /// The number of orders that were compared with all answers about them.
    var orderChecks = 0
    /// The number of answers to RETRIEVE.
    var retrieved = 0
    /// The longest time from the end of a kill to the last answer of the check that follows it.
    var slowestCheckNanoseconds: UInt64 = 0

    /// The results in one line.
    var summary: String {
        """
        \(kills) kills (\(killsAtStart) amid a start), \(acknowledged) writes acknowledged, \(refused) refused, \
        \(busy) answered busy, \(lost) lost (\(foundDone) found done, \(foundUndone) not), \(repeated) sent again with \
        the same bytes, \(retrieved) retrievals, \(orderChecks) orders checked
        """
    }
}
