internal import Dispatch
internal import GRDB
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
/// itself: where several wait at once, as many are about to come again, and the next batch waits a moment for them, but no
/// longer than until they are there.
final class CommitQueue<Commit: PreparedWrite>: Sendable {
    /// The most commits in one SQLite transaction.
    private let batchMax = BatchSizes.sizeMax
    /// How many at once tell that more are about to come.
    private let crowdMin = 4
    /// For how long the next batch then gathers at most.
    private let gatheringMicroseconds = 1000

    /// How long a caller waits, whatever the disk or the holder of a lock does.
    private let waitNanosecondsMax: UInt64 = 1_500_000_000
    /// How often it is looked whether one has waited for so long.
    private let watchMilliseconds = 200

    /// A class: to copy or destroy a generic structure looks its members' types up, each time.
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
        /// What is being written, unless its callers have been told that it takes too long.
        var underWay: [Waiting] = []
        var isWriting = false
        var isWatched = false
        /// How many the writer waits for, if it does.
        var awaitedCount: Int?
    }

    /// How many were written together.
    let sizes = BatchSizes()

    private let pool: DatabasePool
    private let files: PresentFiles
    private let checkpoints: Checkpoints
    private let queue = DispatchQueue(label: "tollgate.store.commits")
    private let state = Mutex(State())
    /// Signalled when as many wait as the writer waits for.
    private let gathered = DispatchSemaphore(value: 0)

    init(pool: DatabasePool, files: PresentFiles, checkpoints: Checkpoints) {
        self.pool = pool
        self.files = files
        self.checkpoints = checkpoints
    }

    /// Returns once the commit is on the disk, or has had no effect; or, with a failure, after less than two seconds, when
    /// it may still be done.
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
            // All who wait now and all who are about to be answered.
            let (isAwaited, crowd) = state.withLock { state in
                defer { state.underWay = [] }
                return (!state.underWay.isEmpty, state.waiting.count + state.underWay.count)
            }
            guard isAwaited else { continue }
            for number in batch.indices { batch[number].continuation.resume(returning: results[number]) }
            if crowd >= crowdMin { gather(min(crowd, batchMax)) }
        }
    }

    /// Waits until so many wait, for a moment at most.
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
        // It came too late to be seen, and must not be taken for another one.
        if isSignalled { gathered.wait() }
    }

    /// Looks after those who wait, for as long as something is being written.
    private func watch() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(watchMilliseconds)) { [weak self] in
            guard let self else { return }
            let (late, goesOn) = state.withLock { state in
                let now = Self.nanoseconds
                let isLate = { (waiting: Waiting) in now - waiting.began > self.waitNanosecondsMax }
                var late = state.waiting.filter(isLate)
                state.waiting.removeAll(where: isLate)
                // Those of one batch have one fate, and the first has waited for longest.
                if let first = state.underWay.first, isLate(first) {
                    late += state.underWay
                    state.underWay = []
                }
                state.isWatched = state.isWriting
                return (late, state.isWatched)
            }
            for waiting in late {
                waiting.continuation.resume(
                    returning: .failure(.unavailable(detail: "SQLite: no end of writing in time")))
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
            state.underWay = batch
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
        try files.check()
        return try pool.writeWithoutTransaction { database in
            // GRDB's own transactions parse their statements each time, and look after observers that nobody has.
            try StatementUse.run("BEGIN IMMEDIATE", in: database)
            let outcomes: [Commit.Outcome]
            do {
                outcomes = try commits.map { try $0.apply(to: database) }
                try StatementUse.run("COMMIT", in: database)
            } catch {
                // SQLite itself has rolled back after some errors.
                if database.isInsideTransaction { try? StatementUse.run("ROLLBACK", in: database) }
                throw error
            }
            sizes.count(commits.count)
            checkpoints.committed(on: database)
            return outcomes
        }
    }
}
