internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Synchronization
internal import Vault

/// Reads the file on dedicated threads, each with a connection of its own, and answers every caller in time.
///
/// A disk that hangs blocks only these threads. A caller whose read hangs, or that waits too long for a thread, gets
/// `unavailable`. A thread continues with the next read when its call returns, even if the caller has timed out. In WAL
/// mode a reader waits neither for the writer nor for other readers.
final class ReadThreads: Sendable {
    /// The most reads that may wait for a thread; further reads are refused at once.
    static let waitingMax = 4096
    /// The longest time that a caller waits, however slow the disk is or however long a lock is held.
    private static let waitNanosecondsMax: UInt64 = 1_500_000_000
    /// How often waiting callers are checked for a timeout.
    private static let watchMilliseconds = 100

    /// A read and its caller.
    private final class Read: Sendable {
        let began = DispatchTime.now().uptimeNanoseconds
        /// Reads, and returns a closure that resumes the caller with the result.
        let body: @Sendable (Database) -> @Sendable () -> Void
        /// Resumes the caller with a failure.
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
        /// The read of each thread; nil if there is none, or if its caller has timed out.
        var inFlight: [Read?]
        /// Idle threads.
        var idle: [Int]
        var isWatched = false
        var isClosed = false
    }

    private let threads: [(queue: DispatchQueue, connection: DatabaseQueue)]
    private let state: Mutex<State>

    /// Opens `count` connections to a file in WAL mode.
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
        state = Mutex(State(inFlight: Array(repeating: nil, count: count), idle: Array(0..<count)))
    }

    /// Closes the connections. Waiting callers are refused.
    func close() throws {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for read in waiting { read.refuse(Self.closed) }
        for (queue, connection) in threads { try queue.sync { try connection.close() } }
    }

    /// Empties the page caches, so that pages are read from the file again.
    func forgetPages() {
        for (_, connection) in threads {
            connection.unsafeRead { _ = sqlite3_db_release_memory($0.sqliteConnection) }
        }
    }

    /// Runs one statement, which sees one snapshot of the file. Returns or fails within two seconds.
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
            state.inFlight[thread] = read
            return (.run(thread), mustWatch)
        }
        switch next {
        case .wait: break
        case .run(let thread): threads[thread].queue.async { self.work(thread, read) }
        case .refuse(let failure): return read.refuse(failure)
        }
        if mustWatch { watch() }
    }

    /// Runs reads on a thread until none is waiting.
    private func work(_ thread: Int, _ first: Read) {
        var next: Read? = first
        while let read = next {
            // One statement needs no transaction around it.
            let answer = threads[thread].connection.unsafeRead { read.body($0) }
            let isAwaited = state.withLock { state in
                defer { state.inFlight[thread] = nil }
                return state.inFlight[thread] === read
            }
            if isAwaited { answer() }
            next = state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.idle.append(thread)
                    return nil
                }
                let read = state.waiting.removeFirst()
                state.inFlight[thread] = read
                return read
            }
        }
    }

    /// Times out callers, as long as there are any.
    private func watch() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.watchMilliseconds)) { [weak self] in
            guard let self else { return }
            let (late, goesOn) = state.withLock { state in
                let now = DispatchTime.now().uptimeNanoseconds
                // The reads wait in the order of their arrival.
                var late = Array(state.waiting.prefix { $0.isLate(now) })
                state.waiting.removeFirst(late.count)
                for (thread, read) in state.inFlight.enumerated() {
                    guard let read, read.isLate(now) else { continue }
                    late.append(read)
                    state.inFlight[thread] = nil
                }
                state.isWatched = !state.waiting.isEmpty || state.inFlight.contains { $0 != nil }
                return (late, state.isWatched)
            }
            for read in late { read.refuse(.unavailable(detail: "SQLite: the read timed out")) }
            if goesOn { watch() }
        }
    }
}
