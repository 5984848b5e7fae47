import Foundation
import Glibc
import Testing

/// What of a running gateway's memory can get to a disk, or to another process of its user.
struct ProtectedProcessTests {
    private static let setpriv = "/usr/bin/setpriv"
    /// `nobody` of most systems; any user who isn't root does.
    private static let user: uid_t = 65534

    @Test func `a gateway that crashes leaves no core`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let limits = try String(contentsOfFile: "/proc/\(gateway.process.identifier)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").suffix(3).prefix(2) == ["0", "0"])
    }

    @Test(.enabled(if: geteuid() != 0 || access(setpriv, X_OK) == 0), arguments: ["serve", "token"])
    func `no other process of the same user may look into one that holds secrets`(command: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.makePipe("input")
        let arguments =
            command == "serve"
            ? ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data]
            // It waits for its input.
            : ["token", "inspect", folder.path + "/input", "--data", folder.data]
        let program = try BuiltProgram.path()
        let process: ChildProcess
        if geteuid() == 0 {
            #expect(chown(folder.path, Self.user, Self.user) == 0)
            #expect(chown(folder.path + "/input", Self.user, Self.user) == 0)
            process = try ChildProcess(
                Self.setpriv,
                ["--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "--", program] + arguments,
                errors: folder.errors)
        } else {
            process = try ChildProcess(program, arguments, errors: folder.errors)
        }
        defer { process.kill() }
        if command == "serve" { _ = try process.firstLine() }
        // The kernel gives the files of a process that may not be looked into to root.
        func owner() -> uid_t? {
            var status = stat()
            return stat("/proc/\(process.identifier)/mem", &status) == 0 ? status.st_uid : nil
        }
        for _ in 0..<3000
        where owner() != 0
            || (try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(process.identifier)/exe")) != program
        { usleep(10_000) }
        #expect(owner() == 0)
    }
}
