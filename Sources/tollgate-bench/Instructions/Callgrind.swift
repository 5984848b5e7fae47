import Glibc

/// Gateways that run under `valgrind --tool=callgrind`.
///
/// There are two workarounds for Valgrind 3.19 of Debian 12. It can't read the debug information that Swift writes, so a
/// stripped copy of the program runs; the copy keeps the symbols, and is in the same folder so that it finds the same
/// files. And Valgrind writes to the constant that Dispatch passes to `sigsuspend(2)`, so Swift's libraries must be
/// linked into the program; otherwise it crashes.
final class Callgrind {
    private let valgrind: String
    private let program: String
    private let options: [String]
    private let folder: String
    private var runCount = 0

    /// Copies the program.
    ///
    /// - Parameter options: further options of `tollgate serve`.
    init(program original: String, options: [String]) throws {
        valgrind = try ProgramFile.installed("valgrind", package: "valgrind")
        let strip = try ProgramFile.installed("strip", package: "binutils")
        let name = Array("libdispatch.so\0".utf8)
        let isShared = try BenchFile.read(original).withUnsafeBytes { bytes in
            name.withUnsafeBytes { bytes.position(of: $0) != nil }
        }
        guard !isShared else {
            throw BenchFailure(
                "\(original): valgrind can't run a gateway that shares libdispatch.so; build it as it is shipped, with "
                    + "swift build -c release --static-swift-stdlib --product tollgate")
        }
        program = original + ".callgrind"
        self.options = options
        folder = try BenchFile.makeTemporaryFolder()
        let status = try ChildProcess([strip, "--strip-debug", "-o", program, original]).finish()
        guard status == 0 else { throw BenchFailure("strip could not write \(program): wait status \(status)") }
        // Hashing with a random seed would make collections differ between runs. The gateway inherits the variable.
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    }

    deinit {
        unlink(program)
        BenchFile.removeFolder(folder)
    }

    /// Starts a gateway on a data directory with keys but without a database, and sends batches on one connection. Then
    /// makes the gateway finish its requests and end.
    ///
    /// Each request is sent when all threads are asleep again after the previous answer. Otherwise the number of threads
    /// to wake would depend on the system load. The access log is off by default, since the number of requests per write
    /// would also depend on the load.
    ///
    /// - Returns: the instructions that the gateway executed from its start to its end.
    func profile(_ installation: BenchInstallation, _ batches: [RequestBatch]) throws -> CallgrindProfile {
        runCount += 1
        let path = "\(folder)/callgrind.\(runCount)"
        let log = "\(folder)/valgrind.\(runCount)"
        do {
            let gateway = try GatewayProcess(
                program: program, installation, options: ["--new", "--access-log=off"] + options,
                under: [
                    valgrind, "--tool=callgrind", "--callgrind-out-file=\(path)", "--log-file=\(log)",
                    "--collect-systime=yes", "--demangle=no", "--vgdb=no",
                ])
            let connection = try LoadGenerator(port: gateway.port, connections: 1)
            for batch in batches {
                for number in 0..<batch.count {
                    _ = try connection.run(RequestBatch(repeating: batch[number], count: 1))
                    try gateway.waitUntilAsleep()
                }
            }
            try gateway.stop()
        } catch {
            let reason = (try? BenchFile.read(log)).map { String(decoding: $0.prefix(2000), as: UTF8.self) } ?? ""
            throw BenchFailure("\(error)\n\(reason)")
        }
        return try CallgrindProfile(try BenchFile.read(path))
    }
}

extension ProgramFile {
    /// Finds a program in a folder of `PATH`.
    ///
    /// - Parameter package: the Debian package that contains it.
    fileprivate static func installed(_ name: String, package: String) throws -> String {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
        for folder in folders.split(separator: ":") where access("\(folder)/\(name)", X_OK) == 0 {
            return "\(folder)/\(name)"
        }
        throw BenchFailure("\(name) is not in PATH; on Debian: apt-get install \(package)")
    }
}
