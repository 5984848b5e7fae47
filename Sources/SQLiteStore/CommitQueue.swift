internal import Dispatch
internal import GRDB
internal import Glibc
internal import Payments
internal import Synchronization

/// What a queue writes: it checks what it finds and then writes all of itself, or tells what stands against it.
protocol PreparedWrite: Sendable {
    /// What became of it.
    associatedtype Outcome: Sendable

    /// Every check comes before the first write, so that only what has succeeded has written anything.
    func apply(to database: Database) throws -> Outcome
}

/// Gathers commits and writes those that wait together in one SQLite transaction, so that one sync serves all of them.
///
/// While a batch is being written and synced the commits that arrive pile up, and are the next batch. Whoever commits only
/// adds to the pile; one thread writes, and is woken only if it had nothing left to do. A fast disk forms no batches by
/// itself: where several wait at once, more are about to come, and the next batch is given a moment to gather.
final class CommitQueue<Commit: PreparedWrite>: Sendable {
    /// The most commits in one SQLite transaction.
    private let batchMax = BatchSizes.sizeMax
    /// How many commits in one batch tell that more are about to come.
    private let crowd = 4
    /// How long the next batch then gathers.
    private let gatheringMicroseconds: UInt32 = 1000

    private struct Waiting {
        let commit: Commit
        let continuation: CheckedContinuation<Result<Commit.Outcome, StoreFailure>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWriting = false
    }

    /// How many were written together.
    let sizes = BatchSizes()

    private let pool: DatabasePool
    private let queue = DispatchQueue(label: "tollgate.store.commits")
    private let state = Mutex(State())

    init(pool: DatabasePool) { self.pool = pool }

    /// Returns once the commit is on the disk, or has had no effect.
    func commit(_ commit: Commit) async -> Result<Commit.Outcome, StoreFailure> {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(Waiting(commit: commit, continuation: continuation))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if isFirst { queue.async { self.writeWaiting() } }
        }
    }

    private func writeWaiting() {
        while let batch = takeBatch() {
            for (waiting, result) in zip(batch, write(batch.map(\.commit))) {
                waiting.continuation.resume(returning: result)
            }
            if batch.count >= crowd { usleep(gatheringMicroseconds) }
        }
    }

    private func takeBatch() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let batch = Array(state.waiting.prefix(batchMax))
            state.waiting.removeFirst(batch.count)
            return batch
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
