public import Payments

/// Keeps orders, transactions, credited tokens and sealed texts in a PostgreSQL database, which several instances share.
///
/// Writes are gathered: what waits together is committed in one transaction, and one transaction at a time, on a connection
/// of its own; reads go in pipelines over the other connections. A connection that was lost is made again, with growing
/// pauses. Whether a commit whose answer was lost was done is looked up; it is never done again to find out.
///
/// What was committed is on the server's disk as far as the server's own settings (`fsync`) let it: a session that would
/// not wait for that (`synchronous_commit=off`) is told to.
public final class PostgresStore: PaymentStore {
    /// Why a store could not be opened.
    public enum OpenFailure: Error, Equatable, Sendable {
        /// The URL can't be used. It is not repeated, as it may hold a password.
        case url(detail: String)
        /// The server can't be reached, refused the connection, or can't work now; it may later.
        case unreachable(detail: String)
        /// The server can't use the database, or not as a store.
        case database(detail: String)
        /// A later version of the program has written the database.
        case newerSchema
        /// What is in the database is kept under another installation key.
        case otherInstallation
    }

    /// How much a store may take.
    public struct Limits: Sendable {
        /// Connections to the server, from 3 to 100: one that commits orders, one that writes sealed texts, and those that
        /// read. One more is made while the store is opened, marked, pruned, reset or checked.
        public var connectionsMax: Int
        /// Callers that wait for an answer, for each connection; another one is refused at once.
        public var callersMax: Int

        /// Limits.
        public init(connectionsMax: Int = 4, callersMax: Int = 4096) {
            precondition((3...100).contains(connectionsMax) && callersMax > 0, "limits are checked where they are read")
            self.connectionsMax = connectionsMax
            self.callersMax = callersMax
        }
    }

    /// Where the server is, and which of its databases it is, without a password.
    public let place: String
    /// How many transactions were committed together, and how many changes of sealed texts.
    public let batches: (transactions: BatchSizes, sealed: BatchSizes)
    let administration: Administration
    let sealedWrites: Gathering<SealedWrite, SealedWrite.Outcome>
    let commits: Gathering<OrderWrite, CommitOutcome?>
    private let readers: [Gathering<Query, QueryResult>]
    private let probe: WriteProbe

    /// Opens the store that a URL names, and makes its tables in the first schema of the search path if need be.
    ///
    /// Every caller of the store is answered within two seconds, if only with ``StoreFailure/unavailable(detail:)``.
    ///
    /// - Parameters:
    ///   - url: `postgres://user:password@host:port/database?parameter=value`, as libpq knows it. Without `sslmode` the
    ///     server must present a certificate for its name by a known authority (`verify-full`). The password may also be
    ///     in `PGPASSWORD` or libpq's password file.
    ///   - limits: how much the store may take.
    public convenience init(url: String, limits: Limits = Limits()) async throws(OpenFailure) {
        try await self.init(at: ServerAddress(url: url), limits: limits, timing: Timing())
    }

    convenience init(at address: ServerAddress, limits: Limits, timing: Timing) async throws(OpenFailure) {
        self.init(unopened: address, limits: limits, timing: timing)
        try await administration.migrate()
        letIn()
    }

    /// Judges a URL, without connecting to anything.
    public static func check(url: String) throws(OpenFailure) { _ = try ServerAddress(url: url) }

    /// The store that a URL names, not open yet: nothing is connected, and whoever asks it is refused at once until
    /// ``open(under:)`` has returned.
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

    /// Makes the tables if need be, sees to it that everything in the database is kept under the installation key of a
    /// mark, and lets callers in. May be tried again after it has failed.
    ///
    /// The first mark that is asked of a database is written into it, and is its mark for good.
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

    /// Closes all connections; whatever is asked of the store after that, or waits for an answer, fails.
    public func close() {
        commits.end()
        sealedWrites.end()
        for reader in readers { reader.end() }
    }

    /// Whether everything in the database is kept under the installation key of a mark. The first mark that is asked of a
    /// database is written into it, and is its mark for good.
    public func isKept(under mark: [UInt8]) async throws(StoreFailure) -> Bool {
        do { return try await administration.mark(orElse: mark) == mark } catch {
            switch error {
            case .unreachable(let detail), .database(let detail), .url(let detail): throw .unavailable(detail: detail)
            case .newerSchema, .otherInstallation: preconditionFailure("nothing is compared yet")
            }
        }
    }

    /// Writes all of a commit or nothing, together with those that wait at the same time.
    ///
    /// A failure may leave unknown whether the commit was done; a request that is repeated recalls it if it was.
    public func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        guard let outcome = try await commits.ask(.commit(PreparedCommit(commit))).get() else {
            preconditionFailure("only a probe has no outcome")
        }
        return outcome
    }

    /// Returns if the store works in this respect: if the tables that requests read can be read, or if the server commits on
    /// the connection of commits and takes rows of every kind that requests write. Whether what the server
    /// keeps is whole is for the server to say.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) {
        switch aspect {
        case .reading, .integrity: for query in Self.nothing { _ = try await read(query) }
        case .writing:
            _ = try await commits.ask(.probe).get()
            try await probe.check()
        }
    }

    /// Find no order, as none has an empty merchant, and no sealed text.
    private static let nothing = [
        Query.run(.history, [.bytes(""), .bytes("")]), .run(.findItem, [.bytes("")]),
    ]

    /// Empties every table that something is put into. Whatever another instance commits meanwhile goes or stays whole.
    public func reset() async throws(StoreFailure) {
        try commits.checkOpen()
        try await administration.reset()
    }

    /// Asks on the connection that is this one's turn.
    func read(_ query: Query) async throws(StoreFailure) -> QueryResult {
        try await readers[Int.random(in: 0..<readers.count)].ask(query).get()
    }
}

extension Parameter {
    /// A text as `bytea`.
    static func bytes(_ text: String) -> Parameter { .bytes(Array(text.utf8)) }
}
