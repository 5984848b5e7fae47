import OpenSSL
import Testing

/// `tollgate certificate self-signed`, run as the built program.
final class CertificateSelfSignedTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    deinit { folder.remove() }

    private func make(_ arguments: String...) throws -> CommandResult {
        try folder.run(["certificate", "self-signed", "--out", folder.path + "/tls"] + arguments)
    }

    @Test func `what is made is served with, and known by the line that is printed`() throws {
        let made = try make()
        #expect(made.status == 0)
        #expect(made.errors.isEmpty)
        #expect(try folder.mode("tls/key.pem") == 0o600)
        #expect(!made.text.contains("PRIVATE KEY"))
        #expect(made.text.contains("names        localhost, 127.0.0.1, ::1\n"))

        let certificate = try Certificate(pem: folder.read("tls/certificate.pem"))
        let key = try folder.read("tls/key.pem").withUnsafeBytes { try PrivateKey(pem: $0) }
        #expect(key.isP256)
        #expect(!certificate.isAuthority)
        #expect(certificate.notAfterSecondsSinceEpoch - certificate.notBeforeSecondsSinceEpoch == 90 * 86_400 + 3600)

        let path = folder.path + "/tls/certificate.pem"
        let gateway = try TLSGateway(
            in: folder, ["--tls-certificate", path, "--tls-key", folder.path + "/tls/key.pem"], trust: path)
        defer { gateway.kill() }
        let command = try #require(made.text.split(separator: "\n").last { $0.contains("curl") })
        let shell = try ChildProcess(
            "/bin/sh", ["-c", String(command.replacing(":8080", with: ":\(gateway.port)"))],
            errors: folder.path + "/shell-errors")
        #expect(String(decoding: try shell.outputToEnd(), as: UTF8.self).contains("OPERATING"))
    }

    @Test func `names, addresses and days are as they were asked for`() throws {
        let made = try make("--name", "gateway.test", "--name", "192.0.2.7", "--name", "*.gateway.test", "--days", "7")
        #expect(made.status == 0)
        let certificate = try Certificate(pem: folder.read("tls/certificate.pem"))
        #expect(certificate.commonName == "gateway.test")
        #expect(certificate.notAfterSecondsSinceEpoch - certificate.notBeforeSecondsSinceEpoch == 7 * 86_400 + 3600)
        let names = try #require(certificate.extensionValue("2.5.29.17"))
        #expect(names.range(of: Array("*.gateway.test".utf8)) != nil)
        #expect(names.range(of: [0x87, 4, 192, 0, 2, 7]) != nil)
        #expect(names.range(of: Array("localhost".utf8)) == nil)
    }

    @Test func `a client's certificate is for clients`() throws {
        let made = try make("--client", "--name", "SHOP")
        #expect(made.status == 0)
        let certificate = try Certificate(pem: folder.read("tls/certificate.pem"))
        #expect(certificate.isForClientAuthentication)
        #expect(certificate.commonName == "SHOP")
        let fingerprint = certificate.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(made.text.contains("certificates: [\(fingerprint.joined())]"))
    }

    @Test(arguments: ["certificate.pem", "key.pem"])
    func `existing files are never overwritten`(file: String) throws {
        try folder.write("tls/" + file, Array("mine".utf8))
        let made = try make()
        #expect(made.status != 0)
        #expect(made.errors.contains("\(file): it is there already"))
        #expect(try TestFolder.files(below: folder.path + "/tls").count == 1)
        #expect(try folder.text("tls/" + file) == "mine")
    }

    @Test(arguments: [
        (["--name", ""], "--name"), (["--name", "a b"], "--name"), (["--name", "-a"], "--name"),
        (["--name", "a..b"], "--name"), (["--name", "1.2.3"], "--name"), (["--name", "256.1.1.1"], "--name"),
        (["--name", "*"], "--name"), (["--name", "*.test"], "--name"), (["--name", "a.*.test"], "--name"),
        (["--name", "ä.test"], "--name"), (["--name", "[::1]"], "--name"),
        (["--days", "0"], "--days"), (["--days", "826"], "--days"), (["--days", "many"], "many"),
        (["--client"], "--client"), (["--client", "--name", "a", "--name", "b"], "--client"),
    ])
    func `a name or a number that doesn't fit is refused`(options: [String], name: String) throws {
        let result = try folder.run(
            ["certificate", "self-signed", "--out", folder.path + "/tls"] + options)
        #expect(result.status != 0)
        #expect(result.errors.contains(name))
        #expect(throws: (any Error).self) { try folder.read("tls/key.pem") }
    }
}
