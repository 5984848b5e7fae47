internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Payments
internal import Synchronization

/// Reads the file on threads of the store's own, each with a connection to the file, and answers every caller in time.
///
/// A disk that doesn't answer holds up these threads and nobody else: who asked is told that the store is unavailable, and
/// so is who waits for a thread for too long. A thread goes on with the next read when its call returns, whatever became of
/// its caller. In WAL mode a reader waits neither for the writer nor for other readers.
final class ReadThreads: Sendable {
    /// The most reads that may wait for a thread; another one is refused at once.
    static let waitingMax = 4096
    /// How long a caller waits, whatever the disk or the holder of a lock does.
    private static let waitNanosecondsMax: UInt64 = 1_500_000_000
    /// How often the store looks for callers who have waited for so long.
    private static let watchMilliseconds = 100

    /// One read and its caller.
    private final class Read: Sendable {
        let began = DispatchTime.now().uptimeNanoseconds
        /// Reads, and returns what hands the caller its result.
        let body: @Sendable (Database) -> @Sendable () -> Void
        /// Tells the caller that there will be no result.
        let refuse: @Sendable (StoreFailure) -> Void

        init(
            body: @escaping @Sendable (Database) -> @Sendable () -> Void,
            refuse: @escaping @Sendable (StoreFailure) -> Void
        ) {
            self.body = body
            self.refuse = refuse
        }

        func isLate(_ now: UInt64) -> Bool { now > began + ReadThreads.waitNanosecondsMax }
    }

    private struct State {
        var waiting: [Read] = []
        /// What each thread reads, unless its caller has been refused.
        var underWay: [Read?]
        /// Threads without a read.
        var idle: [Int]
        var isWatched = false
        var isClosed = false
    }

    private let threads: [(queue: DispatchQueue, connection: DatabaseQueue)]
    private let state: Mutex<State>

    /// Opens `count` connections to a file that is in WAL mode.
    init(path: String, count: Int, label: String, lockTimeoutMilliseconds: Int) throws {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = true
        configuration.busyMode = .timeout(Double(lockTimeoutMilliseconds) / 1000)
        configuration.prepareDatabase {
            try SQLiteStore.limitCache(of: $0, kibibytes: SQLiteStore.readerCacheKibibytes)
        }
        threads = try (0..<count).map {
            (DispatchQueue(label: "\(label).\($0)"), try DatabaseQueue(path: path, configuration: configuration))
        }
        state = Mutex(State(underWay: Array(repeating: nil, count: count), idle: Array(0..<count)))
    }

    /// Closes the connections. Whoever still waits is refused.
    func close() throws {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for read in waiting { read.refuse(Self.closed) }
        for (queue, connection) in threads { try queue.sync { try connection.close() } }
    }

    /// Forgets what was read before, so that it is read from the file again.
    func forgetPages() {
        for (_, connection) in threads {
            connection.unsafeRead { _ = sqlite3_db_release_memory($0.sqliteConnection) }
        }
    }

    /// The result of one statement, which sees the file as it is at one moment. Returns, or fails, after less than two
    /// seconds.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreFailure) -> Value {
        let result: Result<Value, StoreFailure> = await withCheckedContinuation { continuation in
            add(
                Read(
                    body: { database in
                        let result = Result { try body(database) }.mapError(SQLiteStore.failure)
                        return { continuation.resume(returning: result) }
                    },
                    refuse: { continuation.resume(returning: .failure($0)) }))
        }
        return try result.get()
    }

    private static let closed = StoreFailure.unavailable(detail: "SQLite: the store is closed")

    private func add(_ read: Read) {
        enum Next { case wait, run(Int), refuse(StoreFailure) }
        let (next, mustWatch) = state.withLock { state -> (Next, Bool) in
            if state.isClosed { return (.refuse(Self.closed), false) }
            guard state.waiting.count < Self.waitingMax else {
                return (.refuse(.unavailable(detail: "SQLite: too many reads wait")), false)
            }
            let mustWatch = !state.isWatched
            state.isWatched = true
            guard let thread = state.idle.popLast() else {
                state.waiting.append(read)
                return (.wait, mustWatch)
            }
            state.underWay[thread] = read
            return (.run(thread), mustWatch)
        }
        switch next {
        case .wait: break
        case .run(let thread): threads[thread].queue.async { self.work(thread, read) }
        case .refuse(let failure): return read.refuse(failure)
        }
        if mustWatch { watch() }
    }

    /// Reads on a thread until nothing waits any more.
    private func work(_ thread: Int, _ first: Read) {
        var next: Read? = first
        while let read = next {
            // One statement needs no transaction around it.
            let answer = threads[thread].connection.unsafeRead { read.body($0) }
            let isAwaited = state.withLock { state in
                defer { state.underWay[thread] = nil }
                return state.underWay[thread] === read
            }
            if isAwaited { answer() }
            next = state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.idle.append(thread)
                    return nil
                }
                let read = state.waiting.removeFirst()
                state.underWay[thread] = read
                return read
            }
        }
    }

    /// Looks after the callers for as long as there are any.
    private func watch() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.watchMilliseconds)) { [weak self] in
            guard let self else { return }
            let (late, goesOn) = state.withLock { state in
                let now = DispatchTime.now().uptimeNanoseconds
                // Whoever came first is first.
                var late = Array(state.waiting.prefix { $0.isLate(now) })
                state.waiting.removeFirst(late.count)
                for (thread, read) in state.underWay.enumerated() {
                    guard let read, read.isLate(now) else { continue }
                    late.append(read)
                    state.underWay[thread] = nil
                }
                state.isWatched = !state.waiting.isEmpty || state.underWay.contains { $0 != nil }
                return (late, state.isWatched)
            }
            for read in late { read.refuse(.unavailable(detail: "SQLite: no end of reading in time")) }
            if goesOn { watch() }
        }
    }
}
