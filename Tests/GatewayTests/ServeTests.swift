import Foundation
import Glibc
import MerchantAPI
import SQLiteStore
import Testing

@testable import tollgate

/// What a person or a service manager sees of `tollgate serve`.
struct ServeTests {
    @Test func `the first line, written at once to a pipe, is where the gateway listens`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        #expect(gateway.firstLine == "listening on http://127.0.0.1:\(gateway.port)")
        let reply = try gateway.send("GET", "/api/rest/version/100/information")
        #expect(reply.status == 200)
        #expect(reply["status"] == "OPERATING")
    }

    @Test func `the banner names version, description and amounts, and fits in 80 columns`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "/transaction/1\"\n")
        #expect(banner.contains("\nversion     \(MerchantAPI.gatewayVersion)\n"))
        let description = "http://127.0.0.1:\(gateway.port)/_tollgate/openapi.yaml"
        #expect(banner.contains("\nOpenAPI     \(description)\n"))
        #expect(try gateway.send("GET", "/_tollgate/openapi.yaml").status == 200)
        let words = banner.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("amounts 5656 APPROVED, 5757 DECLINED, 5858 TIMED_OUT, "))
        // Nobody chose the paths of the test.
        let lines = banner.replacing(folder.data, with: ".tollgate")
            .replacing(try BuiltProgram.path(), with: "/usr/local/bin/tollgate").split(separator: "\n")
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `the banner says what merchants of one's own change, in 80 columns`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        _ = try folder.run("merchant", "create", "SHOP", "--data", folder.data)
        let gateway = try RunningGateway(in: folder, [], credentials: .init(merchant: "SHOP", password: "none"))
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "/metrics")
        let lines = banner.replacing(folder.data, with: ".tollgate").split(separator: "\n")
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(
            lines.contains { $0.hasPrefix("sandbox     off") } && lines.contains { $0.hasPrefix("control     off") })
        #expect(!banner.contains("OpenAPI"))
        let words = banner.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("sandbox: true (--sandbox true) keeps it"))
    }

    @Test(.enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"))
    func `the line of the banner, run by a shell, mints a token and authorizes it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "/transaction/1\"\n")
        let line = try #require(RunningGateway.command(ofBanner: banner))

        let shell = try ChildProcess("/bin/sh", ["-c", line], errors: folder.path + "/shell-errors")
        let output = String(decoding: try shell.outputToEnd(), as: UTF8.self)
        #expect(try shell.wait() == .exited(0))
        #expect(output.contains(#""gatewayCode":"APPROVED""#))
        #expect(try folder.text("shell-errors").isEmpty)
    }

    @Test func `a banner's line holds a data directory whose name a shell would read otherwise`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let data = "\(folder.path)/it's $HOME"
        let process = try ChildProcess(
            try BuiltProgram.path(), ["serve", "--port", "0", "--data", data], errors: folder.errors)
        defer { process.kill() }
        let banner = try process.output(until: "/transaction/1\"\n")
        let line = try #require(RunningGateway.command(ofBanner: banner))
        let mint = try #require(line.split(separator: "|").first)

        let shell = try ChildProcess("/bin/sh", ["-c", String(mint)], errors: folder.path + "/shell-errors")
        let output = String(decoding: try shell.outputToEnd(), as: UTF8.self)
        #expect(try shell.wait() == .exited(0))
        #expect(output.hasPrefix(#"{"apiOperation":"AUTHORIZE""#))
    }

    @Test func `a password of the environment is the sandbox merchant's, and is not shown`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let password = "b61ed0a7c22b4f8d"
        let gateway = try RunningGateway(
            in: folder, environment: ["TOLLGATE_SANDBOX_PASSWORD": password],
            credentials: .init(password: password))
        defer { gateway.kill() }
        _ = try gateway.process.output(until: "/transaction/1\"\n")

        #expect(try gateway.get(TransactionPath()).status == 400)
        let other = RunningGateway.Credentials(password: try folder.text("data/sandbox/password"))
        #expect(try gateway.send("GET", TransactionPath().text, as: other).status == 401)
        #expect(try gateway.stop() == .exited(0))
        #expect(!String(decoding: try gateway.process.outputToEnd(), as: UTF8.self).contains(password))
    }

    @Test func `only its owner can use the data directory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try gateway.put(TransactionPath(), try folder.mintRequest()).status == 201)

        #expect(try folder.mode("data") == 0o700)
        #expect(try folder.mode("data/sandbox") == 0o700)
        let files = try TestFolder.files(below: folder.data).map { String($0.dropFirst(folder.path.count + 1)) }
        #expect(Set(files).isSuperset(of: ["data/tollgate.sqlite", "data/tollgate.sqlite-wal", "data/lock"]))
        for file in files {
            #expect(try folder.mode(file) == 0o600, "\(file)")
        }
    }

    @Test func `a second gateway is refused a data directory on which one runs`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        let second = try folder.run("serve", "--port", "0", "--data", folder.data)
        #expect(second.status != 0)
        #expect(second.text.isEmpty)
        #expect(second.errors.contains("another gateway runs on this folder"))
        #expect(try gateway.get(TransactionPath()).status == 400)

        gateway.kill()
        let third = try RunningGateway(in: folder)
        defer { third.kill() }
        #expect(try third.get(TransactionPath()).status == 400)
    }

    @Test func `the error for a port that is taken names it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        let second = try folder.run("serve", "--port", "\(gateway.port)", "--data", folder.path + "/other")
        #expect(second.status != 0)
        #expect(second.text.isEmpty)
        #expect(second.errors.contains("127.0.0.1:\(gateway.port)"))
        #expect(second.errors.contains("Address already in use"))
    }

    @Test func `a database that can't be opened is refused in words`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let path = folder.data + "/tollgate.sqlite"
        try folder.writeSecret("data/installation.key", (0..<32).map { UInt8($0) })
        try folder.write("data/tollgate.sqlite", (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let damaged = try folder.run("serve", "--port", "0", "--data", folder.data)
        #expect(damaged.status != 0)
        #expect(damaged.text.isEmpty)
        #expect(damaged.errors.contains("Error: \(path): SQLite 26"))

        try folder.delete("data/tollgate.sqlite")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
        let astray = try folder.run("serve", "--port", "0", "--data", folder.data)
        #expect(astray.status != 0)
        #expect(astray.text.isEmpty)
        #expect(astray.errors.hasPrefix("Error: \(path) is missing, though \(folder.data) was used before"))
    }

    @Test func `a database that a later version has written is named with what to do`() {
        #expect(
            SQLiteStore.OpenFailure.newerSchema(path: "/data/tollgate.sqlite").explanation
                == "/data/tollgate.sqlite: a later version of Tollgate has written it; run that version")
    }

    @Test(arguments: ["no-such-host.invalid", "192.0.2.1"])
    func `a host that is not this machine's is refused with its name`(host: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            "serve", "--host", host, "--port", "0", "--data", folder.data, "--allow-plaintext")
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        #expect(result.errors.contains(host))
    }

    @Test func `a signal that comes with the first line is not lost`() throws {
        for _ in 1...10 {
            let folder = try TestFolder()
            defer { folder.remove() }
            let gateway = try RunningGateway(in: folder)
            defer { gateway.kill() }
            #expect(try gateway.stop() == .exited(0))
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `told to stop, an idle gateway ends with status 0 and listens no more`(signal: Int32) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        // A connection without a request on it must not keep the gateway.
        let idle = try HTTPConnection(port: gateway.port)

        gateway.process.signal(signal)
        #expect(try gateway.process.wait() == .exited(0))
        #expect(try idle.isClosedByPeer())
        #expect(!HTTPConnection.isListening(gateway.port))
    }

    @Test func `told to stop with a request in flight, the gateway answers it and then ends with status 0`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let body = try folder.mintRequest()
        let connection = try HTTPConnection(port: gateway.port)
        try connection.send(
            "PUT \(TransactionPath().text) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                + gateway.credentials.field + "Content-Length: \(body.count)\r\n\r\n")
        // The interim response says that the gateway has begun with the request.
        #expect(try connection.receiveResponse().status == 100)
        try connection.send(Array(body[..<100]))

        gateway.process.signal(SIGTERM)
        while HTTPConnection.isListening(gateway.port) { usleep(1000) }
        try connection.send(Array(body[100...]))

        let reply = try connection.receiveResponse()
        #expect(reply.status == 201)
        #expect(reply["response.gatewayCode"] == "APPROVED")
        #expect(reply.field("connection") == "close")
        #expect(try connection.isClosedByPeer())
        #expect(try gateway.process.wait() == .exited(0))

        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        #expect(try next.get(TransactionPath()).body == reply.body)
    }

    @Test func `told to stop twice, the gateway waits for nobody`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let connection = try HTTPConnection(port: gateway.port)
        try connection.send(
            "PUT \(TransactionPath().text) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
        #expect(try connection.receiveResponse().status == 100)

        gateway.process.signal(SIGTERM)
        while HTTPConnection.isListening(gateway.port) { usleep(1000) }
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.wait() == .exited(130))
    }

    @Test func `only their owner can read files, whatever the folder and the mask were`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("data/there-before", [])
        let script =
            "umask 0; chmod 755 '\(folder.data)'; exec '\(try BuiltProgram.path())' serve --port 0 --data '\(folder.data)'"
        let process = try ChildProcess("/bin/sh", ["-c", script], errors: folder.errors)
        defer { process.kill() }
        _ = try process.output(until: "/transaction/1\"\n")
        for file in try TestFolder.files(below: folder.data) where !file.hasSuffix("there-before") {
            #expect(try folder.mode(String(file.dropFirst(folder.path.count + 1))) == 0o600, "\(file)")
        }
        #expect(try folder.mode("data/sandbox") == 0o700)
    }

    @Test func `a first start that was cut short doesn't keep a gateway with the same process id from starting`() throws
    {
        let folder = try TestFolder()
        defer { folder.remove() }
        // In a container every gateway has the same process id.
        let script =
            "mkdir -p '\(folder.data)/sandbox.draft' '\(folder.data)/sandbox.draft-'$$; exec '\(try BuiltProgram.path())' serve --port 0 --data '\(folder.data)'"
        let process = try ChildProcess("/bin/sh", ["-c", script], errors: folder.errors)
        defer { process.kill() }
        let firstLine = try? process.firstLine()
        let errors = try folder.text("errors")
        #expect(firstLine?.hasPrefix("listening on http://") == true, "\(errors)")
    }

    @Test func `connections are refused before they take the descriptors that the store needs`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        // 256 are kept, so that 44 connections are served.
        let script = "ulimit -n 300; exec '\(try BuiltProgram.path())' serve --port 0 --data '\(folder.data)'"
        let process = try ChildProcess("/bin/sh", ["-c", script], errors: folder.errors)
        defer { process.kill() }
        let port = try #require(UInt16(process.firstLine().split(separator: ":").last ?? ""))
        let served = try (0..<44).map { _ in try HTTPConnection(port: port) }
        let refused = try HTTPConnection(port: port)
        let refusal = try refused.receiveResponse()
        #expect(refusal.status == 503)
        #expect(refusal.field("retry-after") == "1")
        for connection in served {
            try connection.send("GET /api/rest/version/1/information HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.receiveResponse().status == 200)
        }
    }
}
