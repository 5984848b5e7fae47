import OpenSSL
import Testing
import Values

/// Where a gateway may be asked without TLS, and settings of TLS that don't fit together.
final class PlaintextTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    deinit { folder.remove() }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "::ffff:127.0.0.1", "0"])
    func `an address other than loopback is refused, with three ways out`(host: String) throws {
        let result = try folder.run("serve", "--host", host, "--port", "0", "--data", folder.data)
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        for way in [host, "--tls-certificate", "--host 127.0.0.1", "--allow-plaintext"] {
            #expect(result.errors.contains(way))
        }
    }

    @Test func `control's own port is no way around it`() throws {
        try folder.writeSecret("token", Array("0123456789abcdef\n".utf8))
        let result = try folder.run(
            "serve", "--host", "0.0.0.0", "--port", "0", "--data", folder.data, "--control-port", "0",
            "--control-token-file", folder.path + "/token")
        #expect(result.status != 0)
        #expect(result.errors.contains("--allow-plaintext"))
    }

    @Test(
        arguments: [
            (["--host", "127.0.0.1"], [:]), (["--host", "127.0.0.2"], [:]), (["--host", "localhost"], [:]),
            (["--host", "0.0.0.0", "--allow-plaintext"], [:]),
            (["--host", "0.0.0.0"], ["TOLLGATE_ALLOW_PLAINTEXT": "true"]),
        ] as [([String], [String: String])])
    func `loopback is served, and elsewhere who says that it is meant`(
        options: [String], environment: [String: String]
    ) throws {
        let process = try ChildProcess(
            try BuiltProgram.path(), ["serve", "--port", "0", "--data", folder.data] + options,
            environment: environment, errors: folder.errors)
        defer { process.kill() }
        #expect(try process.firstLine().hasPrefix("listening on http://"))
    }

    @Test func `a connection over the limit is asked to retry`() throws {
        let gateway = try RunningGateway(in: folder, "--connections-max", "1")
        defer { gateway.kill() }
        let request = "GET /api/rest/version/100/information HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let first = try HTTPConnection(port: gateway.port)
        try first.send(request)
        #expect(try first.receiveResponse().status == 200)
        let second = try HTTPConnection(port: gateway.port)
        try second.send(request)
        let refusal = try second.receiveResponse()
        #expect(refusal.status == 503)
        #expect(refusal.field("retry-after") != nil)
        try first.send(request)
        #expect(try first.receiveResponse().status == 200)
    }

    @Test(
        arguments: [
            (["--tls-certificate", "server.pem"], "--tls-key"), (["--tls-key", "server-key.pem"], "--tls-certificate"),
            (["--tls-client-ca", "server.pem"], "tlsClientCA"),
            (["--tls-key-password-file", "x"], "tlsKeyPasswordFile"),
            (["--tls-client-certificates", "required"], "tlsClientCertificates"),
            (["PAIR", "--tls-client-certificates", "required"], "--tls-client-ca"),
            (["PAIR", "--tls-client-certificates", "optional"], "--tls-client-ca"),
            (["PAIR", "--tls-client-certificates", "always"], "expected none, optional or required, not always"),
            (["PAIR", "--tls-client-ca", "nowhere.pem"], "nowhere.pem: No such file"),
            (["PAIR", "--tls-client-ca", "server-key.pem"], "server-key.pem: no certificate in PEM"),
            (["--tls-certificate", "other.pem", "--tls-key", "server-key.pem"], "not that of the key"),
            (["--tls-certificate", "nowhere.pem", "--tls-key", "server-key.pem"], "nowhere.pem: No such file"),
            (["--tls-certificate", "server.pem", "--tls-key", "server.pem"], "server.pem"),
            (["--tls-certificate", "server.pem", "--tls-key", "open-key.pem"], "chmod 600"),
            (["--connections-max", "0"], "--connections-max"), (["--connections-per-address-max", "many"], "many"),
        ] as [([String], String)])
    func `the error for settings that don't fit names them`(options: [String], name: String) throws {
        let server = try TLSFiles("server", in: folder)
        _ = try TLSFiles("other", in: folder)
        try folder.writeSecret("open-key.pem", try folder.read("server-key.pem"), mode: 0o640)
        let arguments = options.flatMap { option in
            option == "PAIR" ? server.options : [option.hasSuffix(".pem") ? "\(folder.path)/\(option)" : option]
        }
        let result = try folder.run(["serve", "--port", "0", "--data", folder.data] + arguments)
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        #expect(result.errors.contains(name), "\(result.errors)")
    }

    @Test(.enabled(if: TestFolder.hasOpenSSL))
    func `an encrypted key is opened with the password of its file`() throws {
        let server = try TLSFiles("server", in: folder)
        try folder.writeSecret("password", Array("key-word\n".utf8))
        try folder.openssl("pkcs8 -topk8 -in server-key.pem -out locked.pem -passout file:password")
        let options = ["--tls-certificate", server.certificatePath, "--tls-key", folder.path + "/locked.pem"]
        let without = try folder.run(["serve", "--port", "0", "--data", folder.data] + options)
        #expect(without.errors.contains("--tls-key-password-file"))
        let gateway = try TLSGateway(
            in: folder, options + ["--tls-key-password-file", folder.path + "/password"],
            trust: server.certificatePath)
        defer { gateway.kill() }
        let connection = try HTTPSConnection(port: gateway.port, try TLSGateway.client(server.certificate))
        #expect(connection.serverFingerprint == server.certificate.fingerprint)
        #expect(!(try folder.text("errors")).contains("key-word"))
    }
}
