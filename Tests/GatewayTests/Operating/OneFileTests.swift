import Foundation
import Glibc
import JSON
import Testing

/// The program alone, without a checkout around it.
@Suite(.timeLimit(.minutes(10)))
struct OneFileTests {
    /// A folder that has the program and nothing else, which is the working directory as well.
    private static func withProgramAlone(_ body: (TestFolder, String) throws -> Void) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let program = folder.path + "/alone/tollgate"
        try FileManager.default.createDirectory(atPath: folder.path + "/alone", withIntermediateDirectories: false)
        // A file that this process had open for writing, or a child that it started meanwhile, could not be run.
        let copying = try ChildProcess("/bin/cp", [try BuiltProgram.path(), program], errors: folder.errors)
        #expect(try copying.wait() == .exited(0))
        try body(folder, program)
    }

    private static func run(_ program: String, _ arguments: [String], in folder: TestFolder) throws -> String {
        let process = try ChildProcess(
            "/bin/sh", ["-c", #"cd "$(dirname "$0")" && exec ./tollgate "$@""#, program] + arguments,
            environment: ["TOLLGATE_CONFIG": ""], errors: folder.errors)
        return String(decoding: try process.outputToEnd(), as: UTF8.self)
    }

    @Test func `the program alone in an empty folder serves an AUTHORIZE`() throws {
        try Self.withProgramAlone { folder, program in
            let gateway = try ChildProcess(
                "/bin/sh",
                [
                    "-c", #"cd "$(dirname "$0")" && exec ./tollgate serve --port 0 --operations-port 0 --data "$1""#,
                    program, folder.data,
                ], environment: ["TOLLGATE_CONFIG": ""], errors: folder.errors)
            defer { gateway.kill() }
            _ = try gateway.output(until: "password")
            #expect(try Self.run(program, ["ready", "--data", folder.data, "--wait", "30"], in: folder) == "ready\n")
            let url = try folder.readyFile("url")
            let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
            let description = try Exchange.reply("GET", "/_tollgate/openapi.yaml", port: port)
            #expect(description.status == 200)
            #expect(try folder.readyFile("merchant") == "TESTMERCHANT")
            let sandbox = try Exchange.reply("GET", "/_tollgate/sandbox", port: port)
            let credentials = RunningGateway.Credentials(password: try #require(sandbox["password"]))
            let reply = try Exchange.reply(
                "PUT", TransactionPath().text, try folder.mintRequest(), port: port, fields: credentials.field)
            #expect(reply.status == 201)
            #expect(reply["response.gatewayCode"] == "APPROVED")
        }
    }

    @Test(
        .enabled(
            if: geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0, "a mount of one's own needs root's rights"))
    func `without /proc, where its arguments are, the program ends with an error that names it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let process = try ChildProcess(
            "/usr/bin/unshare",
            [
                "--mount", "/bin/sh", "-c", #"mount -t tmpfs none /proc && exec "$0" serve --data "$1""#,
                try BuiltProgram.path(), folder.data,
            ], errors: folder.errors)
        #expect(try process.outputToEnd().isEmpty)
        #expect(try process.wait() == .exited(1))
        #expect(try folder.text("errors").contains("/proc is not mounted"))
    }

    @Test func `config show tells each value and where it comes from`() throws {
        try Self.withProgramAlone { folder, program in
            try FileManager.default.createDirectory(
                atPath: folder.path + "/alone/Config", withIntermediateDirectories: false)
            try Data("port: 9000\nsessionSeconds: 60\n".utf8).write(
                to: URL(fileURLWithPath: folder.path + "/alone/Config/tollgate.yaml"))
            let text = try Self.run(
                program,
                [
                    "config", "show", "--port", "9001", "--store-url", "postgres://user:secret-of-the-test@host/db",
                    "--data", folder.data,
                ], in: folder)
            #expect(try folder.text("errors").isEmpty)
            func row(_ key: String) -> [String] {
                let line = text.split(separator: "\n").first { $0.hasPrefix(key + " ") } ?? ""
                return line.split(separator: " ").dropFirst().map(String.init)
            }
            #expect(row("port") == ["9001", "--port"])
            #expect(row("sessionSeconds") == ["60", "Config/tollgate.yaml:", "sessionSeconds"])
            #expect(row("host") == ["127.0.0.1", "default"])
            #expect(row("simulator.yaml") == ["simulator.yaml", "(built", "in)"])
            #expect(!text.contains("secret-of-the-test"))
        }
    }

    @Test(arguments: [
        ("postgres://user:secret-of-the-test@host/db", "postgres://***@host/db"),
        ("postgres://host/db?password=secret-of-the-test", "postgres://host/db?***"),
        ("postgres://user:secret-of-the-test@host/db?sslpassword=secret-of-the-test", "postgres://***@host/db?***"),
        ("postgres://user@host/db?password=secret-of-the-test%40@secret-of-the-test", "postgres://***"),
    ])
    func `config show never tells a password`(url: String, shown: String) throws {
        try Self.withProgramAlone { folder, program in
            let text = try Self.run(
                program, ["config", "show", "--store-url", url, "--data", folder.data], in: folder)
            #expect(!text.contains("secret-of-the-test"))
            #expect(text.split(separator: "\n").contains { $0.hasPrefix("storeURL ") && $0.contains(" \(shown) ") })
        }
    }

    @Test func `a merchant is made in the data directory, with a note on the sandbox`() throws {
        try Self.withProgramAlone { folder, program in
            let made = try Self.run(program, ["merchant", "create", "SHOP", "--data", folder.data], in: folder)
            #expect(made.contains("file: \(folder.data)/merchants/SHOP.yaml"))
            #expect(made.contains("sandbox: true"))
            let second = try Self.run(program, ["merchant", "create", "OTHER", "--data", folder.data], in: folder)
            #expect(!second.contains("sandbox: true"))
            let list = try Self.run(program, ["merchant", "list", "--data", folder.data], in: folder)
            #expect(list.contains("SHOP") && list.contains("OTHER"))
            let gateway = try ChildProcess(
                program, ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data],
                environment: ["TOLLGATE_CONFIG": ""], errors: folder.errors)
            defer { gateway.kill() }
            let banner = try gateway.output(until: "operations")
            #expect(banner.contains("OTHER, SHOP"))
            #expect(banner.contains("sandbox     off"))
            #expect(banner.contains("sandbox: true"))
        }
    }

    @Test func `the version is told`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run("--version")
        #expect(result.status == 0)
        #expect(result.text == "1.0.0\n")
    }
}
