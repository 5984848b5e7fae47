internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Moves what the write-ahead log has gathered into the database file, without holding commits up for it.
///
/// SQLite by itself does that within the commit that fills a log of 1000 pages. Here the log grows longer, so that a page
/// which many commits change is moved once, and nearly all is moved over a connection of its own while commits go on. What
/// they add meanwhile is moved likewise, until so little is left that the writer moves it between two commits: only a log
/// of which nothing is left begins anew, and while commits go on none but the writer can bring that about.
final class Checkpoints: Sendable {
    /// From how many pages on the log is moved: 16 MiB.
    private static let startPages = 4096
    /// How many pages the writer moves itself.
    private static let restPages = 512
    /// By how many pages the log grows before a move is tried again that a reader stood in the way of.
    private static let pausePages = 1024

    /// How long the log was after the last commit.
    private final class LogLength: Sendable {
        let pages = Atomic<Int>(0)
    }

    private struct State {
        var isMoving = false
        /// How many pages of the log have been moved and are still in it.
        var movedPages = 0
        /// How long the log is before anything is done.
        var nextPages = Checkpoints.startPages
    }

    private let connection: DatabaseQueue
    private let queue = DispatchQueue(label: "tollgate.store.checkpoints", qos: .utility)
    private let state = Mutex(State())
    private let length = LogLength()

    /// - Parameter path: a file in WAL mode.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "tollgate.store.checkpoints"
        configuration.busyMode = .immediateError
        connection = try DatabaseQueue(path: path, configuration: configuration)
        try connection.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }

    /// Takes the place of SQLite's own checkpoints on the one connection that writes, which must not write any more once
    /// this object is gone.
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

    /// Closes the connection, once it is done with what is under way.
    func close() throws {
        state.withLock { $0.isMoving = true }
        try queue.sync { try connection.close() }
    }

    /// Does what is due after a commit, on the connection that made it.
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

    /// Moves as much as can be moved without waiting for anyone. What fails is tried again; the log holds all of it.
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
