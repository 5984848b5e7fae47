import Foundation
import Glibc
import Testing

/// The bearer token of the control port that the gateway makes itself.
final class ControlTokenTests {
    private static let file = "data/control-token"

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    deinit { folder.remove() }

    /// The status with which `GET health` on the control port is answered.
    private func status(_ gateway: RunningGateway, token: String) throws -> Int {
        let banner = try gateway.process.output(until: "\noperations")
        let line = try #require(banner.split(separator: "\n").first { $0.hasPrefix("control") })
        let port = try #require(UInt16(line.split(separator: ":")[2].prefix { $0.isNumber }))
        return try gateway.control("GET", "health", port: port, authorization: "Authorization: Bearer \(token)\r\n")
            .status
    }

    private func kept() throws -> String { try folder.text(Self.file).filter { !$0.isNewline } }

    @Test func `a control port without a token gets one on the first start, which stays and is never shown`() throws {
        let first = try RunningGateway(in: folder, "--control-port", "0")
        let token = try kept()
        #expect(token.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(try folder.mode(Self.file) == 0o600)
        #expect(try status(first, token: token) == 200)
        #expect(try status(first, token: String(token.reversed())) == 401)
        #expect(try status(first, token: "") == 401)
        let banner = try first.process.output(until: "\noperations").replacing("\n            ", with: " ")
        #expect(banner.contains("/_tollgate/ with the bearer token; to see it: cat \(folder.path)/\(Self.file)\n"))
        #expect(try first.stop() == .exited(0))

        let second = try RunningGateway(in: folder, "--control-port", "0")
        #expect(try kept() == token)
        #expect(try status(second, token: token) == 200)
        #expect(try second.stop() == .exited(0))
        for gateway in [first, second] {
            #expect(!String(decoding: try gateway.process.outputToEnd(), as: UTF8.self).contains(token))
        }
        #expect(!(try folder.text("errors")).contains(token))

        let other = try TestFolder()
        defer { other.remove() }
        let third = try RunningGateway(in: other, "--control-port", "0")
        defer { third.kill() }
        #expect(try other.text(Self.file).filter { !$0.isNewline } != token)
    }

    @Test(arguments: [false, true])
    func `a token that is given wins, and none is made`(isVariable: Bool) throws {
        let given = "a-token-of-sixteen-or-more"
        let file = try folder.writeSecret("token", Array("\(given)\n".utf8))
        let gateway = try RunningGateway(
            in: folder, ["--control-port", "0"] + (isVariable ? [] : ["--control-token-file", file]),
            environment: isVariable ? ["TOLLGATE_CONTROL_TOKEN": given] : [:])
        #expect(try status(gateway, token: given) == 200)
        #expect(try gateway.stop() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(Self.file)"))
    }

    @Test func `without a control port none is made`() throws {
        let gateway = try RunningGateway(in: folder, "--control-port", "none")
        #expect(try gateway.control("GET", "sandbox").status == 200)
        #expect(try gateway.stop() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(Self.file)"))
    }

    @Test func `merchants of one's own have the same control port`() throws {
        try folder.writeSecret(
            "config/merchants/SHOP.yaml", Array("passwords: [{environment: SHOP_PASSWORD}]".utf8))
        let gateway = try RunningGateway(
            in: folder, "--control-port", "0", "--config", folder.path + "/config",
            environment: ["SHOP_PASSWORD": "a-long-enough-password"],
            credentials: .init(merchant: "SHOP", password: "a-long-enough-password"))
        defer { gateway.kill() }
        #expect(try status(gateway, token: try kept()) == 200)
    }

    @Test func `a kept token that others may use is repaired with a warning`() throws {
        let file = try folder.writeSecret(Self.file, Array("0123456789abcdef\n".utf8), mode: 0o644)
        let gateway = try RunningGateway(in: folder, "--control-port", "0")
        defer { gateway.kill() }
        #expect(try status(gateway, token: "0123456789abcdef") == 200)
        #expect(try folder.mode(Self.file) == 0o640)
        #expect(try folder.text("errors").contains("\(file): others could use it (mode 0644); it is 0640 now\n"))
    }

    @Test(arguments: ["", "short\n"])
    func `a kept token that is too short is refused with what to do`(content: String) throws {
        let file = try folder.writeSecret(Self.file, Array(content.utf8))
        let result = try serve()
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        #expect(result.errors.contains("\(file): "))
        #expect(result.errors.contains("remove it"))
    }

    @Test func `a data directory that can't hold a token is refused with what to do`() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(Self.file)", withIntermediateDirectories: true)
        let result = try serve()
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        for word in ["\(folder.path)/\(Self.file): ", "--control-token-file", "TOLLGATE_CONTROL_TOKEN"] {
            #expect(result.errors.contains(word), "\(result.errors)")
        }
    }

    private func serve() throws -> CommandResult {
        try folder.run(
            "serve", "--port", "0", "--operations-port", "0", "--control-port", "0", "--data", folder.data)
    }

    @Test func `a backup has the token`() throws {
        let gateway = try RunningGateway(in: folder, "--control-port", "0")
        defer { gateway.kill() }
        let copied = try folder.run("backup", folder.path + "/copy", "--data", folder.data)
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(try folder.read("copy/control-token") == folder.read(Self.file))
        #expect(try folder.mode("copy/control-token") == 0o600)
    }
}
