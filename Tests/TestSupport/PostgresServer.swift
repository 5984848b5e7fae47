internal import Foundation
internal import Glibc
internal import Synchronization

/// A PostgreSQL server of its own, from Debian's package: in a temporary directory, on a free port, with sync on. It ends
/// with the process that started it, however that ends.
public final class PostgresServer: Sendable {
    /// Why there is no server.
    public enum Failure: Error {
        case notInstalled
        case command(String, output: String)
        case notReady(log: String)
    }

    /// The one that all tests share, each in a schema of its own, which must not be stopped.
    public static func shared() throws -> PostgresServer {
        try sharedServer.withLock { server in
            if let server { return server }
            let new = try PostgresServer()
            server = new
            return new
        }
    }

    private static let sharedServer = Mutex<PostgresServer?>(nil)
    private static let schemaNumber = Atomic<Int>(0)

    /// Where it listens on 127.0.0.1.
    public let port: Int
    /// Where its socket and its files lie.
    public let directory: String
    private let programs: String
    private let settings: [String]
    private let guardian = Mutex<SpawnedCommand?>(nil)

    /// Makes a database cluster and starts its server.
    ///
    /// - Parameters:
    ///   - settings: parameters of the server, `name=value`.
    ///   - files: texts that lie in the server's directory, readable only by it.
    public init(settings: [String] = [], files: [String: String] = [:]) throws {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = versions.compactMap { Int($0) }.sorted().last.map { "\(folder)/\($0)/bin" }
        guard let found, access(found + "/initdb", X_OK) == 0 else { throw Failure.notInstalled }
        programs = found
        port = try Self.freePort()
        directory = NSTemporaryDirectory() + "tollgate-postgres-" + UUID().uuidString
        self.settings = settings
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        for (name, text) in files.merging(["password": Self.password + "\n"], uniquingKeysWith: { given, _ in given }) {
            try text.write(toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
            chmod("\(directory)/\(name)", 0o600)
        }
        _ = try Self.run("/bin/sh", ["-c", #"[ "$(id -u)" -ne 0 ] || chown -R postgres "$0""#, directory])
        let initdb = Self.asPostgres(
            [
                programs + "/initdb", "--pgdata=\(directory)/data", "--auth-local=trust", "--auth-host=scram-sha-256",
                "--username=postgres", "--no-locale", "--encoding=UTF8", "--pwfile=\(directory)/password",
            ])
        _ = try Self.run(initdb[0], Array(initdb.dropFirst()))
        try start()
    }

    deinit { stop() }

    /// What the user `postgres` must present over TCP.
    public static let password = "a pass&word/of:tests"

    /// A URL over the Unix socket, with an empty schema of its own that becomes the search path.
    public func url() throws -> String {
        let schema = "s\(Self.schemaNumber.add(1, ordering: .relaxed).newValue)"
        _ = try query("CREATE SCHEMA \(schema)")
        return url(schema: schema)
    }

    /// A URL over the Unix socket with a search path.
    public func url(schema: String) -> String {
        let host = directory.replacing("/", with: "%2F")
        return
            "postgres://postgres@\(host):\(port)/postgres?application_name=\(schema)&options=-c%20search_path%3D\(schema)"
    }

    /// Locks a table, in a mode that by default keeps everyone else from it, until its connection, named `locking` and the schema, is ended.
    public func locking(
        _ table: String, schema: String, mode: String = "ACCESS EXCLUSIVE"
    ) throws -> SpawnedCommand {
        let process = try SpawnedCommand([
            programs + "/psql", "--no-psqlrc", "--quiet", "--host=\(directory)", "--port=\(port)",
            "--username=postgres", "--dbname=dbname=postgres application_name='locking \(schema)'",
            "--command=BEGIN; LOCK TABLE \(schema).\(table) IN \(mode) MODE; SELECT 'locked'; SELECT pg_sleep(60)",
        ])
        let held =
            """
            SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE granted AND relation = '\(table)'::regclass
            AND application_name = 'locking \(schema)'
            """
        while try query(held, schema: schema).isEmpty { usleep(10_000) }
        return process
    }

    /// Ends the connections of a name.
    public func end(applicationName: String) throws {
        try query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = '\(applicationName)' AND pid <> pg_backend_pid()
            """)
    }

    /// Starts the server and waits until it can be asked.
    public func start() throws {
        // The shell ends the server when its input does, which this process holds; it can't outlive it.
        let server = Self.asPostgres(
            [
                programs + "/postgres", "-D", "\(directory)/data", "-p", "\(port)", "-k", directory,
                "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=400", "-c", "fsync=on",
                "-c", "shared_buffers=64MB", "-c", "logging_collector=off", "-c", "log_min_messages=fatal",
                "-c", "client_connection_check_interval=100",
            ] + settings.flatMap { ["-c", $0] })
        let spawned = try SpawnedCommand(
            [
                "/bin/sh", "-c",
                """
                directory="$0"; "$@" >>"$directory/log" 2>&1 </dev/null & server=$!
                word=; read word
                kill -QUIT $server 2>/dev/null; wait $server
                [ "$word" = keep ] || rm -rf "$directory"
                """,
                directory,
            ] + server)
        guardian.withLock { $0 = spawned }
        for _ in 0..<1000 {
            if (try? query("SELECT 1")) != nil { return }
            usleep(20_000)
        }
        throw Failure.notReady(log: (try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? "")
    }

    /// Ends the server at once, as if its processes had been killed.
    public func kill() {
        signal(SIGKILL)
        guardian.withLock { running in
            running?.finish("keep")
            running = nil
        }
        // The next one is refused while any process of this one still has its shared memory.
        usleep(300_000)
    }

    /// Sends a signal to the server with all its processes.
    public func signal(_ number: Int32) {
        let file = try? String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
        guard let first = file?.split(separator: "\n").first, let identifier = pid_t(first), identifier > 1 else {
            return
        }
        // So that it has no more children than are found.
        if number == SIGKILL { Glibc.kill(identifier, SIGSTOP) }
        let children = try? Self.run("/bin/sh", ["-c", "cat /proc/$0/task/*/children", "\(identifier)"])
        for child in (children ?? "").split(whereSeparator: \.isWhitespace).compactMap({ pid_t($0) }) {
            Glibc.kill(child, number)
        }
        Glibc.kill(identifier, number)
    }

    private func stop() {
        guardian.withLock { running in
            running?.finish()
            running = nil
        }
    }

    /// What `psql` prints, one line a row.
    @discardableResult
    public func query(_ sql: String, schema: String = "public") throws -> [String] {
        try Self.run(
            programs + "/psql",
            [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
                "--host=\(directory)", "--port=\(port)", "--username=postgres", "--dbname=postgres",
                "--command=SET search_path = \(schema)", "--command=\(sql)",
            ]
        ).split(separator: "\n").map(String.init)
    }

    /// What `pg_dump` makes of the rows of a schema, as a program would read them: one line a row.
    public func dump(schema: String) throws -> String {
        try Self.run(
            programs + "/pg_dump",
            [
                "--data-only", "--schema=\(schema)", "--host=\(directory)", "--port=\(port)", "--username=postgres",
                "--dbname=postgres",
            ])
    }

    /// The server refuses to run for root.
    private static func asPostgres(_ command: [String]) -> [String] {
        getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
            : ["/usr/bin/env"] + command
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard status == 0 else { throw Failure.command("bind", output: String(cString: strerror(errno))) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let command = try FinishedCommand(program, arguments)
        guard command.status == 0 else {
            throw Failure.command(program, output: command.text + command.errorText)
        }
        return command.text
    }
}
