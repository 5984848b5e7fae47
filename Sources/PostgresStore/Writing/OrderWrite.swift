internal import Payments
internal import Vault

/// A write in the commit queue.
enum OrderWrite: BatchedWrite {
    case commit(PreparedCommit)
    /// A health check: commits a transaction that only increments the writer's batch number.
    case probe

    private var commit: PreparedCommit? {
        switch self {
        case .commit(let commit): commit
        case .probe: nil
        }
    }

    static func lockQueries(of batch: [OrderWrite]) -> [Query] {
        PreparedCommit.lockQueries(of: batch.compactMap(\.commit))
    }

    static func decide(
        _ batch: [OrderWrite], on answers: ArraySlice<QueryResult>
    ) throws(StoreFailure) -> BatchDecision<CommitOutcome?> {
        let decision = try PreparedCommit.decide(batch.compactMap(\.commit), on: answers)
        let hasProbe = decision.outcomes.count < batch.count
        var outcomes = decision.outcomes[...]
        return BatchDecision(
            outcomes: batch.map { $0.commit == nil ? nil : outcomes.popFirst() }, changes: decision.changes,
            hasEffect: decision.hasEffect || hasProbe)
    }
}
