import Glibc

/// A gateway process that this program started, on loopback and a port that the system chose.
final class GatewayProcess {
    let port: UInt16
    private let child: ChildProcess

    var identifier: pid_t { child.identifier }
    var isRunning: Bool { child.isRunning }

    /// Starts a gateway and returns when it listens.
    ///
    /// - Parameters:
    ///   - options: further options of `tollgate serve`.
    ///   - errors: the file to which its standard error is appended; this process's standard error if nil.
    ///   - runner: the command of a program that runs the gateway in its own process, such as valgrind.
    init(
        program: String, _ installation: BenchInstallation, options: [String] = [], errors: String? = nil,
        under runner: [String] = []
    ) throws {
        child = try ChildProcess(runner + Self.arguments(program, installation, options), errors: errors)
        let address = try child.line(after: "listening on ")
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchFailure("the gateway listens on \(address), which has no port")
        }
        self.port = port
    }

    /// The resources that the process has used so far.
    func usage() throws -> ProcessUsage { try ProcessUsage(of: identifier) }

    /// Waits until the gateway is idle: all its threads sleep, at two successive checks.
    func waitUntilAsleep() throws {
        let end = Monotonic.nanoseconds + 20_000_000_000
        var count = 0
        while count < 2 {
            guard Monotonic.nanoseconds < end else { throw BenchFailure("the gateway is busy after its last answer") }
            count = ProcessUsage.isAsleep(identifier) ? count + 1 : 0
            usleep(200)
        }
    }

    /// Kills the process with SIGKILL, and returns when it has ended.
    func kill() { child.end(signal: SIGKILL) }

    /// Starts a gateway and kills it after a given time, at any stage of its start.
    static func killStarting(
        program: String, _ installation: BenchInstallation, options: [String], errors: String,
        afterMicroseconds: UInt32
    ) throws {
        let child = try ChildProcess(arguments(program, installation, options), errors: errors)
        child.discardOutput()
        usleep(afterMicroseconds)
        child.end(signal: SIGKILL)
    }

    private static func arguments(
        _ program: String, _ installation: BenchInstallation, _ options: [String]
    ) -> [String] {
        [
            program, "serve", "--port", "0", "--operations-port", "0", "--data", installation.dataPath, "--config",
            installation.configurationPath,
        ] + options
    }

    /// Makes the gateway finish its requests and end.
    func stop() throws {
        let status = child.end()
        guard status == 0 else { throw BenchFailure("the gateway ended with wait status \(status)") }
    }
}
