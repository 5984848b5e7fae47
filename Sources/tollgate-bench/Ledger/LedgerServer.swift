import Glibc

/// A PostgreSQL server with its default settings, on a Unix socket in a given folder. Its databases remain after this
/// program has ended.
final class LedgerServer {
    /// The server listens only on a Unix socket; the port is a part of the socket's name.
    private static let port = 54_329

    private let folder: String
    private let programs: String
    private let process: ChildProcess
    /// The process id of the server itself. The started process may be the one that gave up root.
    private var identifier: pid_t { process.identifier }

    /// Starts a server. An existing cluster in the folder is used again.
    init(folder: String) throws {
        self.folder = folder
        programs = try BenchPostgres.newestPrograms()
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw BenchFailure(systemCall: folder) }
        if access("\(folder)/data/PG_VERSION", F_OK) != 0 {
            try BenchPostgres.makeCluster(in: folder, with: programs)
        }
        process = try ChildProcess(
            BenchPostgres.asPostgres([
                "\(programs)/postgres", "-D", "\(folder)/data", "-k", folder, "-p", "\(Self.port)", "-c",
                "listen_addresses=", "-c", "max_wal_size=8GB", "-c", "log_min_messages=panic",
            ]))
        for _ in 0..<500 {
            guard process.isRunning else { break }
            if (try? psql("SELECT 1", isQuiet: true).finish()) == 0 { return }
            usleep(100_000)
        }
        throw BenchFailure("the PostgreSQL server does not answer")
    }

    /// The resources that the server and its connections have used.
    func usage() throws -> FamilyUsage { try FamilyUsage(of: identifier) }

    /// Ends the server, after its connections have ended.
    func stop() throws {
        let status = process.end(signal: SIGINT)
        guard status == 0 else { throw BenchFailure("the PostgreSQL server ended with wait status \(status)") }
    }

    /// The URL of a database, for Tollgate.
    func url(database: String) -> String {
        BenchPostgres.url(folder: folder, port: Self.port, database: database)
    }

    /// Creates a new database; returns false if the name exists.
    func createDatabase(_ name: String) throws -> Bool {
        try psql("CREATE DATABASE \(name)", isQuiet: true).finish() == 0
    }

    /// Removes a database.
    func dropDatabase(_ name: String) throws { try run("DROP DATABASE IF EXISTS \(name)", database: "postgres") }

    /// Runs a statement.
    func run(_ sql: String, database: String) throws {
        let status = try psql(sql, database: database).finish()
        guard status == 0 else { throw BenchFailure("psql ended with wait status \(status)") }
    }

    /// Runs a statement that reads its rows from the child process's input.
    func psql(_ sql: String, database: String = "postgres", isQuiet: Bool = false) throws -> ChildProcess {
        let words = [
            "\(programs)/psql", "--no-psqlrc", "--quiet", "--tuples-only", "--set=ON_ERROR_STOP=1",
            "--host=\(folder)", "--port=\(Self.port)", "--username=postgres", "--dbname=\(database)",
            "--command=\(sql)",
        ]
        return try ChildProcess(isQuiet ? ["/bin/sh", "-c", #"exec "$@" 2>/dev/null"#, "psql"] + words : words)
    }
}
