public import Payments
public import Vault

/// Stores orders, transactions, credited tokens and sealed texts in a PostgreSQL database that several instances share.
///
/// Writes use group commit: all waiting writes are committed in one transaction, on a dedicated connection with one
/// transaction at a time. Reads are pipelined over the other connections. Lost connections are reopened with
/// exponential backoff. If the answer to a COMMIT is lost, the store looks up whether it was done and never repeats it
/// blindly.
///
/// Commits are as durable as the server's settings (`fsync`) allow. A session with `synchronous_commit=off` is set to
/// `on`.
public final class PostgresStore: PaymentStore {
    /// Why a store could not be opened.
    public enum OpenFailure: Error, Equatable, Sendable {
        /// The URL is invalid. It is not repeated in the error, as it may contain a password.
        case url(detail: String)
        /// The server can't be reached, refused the connection, or is temporarily unable to work. A retry may succeed.
        case unreachable(detail: String)
        /// The database can't be used at all, or not as a store.
        case database(detail: String)
        /// A later version of the program has written the database.
        case newerSchema
        /// The database's contents belong to another installation key.
        case otherInstallation
    }

    /// The store's resource limits.
    public struct Limits: Sendable {
        /// Connections to the server, from 3 to 100: one commits orders, one writes sealed texts, the others read. One
        /// more is opened while the store is opened, marked, pruned, reset or checked.
        public var connectionsMax: Int
        /// Callers that may wait for an answer on each connection; further callers are refused at once.
        public var callersMax: Int

        /// Creates limits.
        public init(connectionsMax: Int = 4, callersMax: Int = 4096) {
            precondition((3...100).contains(connectionsMax) && callersMax > 0, "limits are checked where they are read")
            self.connectionsMax = connectionsMax
            self.callersMax = callersMax
        }
    }

    /// The server's hosts and the database, without a password.
    public let place: String
    /// How many transactions were committed together, and how many writes of sealed texts.
    public let batches: (transactions: BatchSizes, sealed: BatchSizes)
    let administration: Administration
    let sealedWrites: RequestQueue<SealedWrite, SealedWrite.Outcome>
    let commits: RequestQueue<OrderWrite, CommitOutcome?>
    private let readers: [RequestQueue<Query, QueryResult>]
    private let probe: WriteProbe

    /// Opens the store at a URL, and creates its tables in the first schema of the search path if they are missing.
    ///
    /// Every caller of the store is answered within two seconds, if only with ``StoreFailure/unavailable(detail:)``.
    ///
    /// - Parameters:
    ///   - url: `postgres://user:password@host:port/database?parameter=value`, in libpq's syntax. Without `sslmode`,
    ///     the server must present a certificate for its name from a trusted authority (`verify-full`). The password
    ///     may also be in `PGPASSWORD` or libpq's password file.
    ///   - limits: the store's resource limits.
    public convenience init(url: String, limits: Limits = Limits()) async throws(OpenFailure) {
        try await self.init(at: ServerAddress(url: url), limits: limits, timing: Timing())
    }

    convenience init(at address: ServerAddress, limits: Limits, timing: Timing) async throws(OpenFailure) {
        self.init(unopened: address, limits: limits, timing: timing)
        try await administration.migrate()
        letIn()
    }

    /// Checks a URL without connecting.
    public static func check(url: String) throws(OpenFailure) { _ = try ServerAddress(url: url) }

    /// Creates a store that is not open yet. It connects to nothing, and refuses all requests until ``open(under:)``
    /// has returned.
    public convenience init(unopened url: String, limits: Limits = Limits()) throws(OpenFailure) {
        self.init(unopened: try ServerAddress(url: url), limits: limits, timing: Timing())
    }

    private init(unopened address: ServerAddress, limits: Limits, timing: Timing) {
        place = address.place
        administration = Administration(of: address, timing: timing)
        func connection(_ label: String) -> Connection {
            Connection(
                to: address, preparing: Query.preparation(timing), timing: timing, label: "tollgate.store.\(label)")
        }
        let callersMax = limits.callersMax
        let commitQueue = BatchQueue<OrderWrite>(
            on: connection("commits"), callersMax: callersMax, timing: timing)
        let sealedQueue = BatchQueue<SealedWrite>(on: connection("sealed"), callersMax: callersMax, timing: timing)
        let readQueues = (0..<limits.connectionsMax - 2).map {
            ReadQueue(on: connection("reads.\($0)"), callersMax: callersMax, timing: timing)
        }
        commits = commitQueue.writes
        sealedWrites = sealedQueue.writes
        batches = (commitQueue.sizes, sealedQueue.sizes)
        readers = readQueues.map(\.reads)
        probe = WriteProbe(on: connection("probes"), timing: timing)
        Task { await commitQueue.run() }
        Task { await sealedQueue.run() }
        for queue in readQueues { Task { await queue.run() } }
    }

    deinit { close() }

    /// Runs missing migrations, checks the installation mark, and accepts requests from then on. May be retried after a
    /// failure.
    ///
    /// The first mark that is checked against a database is stored in it permanently.
    public func open(under mark: [UInt8]) async throws(OpenFailure) {
        do throws(OpenFailure) {
            try await administration.migrate()
            guard try await administration.mark(orElse: mark) == mark else { throw .otherInstallation }
        } catch {
            if case .unreachable(let detail) = error {
                for delay in [commits.delay, sealedWrites.delay] + readers.map({ $0.delay }) { delay(detail) }
            }
            throw error
        }
        letIn()
    }

    private func letIn() {
        commits.open()
        sealedWrites.open()
        for reader in readers { reader.open() }
    }

    /// Closes all connections. Waiting and later requests fail.
    public func close() {
        commits.end()
        sealedWrites.end()
        for reader in readers { reader.end() }
    }

    /// Whether the database's contents belong to the installation key of a mark. The first mark that is checked against
    /// a database is stored in it permanently.
    public func isKept(under mark: [UInt8]) async throws(StoreFailure) -> Bool {
        do { return try await administration.mark(orElse: mark) == mark } catch {
            switch error {
            case .unreachable(let detail), .database(let detail), .url(let detail): throw .unavailable(detail: detail)
            case .newerSchema, .otherInstallation: preconditionFailure("nothing is compared yet")
            }
        }
    }

    /// Writes a commit atomically, in one transaction with other waiting commits.
    ///
    /// After a failure it may be unknown whether the commit was done. A repeated request finds it if it was.
    public func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        guard let outcome = try await commits.ask(.commit(PreparedCommit(commit))).get() else {
            preconditionFailure("only a probe has no outcome")
        }
        return outcome
    }

    /// Returns if an aspect of the store works.
    ///
    /// - Reading and integrity: the tables that requests read can be read. Corruption is for the server to report.
    /// - Writing: the commit connection can commit, and the server accepts rows of every kind that requests write.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) {
        switch aspect {
        case .reading, .integrity: for query in Self.nothing { _ = try await read(query) }
        case .writing:
            _ = try await commits.ask(.probe).get()
            try await probe.check()
        }
    }

    /// Queries that find no rows: no order has an empty merchant, and no sealed text has an empty name.
    private static let nothing = [
        Query.run(.history, [.bytes(""), .bytes("")]), .run(.findItem, [.bytes("")]),
    ]

    /// Empties all data tables. A concurrent commit of another instance is removed or kept as a whole.
    public func reset() async throws(StoreFailure) {
        try commits.checkOpen()
        try await administration.reset()
    }

    /// Reads on one of the read connections, picked at random.
    func read(_ query: Query) async throws(StoreFailure) -> QueryResult {
        try await readers[Int.random(in: 0..<readers.count)].ask(query).get()
    }
}

extension Parameter {
    /// A text as `bytea`.
    static func bytes(_ text: String) -> Parameter { .bytes(Array(text.utf8)) }
}
