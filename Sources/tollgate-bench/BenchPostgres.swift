import Glibc
import Values

/// A PostgreSQL server from Debian's package, for this program only: in a temporary folder, reachable only over a Unix
/// socket, with sync on. It ends with this program, even if the program crashes.
final class BenchPostgres {
    private static let readyMillisecondsMax = 60_000

    /// The folder of the server's socket and files. ``port`` is only a part of the socket's name.
    let folder: String
    let port = 5432
    private let programs: String
    /// A shell that ends the server when the shell's standard input closes; this process holds the other end.
    private var guardian: ChildProcess?
    private var server = pid_t()

    /// Creates a database cluster and starts its server.
    init() throws {
        programs = try Self.newestPrograms()
        folder = try BenchFile.makeTemporaryFolder()
        do {
            try Self.makeCluster(in: folder, with: programs)
            try start()
        } catch {
            BenchFile.removeFolder(folder)
            throw error
        }
    }

    deinit {
        guardian?.end(signal: 0)
        BenchFile.removeFolder(folder)
    }

    /// The path of the server's Unix socket.
    var socketPath: String { "\(folder)/.s.PGSQL.\(port)" }

    /// The URL of the server's only database, without a password.
    var url: String { Self.url(folder: folder, port: port) }

    /// The URL of a database whose server has its socket in a folder.
    static func url(folder: String, port: Int, database: String = "postgres") -> String {
        let host = folder.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F")
        return "postgres://postgres@\(host):\(port)/\(database)"
    }

    /// Starts the server, which must not be running, and returns when it accepts connections.
    func start() throws {
        let command = Self.asPostgres([
            "\(programs)/postgres", "-D", "\(folder)/data", "-p", "\(port)", "-k", folder,
            "-c", "listen_addresses=", "-c", "max_connections=400", "-c", "fsync=on", "-c", "synchronous_commit=on",
            "-c", "logging_collector=off", "-c", "log_min_messages=fatal",
        ])
        let guardian = try ChildProcess(
            [
                "/bin/sh", "-c",
                """
                folder="$0"; exec 2>>"$folder/log"; "$@" >&2 </dev/null & server=$!
                echo "server $server"
                read word
                kill -QUIT $server 2>/dev/null; wait $server
                [ "$word" = keep ] || rm -rf "$folder"
                """,
                folder,
            ] + command)
        self.guardian = guardian
        guard let identifier = pid_t(try guardian.line(after: "server ")) else {
            throw BenchFailure("a shell that doesn't know its child")
        }
        server = identifier
        for _ in 0..<Self.readyMillisecondsMax / 5 {
            if isReady { return }
            guard guardian.isRunning, Glibc.kill(identifier, 0) == 0 else { break }
            usleep(5_000)
        }
        let log = (try? BenchFile.read("\(folder)/log")).map { String(decoding: $0.suffix(1000), as: UTF8.self) }
        throw BenchFailure("the PostgreSQL server did not start: \(log ?? "")")
    }

    /// Whether the server accepts connections, according to `postmaster.pid`: its first line is the process id, its
    /// eighth the state.
    var isReady: Bool {
        guard let file = try? BenchFile.read("\(folder)/data/postmaster.pid") else { return false }
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count > 7 && pid_t(lines[0]) == server && lines[7].hasPrefix("ready")
    }

    /// Sends SIGKILL to all processes of the server, and returns when all have ended.
    func kill() throws {
        // Stopped first, so that the server starts no further child processes.
        Glibc.kill(server, SIGSTOP)
        let children = try ProcessUsage.children(of: server)
        for process in children + [server] { Glibc.kill(process, SIGKILL) }
        try guardian?.send(Array("keep\n".utf8))
        guardian?.end(signal: 0)
        guardian = nil
        // A server can't start while any process of its predecessor still has the shared memory.
        while children.contains(where: Self.isAlive) { usleep(1_000) }
    }

    /// Whether a process is running. A process that has ended may remain as a zombie until its new parent reaps it.
    private static func isAlive(_ process: pid_t) -> Bool {
        guard let text = try? BenchFile.read("/proc/\(process)/stat") else { return false }
        let state = String(decoding: text, as: UTF8.self).split(separator: ")").last?.drop { $0 == " " }.first
        return state != "Z" && state != "X"
    }

    /// Sends SIGKILL to one of the processes that serve a client. The server then ends all other such processes and
    /// recovers.
    ///
    /// - Returns: whether there was such a process.
    func killBackend(_ chance: inout SeededGenerator) throws -> Bool {
        let backends = try ProcessUsage.children(of: server).filter { process in
            guard let title = try? BenchFile.read("/proc/\(process)/cmdline") else { return false }
            return String(decoding: title, as: UTF8.self).hasPrefix("postgres: postgres ")
        }
        guard let victim = backends.randomElement(using: &chance) else { return false }
        Glibc.kill(victim, SIGKILL)
        return true
    }

    /// The folder of the newest server's programs, as Debian installs them.
    static func newestPrograms() throws -> String {
        let parent = "/usr/lib/postgresql"
        let versions = BenchFile.names(in: parent).compactMap { Int($0) }.sorted()
        guard let newest = versions.last, access("\(parent)/\(newest)/bin/initdb", X_OK) == 0 else {
            throw BenchFailure("no PostgreSQL server under \(parent); Debian's package postgresql has one")
        }
        return "\(parent)/\(newest)/bin"
    }

    /// Wraps a command so that the server's user runs it, since the server refuses to run as root.
    static func asPostgres(_ command: [String]) -> [String] {
        guard getuid() == 0 else { return command }
        return ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
    }

    /// Creates an empty database cluster, `data` in a folder. Afterwards the server's user owns the folder.
    static func makeCluster(in folder: String, with programs: String) throws {
        if getuid() == 0 { try run(["/bin/chown", "postgres", folder]) }
        try run(
            asPostgres([
                "\(programs)/initdb", "--pgdata=\(folder)/data", "--auth=trust", "--username=postgres", "--no-locale",
                "--encoding=UTF8",
            ]))
    }

    private static func run(_ command: [String]) throws {
        let child = try ChildProcess(command)
        child.discardOutput()
        let status = child.end(signal: 0)
        guard status == 0 else { throw BenchFailure("\(command[0]) ended with wait status \(status)") }
    }
}
