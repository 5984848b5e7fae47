internal import Dispatch
internal import GRDB
internal import Payments
internal import Synchronization

/// Gathers commits and writes those that wait together in one SQLite transaction, so that one sync serves all of them.
///
/// While a batch is being synced the next one forms; nobody waits for a batch to fill.
final class CommitQueue: Sendable {
    /// The most commits in one SQLite transaction.
    static let batchMax = 256

    private struct Waiting: Sendable {
        let commit: PreparedCommit
        let continuation: CheckedContinuation<Result<CommitOutcome, StoreFailure>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWriting = false
    }

    private let pool: DatabasePool
    private let queue = DispatchQueue(label: "tollgate.store.commits")
    private let state = Mutex(State())

    init(pool: DatabasePool) { self.pool = pool }

    /// Returns once the commit is on the disk, or has had no effect.
    func commit(_ commit: PreparedCommit) async -> Result<CommitOutcome, StoreFailure> {
        await withCheckedContinuation { continuation in
            let mustStart = state.withLock { state in
                state.waiting.append(Waiting(commit: commit, continuation: continuation))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if mustStart { queue.async { self.writeWaiting() } }
        }
    }

    private func writeWaiting() {
        while let batch = nextBatch() {
            let results = write(batch.map(\.commit))
            for (waiting, result) in zip(batch, results) { waiting.continuation.resume(returning: result) }
        }
    }

    private func nextBatch() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let batch = Array(state.waiting.prefix(Self.batchMax))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }

    /// What became of each commit of a batch. If the batch as a whole fails it has had no effect, and each commit is
    /// written on its own, so that one that can't be written doesn't take the others with it.
    private func write(_ commits: [PreparedCommit]) -> [Result<CommitOutcome, StoreFailure>] {
        do {
            return try writeTogether(commits).map { .success($0) }
        } catch {
            let failure = SQLiteStore.failure(error)
            // A lock that another process holds would be waited for again by each.
            let isLocked = [.SQLITE_BUSY, .SQLITE_LOCKED].contains((error as? DatabaseError)?.resultCode)
            guard commits.count > 1, !isLocked else { return commits.map { _ in .failure(failure) } }
            return commits.flatMap { write([$0]) }
        }
    }

    private func writeTogether(_ commits: [PreparedCommit]) throws -> [CommitOutcome] {
        try pool.writeWithoutTransaction { database in
            var outcomes: [CommitOutcome] = []
            try database.inTransaction(.immediate) {
                outcomes = try commits.map { try $0.apply(to: database) }
                return .commit
            }
            return outcomes
        }
    }
}
