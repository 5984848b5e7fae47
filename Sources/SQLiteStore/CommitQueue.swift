internal import Dispatch
internal import GRDB
internal import Payments

/// What a queue writes: it checks what it finds and then writes all of itself, or tells what stands against it.
protocol PreparedWrite: Sendable {
    /// What became of it.
    associatedtype Outcome: Sendable

    /// Every check comes before the first write, so that only what has succeeded has written anything.
    func apply(to database: Database) throws -> Outcome
}

/// Gathers commits and writes those that wait together in one SQLite transaction, so that one sync serves all of them.
///
/// The actor's queue does the gathering: while a batch is being written and synced the commits that arrive pile up on it,
/// and the first of them to run puts the next write behind all the others. Nobody waits for a batch to fill.
actor CommitQueue<Commit: PreparedWrite> {
    /// The most commits in one SQLite transaction.
    private let batchMax = BatchSizes.sizeMax

    private struct Waiting {
        let commit: Commit
        let continuation: CheckedContinuation<Result<Commit.Outcome, StoreFailure>, Never>
    }

    /// How many were written together.
    nonisolated let sizes = BatchSizes()

    private let pool: DatabasePool
    private let executor = QueueExecutor(label: "tollgate.store.commits")
    /// A write is on the queue as long as this is not empty.
    private var waiting: [Waiting] = []

    init(pool: DatabasePool) { self.pool = pool }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns once the commit is on the disk, or has had no effect.
    func commit(_ commit: Commit) async -> Result<Commit.Outcome, StoreFailure> {
        await withCheckedContinuation { continuation in
            waiting.append(Waiting(commit: commit, continuation: continuation))
            if waiting.count == 1 { putWriteOnQueue() }
        }
    }

    private func putWriteOnQueue() {
        executor.queue.async { self.assumeIsolated { $0.writeWaiting() } }
    }

    private func writeWaiting() {
        let batch = Array(waiting.prefix(batchMax))
        waiting.removeFirst(batch.count)
        if !waiting.isEmpty { putWriteOnQueue() }
        for (waiting, result) in zip(batch, write(batch.map(\.commit))) {
            waiting.continuation.resume(returning: result)
        }
    }

    /// What became of each commit of a batch. If the batch as a whole fails it has had no effect, and each commit is
    /// written on its own, so that one that can't be written doesn't take the others with it.
    private func write(_ commits: [Commit]) -> [Result<Commit.Outcome, StoreFailure>] {
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

    private func writeTogether(_ commits: [Commit]) throws -> [Commit.Outcome] {
        try pool.writeWithoutTransaction { database in
            var outcomes: [Commit.Outcome] = []
            try database.inTransaction(.immediate) {
                outcomes = try commits.map { try $0.apply(to: database) }
                return .commit
            }
            sizes.count(commits.count)
            return outcomes
        }
    }
}
