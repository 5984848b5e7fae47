internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Checkpoints the write-ahead log (WAL) into the database file without blocking commits.
///
/// By default SQLite checkpoints within the commit that fills 1000 WAL pages. Here the WAL grows longer, so that a page
/// that many commits change is copied only once. A separate connection copies most pages while commits continue, and
/// repeats that for the pages that are added meanwhile. When few are left, the writer copies them between two commits.
/// Only a fully copied WAL can restart from its beginning, and under constant commits only the writer can achieve that.
final class Checkpoints: Sendable {
    /// The WAL length, in pages, that starts a checkpoint: 16 MiB.
    private static let startPages = 4096
    /// The most pages that the writer copies itself.
    private static let restPages = 512
    /// How many pages the WAL grows before a checkpoint is retried that a reader blocked.
    private static let pausePages = 1024

    /// The WAL length, in pages, after the last commit.
    private final class LogLength: Sendable {
        let pages = Atomic<Int>(0)
    }

    private struct State {
        var isMoving = false
        /// How many pages were copied but are still in the WAL.
        var movedPages = 0
        /// The WAL length, in pages, at which the next checkpoint starts.
        var nextPages = Checkpoints.startPages
    }

    private let connection: DatabaseQueue
    private let queue = DispatchQueue(label: "tollgate.store.checkpoints", qos: .utility)
    private let state = Mutex(State())
    private let length = LogLength()

    /// - Parameter path: a database file in WAL mode.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "tollgate.store.checkpoints"
        configuration.busyMode = .immediateError
        connection = try DatabaseQueue(path: path, configuration: configuration)
        try connection.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }

    /// Replaces SQLite's automatic checkpoints on the only writing connection. That connection must not write after
    /// this object is released.
    func attach(to writer: Database) {
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { context, _, _, pages in
                if let context {
                    let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                    length.pages.store(Int(pages), ordering: .relaxed)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(length).toOpaque())
    }

    /// Closes the connection, after a checkpoint that is in flight.
    func close() throws {
        state.withLock { $0.isMoving = true }
        try queue.sync { try connection.close() }
    }

    /// Starts a checkpoint if one is due. Called after each commit, on the connection that made it.
    func committed(on writer: Database) {
        let pages = length.pages.load(ordering: .relaxed)
        enum Due { case nothing, move, rest }
        let due = state.withLock { state -> Due in
            guard !state.isMoving else { return .nothing }
            if pages < state.movedPages { state = State() }
            guard pages >= state.nextPages else { return .nothing }
            if state.movedPages > 0, pages - state.movedPages <= Self.restPages { return .rest }
            state.isMoving = true
            return .move
        }
        switch due {
        case .nothing: break
        case .rest: note(Self.move(on: writer), goingOn: false)
        case .move:
            queue.async {
                let moved = self.connection.inDatabase { Self.move(on: $0) }
                self.note(moved, goingOn: true)
            }
        }
    }

    /// Copies as many pages as possible without waiting for readers. A failed checkpoint is retried; the WAL keeps all
    /// pages.
    private static func move(on database: Database) -> (pages: Int, movedPages: Int)? {
        var pages: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(
            database.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
        return code == SQLITE_OK ? (Int(pages), Int(moved)) : nil
    }

    private func note(_ result: (pages: Int, movedPages: Int)?, goingOn: Bool) {
        state.withLock { state in
            state.isMoving = false
            guard let result, result.movedPages == result.pages else {
                state.movedPages = result?.movedPages ?? 0
                state.nextPages = length.pages.load(ordering: .relaxed) + Self.pausePages
                return
            }
            state.movedPages = result.movedPages
            state.nextPages = goingOn ? 0 : result.pages + Self.pausePages
        }
    }
}
