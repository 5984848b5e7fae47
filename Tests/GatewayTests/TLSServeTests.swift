import ApplePay
import Glibc
import OpenSSL
import Testing

/// `tollgate serve` over TLS, asked by curl and by clients of the tests' own.
@Suite(.enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"))
final class TLSServeTests {
    private let folder: TestFolder
    private let server: TLSFiles

    init() throws {
        folder = try TestFolder()
        server = try TLSFiles("server", in: folder)
    }
    deinit { folder.remove() }

    private func gateway(_ options: [String] = []) throws -> TLSGateway {
        try TLSGateway(in: folder, server.options + options, trust: server.certificatePath)
    }

    private static let transaction = TransactionPath(merchant: "SHOP").text

    /// The merchants SHOP and OTHER, each known by a certificate and by a password.
    private func writeMerchants(_ shop: TLSFiles, _ other: TLSFiles) throws {
        for (name, files) in [("SHOP", shop), ("OTHER", other)] {
            try folder.write(
                "config/merchants/\(name).yaml",
                Array("certificates: ['\(files.fingerprint)']\npasswords: [{file: password}]\n".utf8))
        }
        try folder.write("config/merchants/password", Array("shop-word\n".utf8))
    }

    /// A file in which several certificates are trusted.
    private func trust(_ files: [TLSFiles]) throws -> String {
        try folder.write("clients.pem", files.flatMap { try $0.certificate.pem() })
    }

    // MARK: Serving

    @Test(arguments: ["--http1.1", "--http2", "--tls-max 1.2", "--tlsv1.3"])
    func `a client is served over TLS, whichever version and protocol it speaks`(options: String) throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        let options = options.split(separator: " ").map(String.init)
        #expect(try gateway.get("/api/rest/version/100/information", options) == .init(exit: 0, status: 200))
    }

    @Test func `the line of the banner authorizes over TLS`() throws {
        let gateway = try gateway(["--host", "0.0.0.0"])
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "/transaction/1\"\n")
        let line = try #require(RunningGateway.command(ofBanner: banner))
        #expect(line.contains("https://localhost:\(gateway.port)/"))
        #expect(banner.contains("control     https://localhost:\(gateway.port)/_tollgate/"))
        let shell = try ChildProcess("/bin/sh", ["-c", line], errors: folder.path + "/shell-errors")
        let output = String(decoding: try shell.outputToEnd(), as: UTF8.self)
        #expect(try shell.wait() == .exited(0))
        #expect(output.contains(#""gatewayCode":"APPROVED""#))
    }

    @Test func `a client that does not know the certificate goes away, and the gateway goes on`() throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        let other = try TLSFiles("other", in: folder)
        // CURLE_PEER_FAILED_VERIFICATION
        #expect(try gateway.get("/", ["--cacert", other.certificatePath]) == .init(exit: 60, status: 0))
        #expect(try gateway.get().status == 200)
    }

    @Test(arguments: ["-tls1", "-tls1_1"])
    func `a client that only speaks an old version is refused`(version: String) throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        let client = try ChildProcess(
            "/usr/bin/openssl",
            ["s_client", "-connect", "127.0.0.1:\(gateway.port)", version, "-cipher", "ALL:@SECLEVEL=0"],
            errors: folder.path + "/client-errors")
        let output = String(decoding: try client.outputToEnd(), as: UTF8.self)
        #expect(try client.wait() != .exited(0))
        #expect(output.contains("no peer certificate available"))
        #expect(try folder.text("client-errors").contains("alert protocol version"))
    }

    @Test func `a request without TLS is told to use it`() throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        let reply = try Exchange.reply("GET", "/api/rest/version/100/information", port: gateway.port)
        #expect(reply.status == 400)
        #expect(reply.field("content-type") == "text/plain")
        #expect(reply.text.contains("https://"))
        #expect(try gateway.get().status == 200)
    }

    @Test func `control on a port of its own is encrypted, too`() throws {
        try folder.writeSecret("token", Array("0123456789abcdef\n".utf8))
        let gateway = try gateway(["--control-port", "0", "--control-token-file", folder.path + "/token"])
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "with the bearer token\n")
        let line = try #require(banner.split(separator: "\n").last { $0.hasPrefix("control") })
        let url = try #require(line.split(separator: " ").dropFirst().first)
        #expect(url.hasPrefix("https://127.0.0.1:"))
        let curl = try ChildProcess(
            "/usr/bin/curl",
            [
                "-sS", "--cacert", server.certificatePath, "-H", "Authorization: Bearer 0123456789abcdef",
                "\(url)sandbox",
            ], errors: folder.path + "/curl-errors")
        let output = String(decoding: try curl.outputToEnd(), as: UTF8.self)
        #expect(output.contains(#""baseUrl":"https://127.0.0.1:\#(gateway.port)""#))
    }

    // MARK: Clients' certificates

    @Test(arguments: ["optional", "required"], ["--http1.1", "--http2"])
    func `a merchant is known by a certificate, and by no other's`(policy: String, version: String) throws {
        let shop = try TLSFiles("shop", in: folder, purpose: .client)
        let other = try TLSFiles("other", in: folder, purpose: .client)
        let stranger = try TLSFiles("stranger", in: folder, purpose: .client)
        try writeMerchants(shop, other)
        let gateway = try gateway([
            "--config", folder.path + "/config", "--tls-client-ca", try trust([shop, other, stranger]),
            "--tls-client-certificates", policy,
        ])
        defer { gateway.kill() }
        func status(_ options: [String]) throws -> Int { try gateway.get(Self.transaction, [version] + options).status }
        // A transaction that isn't there, and one that somebody else may not ask for.
        #expect(try status(shop.curlOptions) == 400)
        #expect(try status(other.curlOptions) == 401)
        #expect(try status(stranger.curlOptions) == 401)
        #expect(try status(stranger.curlOptions + ["-u", "merchant.SHOP:shop-word"]) == 400)
        #expect(try status(shop.curlOptions + ["-u", "merchant.SHOP:wrong-word"]) == 401)
        if policy == "optional" {
            #expect(try status([]) == 401)
            #expect(try status(["-u", "merchant.SHOP:shop-word"]) == 400)
        }
    }

    @Test(arguments: ["--tls-max 1.2", "--tlsv1.3"], ["optional", "required"])
    func `a bad certificate is refused in the handshake`(version: String, policy: String) throws {
        let good = try TLSFiles("good", in: folder, purpose: .client)
        let expired = try TLSFiles(
            "expired", in: folder, purpose: .client, from: TLSFiles.now - 2 * TLSFiles.day,
            to: TLSFiles.now - TLSFiles.day)
        let early = try TLSFiles("early", in: folder, purpose: .client, from: TLSFiles.now + TLSFiles.day)
        let serving = try TLSFiles("serving", in: folder, purpose: .server)
        let gateway = try gateway([
            "--tls-client-ca", try trust([good, expired, early, serving]), "--tls-client-certificates", policy,
        ])
        defer { gateway.kill() }
        let version = version.split(separator: " ").map(String.init)
        let path = "/api/rest/version/100/information"
        #expect(try gateway.get(path, version + good.curlOptions) == .init(exit: 0, status: 200))
        let unknown = try TLSFiles("unknown", in: folder, purpose: .client)
        for bad in [expired, early, serving, unknown] {
            let seen = try gateway.get(path, version + bad.curlOptions)
            #expect(seen.exit != 0 && seen.status == 0, "\(bad.certificatePath)")
        }
        let absent = try gateway.get(path, version)
        #expect(absent.status == (policy == "required" ? 0 : 200))
        #expect((absent.exit == 0) == (policy == "optional"))
        #expect(try gateway.get(path, version + good.curlOptions).status == 200)
    }

    // MARK: Reload

    @Test func `a new certificate is for new connections, and old ones go on`() throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        let request = "GET /api/rest/version/100/information HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let old = try HTTPSConnection(port: gateway.port, try TLSGateway.client(server.certificate))
        try old.send(request)
        #expect(try old.receiveResponse().status == 200)
        #expect(old.serverFingerprint == server.certificate.fingerprint)

        let renewed = try TLSFiles("server", in: folder)
        _ = try gateway.process.output(until: "(reloaded)\n")
        let new = try HTTPSConnection(port: gateway.port, try TLSGateway.client(renewed.certificate))
        #expect(new.serverFingerprint == renewed.certificate.fingerprint)
        for connection in [old, new] {
            try connection.send(request)
            #expect(try connection.receiveResponse().status == 200)
        }
    }

    @Test func `a broken pair is told once and leaves everything as it was until it is mended`() throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        let other = try TLSFiles("other", in: folder)
        try folder.writeSecret("server-key.pem", try folder.read("other-key.pem"))
        #expect(try folder.errors(once: "not reloaded").contains("put the gateway's own certificate first"))
        #expect(try gateway.get().status == 200)
        try folder.write("server.pem", try other.certificate.pem())
        _ = try gateway.process.output(until: "(reloaded)\n")
        #expect(try folder.text("errors").split(separator: "\n").count { $0.contains("not reloaded") } == 1)
        let connection = try HTTPSConnection(port: gateway.port, try TLSGateway.client(other.certificate))
        #expect(connection.serverFingerprint == other.certificate.fingerprint)
    }

    @Test func `a signal reloads the files, changed or not, and no output names a key`() throws {
        let gateway = try gateway()
        defer { gateway.kill() }
        gateway.process.signal(SIGHUP)
        let output = try gateway.process.output(until: "Z (reloaded)\n")
        #expect(output.contains("tls         \(server.certificatePath), until "))
        #expect(!output.contains("PRIVATE"))
        #expect(try gateway.get().status == 200)
    }

    @Test func `a client whose authority goes is let in no longer`() throws {
        let first = try TLSFiles("first", in: folder, purpose: .client)
        let second = try TLSFiles("second", in: folder, purpose: .client)
        let gateway = try gateway([
            "--tls-client-ca", try trust([first]), "--tls-client-certificates", "required",
        ])
        defer { gateway.kill() }
        let path = "/api/rest/version/100/information"
        #expect(try gateway.get(path, first.curlOptions).status == 200)
        #expect(try gateway.get(path, second.curlOptions).exit != 0)
        _ = try trust([second])
        _ = try gateway.process.output(until: "(reloaded)\n")
        #expect(try gateway.get(path, first.curlOptions).exit != 0)
        #expect(try gateway.get(path, second.curlOptions).status == 200)
    }

    @Test func `a certificate that ends soon is warned of, and one that has ended is served with all the same`() throws
    {
        let soon = try TLSFiles("soon", in: folder, to: TLSFiles.now + 5 * TLSFiles.day)
        let gateway = try TLSGateway(in: folder, soon.options, trust: soon.certificatePath)
        gateway.kill()
        #expect(try folder.text("errors").contains("soon.pem: the gateway's certificate expires on "))
        let past = try TLSFiles(
            "past", in: folder, from: TLSFiles.now - 2 * TLSFiles.day, to: TLSFiles.now - TLSFiles.day)
        try TLSGateway(in: folder, past.options, trust: past.certificatePath).kill()
        #expect(try folder.text("errors").contains("past.pem: the gateway's certificate has expired"))
    }
}
