import Glibc
import Testing

/// The access log of the built program at a terminal, and elsewhere.
struct AccessLogTerminalTests {
    private static func output(
        _ folder: TestFolder, _ options: [String], environment: [String: String] = [:], onTerminal: Bool = true
    ) throws -> String {
        let gateway = try RunningGateway(in: folder, options, environment: environment, onTerminal: onTerminal)
        defer { gateway.kill() }
        _ = try gateway.get(TransactionPath(order: "order-of-the-test"))
        #expect(try gateway.stop() == .exited(0))
        return String(decoding: try gateway.process.outputToEnd(), as: UTF8.self)
    }

    @Test(
        arguments: [
            ([], [:], true, true), ([], ["NO_COLOR": ""], true, true), ([], ["NO_COLOR": "1"], true, false),
            ([], ["TERM": "dumb"], true, false), (["--access-log-format", "text"], [:], true, true),
            (["--access-log-format", "text"], [:], false, false),
        ] as [([String], [String: String], Bool, Bool)])
    func `a person gets a short line, in colour at a terminal unless NO_COLOR says otherwise`(
        options: [String], environment: [String: String], onTerminal: Bool, isColoured: Bool
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let output = try Self.output(folder, options, environment: environment, onTerminal: onTerminal)
        let line = try #require(output.split(separator: "\n").last { $0.contains("order-of-the-test") })
        #expect(line.contains("400 Bad Request"))
        #expect(line.contains("\u{1B}[33mrefused") == isColoured)
        #expect(!line.contains("{"))
    }

    @Test(arguments: [([], false), (["--access-log-format", "json"], true), (["--access-log-format=auto"], false)])
    func `others get JSON`(options: [String], onTerminal: Bool) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let output = try Self.output(folder, options, onTerminal: onTerminal)
        #expect(output.contains(#""order":"order-of-the-test""#) && !output.contains("\u{1B}"))
    }

    @Test func `a file gets JSON though standard output is a terminal`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        _ = try Self.output(folder, ["--access-log", folder.path + "/access.log"])
        #expect(try folder.text("access.log").contains(#""order":"order-of-the-test""#))
    }

    @Test func `another format is refused with those that there are`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run("serve", "--data", folder.data, "--access-log-format", "xml")
        #expect(result.status != 0)
        #expect(result.errors.contains("expected json, text or auto"))
    }
}
