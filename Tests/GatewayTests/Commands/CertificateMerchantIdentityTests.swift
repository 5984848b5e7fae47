import Foundation
import OpenSSL
import Testing

/// `tollgate certificate merchant-identity`, and the gateway that wants the certificate, run as the built program.
@Suite(.timeLimit(.minutes(30)))
final class CertificateMerchantIdentityTests {
    private let folder: TestFolder
    private let server: TLSFiles

    init() throws {
        folder = try TestFolder()
        server = try TLSFiles("server", in: folder)
    }
    deinit { folder.remove() }

    private static let sandboxMerchant = "merchant.local.tollgate.testmerchant"

    private var sandboxOptions: [String] {
        let identity = folder.data + "/sandbox/identity/merchant"
        return ["--cert", identity + ".pem", "--key", identity + ".key.pem"]
    }

    private func issue(for identifier: String, in name: String) throws -> CommandResult {
        try folder.run([
            "certificate", "merchant-identity", "--data", folder.data, "--merchant-identifier", identifier,
            "--out", folder.path + "/" + name,
        ])
    }

    private func ask(
        _ gateway: TLSGateway, _ options: [String], identifier: String = sandboxMerchant
    ) throws -> TLSGateway.Seen {
        let content = """
            {"merchantIdentifier":"\(identifier)","displayName":"Shop","initiative":"web","initiativeContext":"localhost"}
            """
        return try gateway.get("/paymentservices/paymentSession", ["-d", content] + options)
    }

    @Test(arguments: ["--http1.1", "--http2", "--tls-max 1.2"])
    func `a sandbox with TLS wants the merchant's certificate`(version: String) throws {
        let gateway = try TLSGateway(in: folder, server.options, trust: server.certificatePath)
        defer { gateway.kill() }
        let version = version.split(separator: " ").map(String.init)
        #expect(try ask(gateway, version + sandboxOptions) == .init(exit: 0, status: 200))
        #expect(try ask(gateway, version) == .init(exit: 0, status: 403))
        #expect(try folder.mode("data/sandbox/identity/merchant.key.pem") == 0o600)

        #expect(try issue(for: "merchant.example.other", in: "other").status == 0)
        let other = ["--cert", folder.path + "/other/certificate.pem", "--key", folder.path + "/other/key.pem"]
        #expect(try ask(gateway, version + other).status == 403)
        // A client with any other certificate is served as without one.
        let stranger = try TLSFiles("stranger", in: folder, purpose: .client)
        #expect(try ask(gateway, version + stranger.curlOptions) == .init(exit: 0, status: 403))
        let information = "/api/rest/version/100/information"
        #expect(try gateway.get(information, version + stranger.curlOptions) == .init(exit: 0, status: 200))
    }

    @Test func `the certificate authenticates no merchant at the other APIs`() throws {
        let gateway = try TLSGateway(in: folder, server.options, trust: server.certificatePath)
        defer { gateway.kill() }
        #expect(try gateway.get(TransactionPath().text, sandboxOptions) == .init(exit: 0, status: 401))
    }

    @Test(arguments: [("optional", 200), ("required", 0)])
    func `what an operator demands of clients is not weakened`(policy: String, status: Int) throws {
        let client = try TLSFiles("client", in: folder, purpose: .client)
        let options = ["--tls-client-ca", client.certificatePath, "--tls-client-certificates", policy]
        let gateway = try TLSGateway(in: folder, server.options + options, trust: server.certificatePath)
        defer { gateway.kill() }
        #expect(try ask(gateway, sandboxOptions).status == status)
        #expect(try ask(gateway, client.curlOptions).status == 403)
        let stranger = try TLSFiles("stranger", in: folder, purpose: .client)
        #expect(try ask(gateway, stranger.curlOptions).status == 0)
    }

    @Test func `the certificate goes on when the gateway's own is renewed`() throws {
        let gateway = try TLSGateway(in: folder, server.options, trust: server.certificatePath)
        defer { gateway.kill() }
        gateway.process.signal(SIGHUP)
        _ = try gateway.process.output(until: "(reloaded)\n")
        #expect(try ask(gateway, sandboxOptions) == .init(exit: 0, status: 200))
    }

    @Test func `it is made once, and shown`() throws {
        try folder.makeKeys()
        let arguments = ["certificate", "merchant-identity", "--data", folder.data]
        let first = try folder.run(arguments)
        #expect(first.status == 0 && first.text.contains("merchantIdentifier  \(Self.sandboxMerchant)\n"))
        #expect(!first.text.contains("PRIVATE"))
        #expect(try folder.run(arguments).text == first.text)
        let path = folder.data + "/sandbox/identity/merchant.pem"
        let shown = try folder.run(["certificate", "show", path])
        #expect(shown.text.contains("kind                    Merchant Identity Certificate"))
        #expect(try Certificate(pem: folder.read("data/sandbox/identity/merchant.pem")).isForClientAuthentication)
    }

    @Test func `nothing is overwritten, and no authority is made where no gateway has run`() throws {
        let absent = try folder.run(["certificate", "merchant-identity", "--data", folder.path + "/none"])
        #expect(absent.status == 1 && absent.errors.contains("name the data directory of the gateway with --data"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        try folder.makeKeys()
        let identifier = "merchant." + String(repeating: "long.", count: 30)
        #expect(try issue(for: identifier, in: "long").status == 0)
        let again = try issue(for: identifier, in: "long")
        #expect(again.status == 1 && again.errors.contains("it is there already"))
        #expect(try folder.run(["certificate", "merchant-identity", "--out", "x"]).status == 64)
    }
}
