internal import Dispatch
internal import GRDB
internal import Payments
internal import Synchronization
internal import Vault

/// A write that a queue batches. It runs all its checks and then either writes everything or returns a refusal.
protocol PreparedWrite: Sendable {
    /// The result of the write.
    associatedtype Outcome: Sendable

    /// Applies the write. Every check precedes the first change, so a refused write has changed nothing.
    func apply(to database: Database) throws -> Outcome
}

/// Group commit: writes all waiting commits in one SQLite transaction, so that they share one sync.
///
/// Commits that arrive while a batch is written form the next batch. Callers only append to it; one thread writes, and
/// is woken only if it was idle. A fast disk would keep the batches small. If several callers wait at once, as many
/// more are likely to follow, so the next batch waits for them for up to 1 ms.
final class CommitQueue<Commit: PreparedWrite>: Sendable {
    /// The maximum number of commits in one SQLite transaction.
    private let batchMax = BatchSizes.sizeMax
    /// The minimum number of concurrent callers from which further commits are waited for.
    private let gatheringMin = 4
    /// The longest time that the next batch then waits for them.
    private let gatheringMicroseconds = 1000

    /// The longest time that a caller waits, however slow the disk is or however long a lock is held.
    private let waitNanosecondsMax: UInt64 = 1_500_000_000
    /// How often waiting callers are checked for a timeout.
    private let watchMilliseconds = 200

    /// A class, as copying or destroying a generic struct looks up its members' type metadata each time.
    private final class Waiting: Sendable {
        let commit: Commit
        let continuation: CheckedContinuation<Result<Commit.Outcome, StoreFailure>, Never>
        let began = CommitQueue.nanoseconds

        init(_ commit: Commit, _ continuation: CheckedContinuation<Result<Commit.Outcome, StoreFailure>, Never>) {
            self.commit = commit
            self.continuation = continuation
        }
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The batch being written; empty once its callers have timed out.
        var inFlight: [Waiting] = []
        var isWriting = false
        var isWatched = false
        /// The number of waiting commits that the writer waits for, if it does.
        var awaitedCount: Int?
    }

    /// How many commits were written together.
    let sizes = BatchSizes()

    private let pool: DatabasePool
    private let files: PresentFiles
    private let checkpoints: Checkpoints
    private let queue = DispatchQueue(label: "tollgate.store.commits")
    private let state = Mutex(State())
    /// Signalled when `awaitedCount` commits are waiting.
    private let gathered = DispatchSemaphore(value: 0)

    init(pool: DatabasePool, files: PresentFiles, checkpoints: Checkpoints) {
        self.pool = pool
        self.files = files
        self.checkpoints = checkpoints
    }

    /// Returns once the commit is on disk or was refused. Fails within two seconds; the commit may then still be done.
    func commit(_ commit: Commit) async -> Result<Commit.Outcome, StoreFailure> {
        await withCheckedContinuation { continuation in
            let waiting = Waiting(commit, continuation)
            let (isFirst, isUnwatched, isLast) = state.withLock { state in
                state.waiting.append(waiting)
                defer { (state.isWriting, state.isWatched) = (true, true) }
                let isLast = state.awaitedCount.map { state.waiting.count >= $0 } ?? false
                if isLast { state.awaitedCount = nil }
                return (!state.isWriting, !state.isWatched, isLast)
            }
            if isFirst { queue.async { self.writeWaiting() } }
            if isLast { gathered.signal() }
            if isUnwatched { watch() }
        }
    }

    private static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func writeWaiting() {
        while let batch = takeBatch() {
            let results = write(batch.map { $0.commit })
            // The callers waiting now, and those about to be answered.
            let (isAwaited, callerCount) = state.withLock { state in
                defer { state.inFlight = [] }
                return (!state.inFlight.isEmpty, state.waiting.count + state.inFlight.count)
            }
            guard isAwaited else { continue }
            for number in batch.indices { batch[number].continuation.resume(returning: results[number]) }
            if callerCount >= gatheringMin { gather(min(callerCount, batchMax)) }
        }
    }

    /// Waits until `count` commits are waiting, for at most `gatheringMicroseconds`.
    private func gather(_ count: Int) {
        let mustWait = state.withLock { state in
            guard state.waiting.count < count else { return false }
            state.awaitedCount = count
            return true
        }
        guard mustWait else { return }
        guard gathered.wait(timeout: .now() + .microseconds(gatheringMicroseconds)) == .timedOut else { return }
        let isSignalled = state.withLock { state in
            defer { state.awaitedCount = nil }
            return state.awaitedCount == nil
        }
        // The signal came after the timeout. It is consumed here, so that the next wait does not take it.
        if isSignalled { gathered.wait() }
    }

    /// Times out callers, as long as something is being written.
    private func watch() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(watchMilliseconds)) { [weak self] in
            guard let self else { return }
            let (late, goesOn) = state.withLock { state in
                let now = Self.nanoseconds
                let isLate = { (waiting: Waiting) in now - waiting.began > self.waitNanosecondsMax }
                var late = state.waiting.filter(isLate)
                state.waiting.removeAll(where: isLate)
                // A batch succeeds or fails as a whole, and its first caller has waited longest.
                if let first = state.inFlight.first, isLate(first) {
                    late += state.inFlight
                    state.inFlight = []
                }
                state.isWatched = state.isWriting
                return (late, state.isWatched)
            }
            for waiting in late {
                waiting.continuation.resume(
                    returning: .failure(.unavailable(detail: "SQLite: the write timed out")))
            }
            if goesOn { watch() }
        }
    }

    private func takeBatch() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let batch = state.waiting.count > batchMax ? Array(state.waiting.prefix(batchMax)) : state.waiting
            if batch.count == state.waiting.count {
                state.waiting = []
            } else {
                state.waiting.removeFirst(batch.count)
            }
            state.inFlight = batch
            return batch
        }
    }

    /// The outcome of each commit of a batch. If the batch fails as a whole, each commit is retried on its own, so that
    /// one bad commit does not fail the others.
    private func write(_ commits: [Commit]) -> [Result<Commit.Outcome, StoreFailure>] {
        do {
            return try writeTogether(commits).map { .success($0) }
        } catch {
            let failure = SQLiteStore.failure(error)
            // If another process holds the lock, every retry would wait for it again.
            let isLocked = [.SQLITE_BUSY, .SQLITE_LOCKED].contains((error as? DatabaseError)?.resultCode)
            guard commits.count > 1, !isLocked else { return commits.map { _ in .failure(failure) } }
            return commits.flatMap { write([$0]) }
        }
    }

    private func writeTogether(_ commits: [Commit]) throws -> [Commit.Outcome] {
        try files.check()
        return try pool.writeWithoutTransaction { database in
            // GRDB's own transactions parse their statements each time, and notify observers, of which there are none.
            try StatementUse.run("BEGIN IMMEDIATE", in: database)
            let outcomes: [Commit.Outcome]
            do {
                outcomes = try commits.map { try $0.apply(to: database) }
                try StatementUse.run("COMMIT", in: database)
            } catch {
                // After some errors SQLite has already rolled back.
                if database.isInsideTransaction { try? StatementUse.run("ROLLBACK", in: database) }
                throw error
            }
            sizes.count(commits.count)
            checkpoints.committed(on: database)
            return outcomes
        }
    }
}
