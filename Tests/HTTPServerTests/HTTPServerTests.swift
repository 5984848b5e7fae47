import Glibc
import HTTP
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(30)))
struct HTTPServerTests {
    @Test func `a connection serves one request after the other`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            for path in ["/1", "/2", "/3"] {
                try await client.send(get(path))
                let (head, body) = try await client.response()
                #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(head.contains("\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT"))
                #expect(body == path)
            }
        }
    }

    @Test func `a request that comes byte by byte is answered`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            for byte in Array("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8) {
                try await client.send([byte])
            }
            #expect(try await client.response().body == "hello")
        }
    }

    @Test func `pipelined requests are answered in order although the first takes long`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/gated") + get("/2") + get("/immediate") + get("/3"))
            await gate.arrivals(1)
            gate.open()
            #expect(try await client.response().body == "gated")
            #expect(try await client.response().body == "/2")
            #expect(try await client.response().body == "immediate")
            #expect(try await client.response().body == "/3")
        }
    }

    @Test(arguments: ["/cut", "/gatedcut"])
    func `a request that is cut gets no byte and its connection ends`(path: String) async throws {
        let gate = Gate()
        try await withServer(gate: gate) { _, address in
            let client = try RawClient(address)
            try await client.send(get(path) + get("/2"))
            gate.open()
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `what was answered before a request that is cut arrives whole`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send(get("/1") + get("/uncut") + get("/cut") + get("/2"))
            #expect(try await client.response().body == "/1")
            #expect(try await client.response().body == "uncut")
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `a server with a connection that is cut stops and serves others until then`() async throws {
        let gate = Gate()
        try await withServer(gate: gate, stopSeconds: 3600) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/gatedcut"))
            await gate.arrivals(1)
            let other = try RawClient(address)
            try await other.send(get("/1"))
            #expect(try await other.status() == 200)
        }
    }

    @Test(arguments: ["/now", "/immediate"])
    func `many pipelined requests are all answered`(path: String) async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send(String(repeating: get(path), count: 5000))
            for _ in 0..<5000 { #expect(try await client.status() == 200) }
        }
    }

    @Test func `chunked content arrives as one body`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("PUT /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await client.send("5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX: y\r\n\r\n")
            #expect(try await client.response().body == "hello world")
        }
    }

    @Test func `a megabyte of content arrives whole`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            let content = String(repeating: "0123456789abcdef", count: 65_536)
            try await client.send("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n" + content)
            #expect(try await client.response().body == content)
        }
    }

    @Test func `a client that waits for it is told to continue`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("PUT /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try await client.response().head == "HTTP/1.1 100 Continue")
            try await client.send("ok")
            #expect(try await client.response().body == "ok")
        }
    }

    @Test func `HEAD is answered without content and the connection goes on`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("HEAD /12345 HTTP/1.1\r\nHost: a\r\n\r\n" + get("/2"))
            #expect(try await client.response(isHead: true).head.contains("\r\nContent-Length: 6"))
            #expect(try await client.response().body == "/2")
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: a\n\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n", 413),
        ("GET /" + String(repeating: "a", count: 8192) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 32_768) + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 100) + "\r\n", 431),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\n\r\n", 505),
    ])
    func `a refused request is answered with its status and the connection ends`(
        bytes: String, status: Int
    ) async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send(bytes + get("/smuggled"))
            let (head, _) = try await client.response()
            #expect(head.hasPrefix("HTTP/1.1 \(status) "))
            #expect(head.contains("\r\nConnection: close"))
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `a client that is refused while it sends reads its response`() async throws {
        try await withServer(.lingering) { _, address in
            let client = try RawClient(address)
            try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n")
            try await client.send([UInt8](repeating: 0x61, count: 4_000_000))
            #expect(try await client.status() == 413)
        }
    }

    @Test(arguments: ["Connection: close\r\n", "Connection: x, Close\r\n"])
    func `a client that asks for it is answered and disconnected`(field: String) async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\(field)\r\n" + get("/2"))
            #expect(try await client.response().body == "/1")
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `HTTP 1.0 is disconnected after its answer`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("GET /1 HTTP/1.0\r\n\r\n")
            #expect(try await client.remainder().hasSuffix("\r\n\r\n/1"))
        }
    }

    @Test func `a client that has sent its last request is still answered`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/gated") + get("/2"))
            await client.sendEnd()
            await gate.arrivals(1)
            gate.open()
            #expect(try await client.response().body == "gated")
            #expect(try await client.response().body == "/2")
            #expect(try await client.remainder() == "")
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a request knows its peer`(host: String) async throws {
        try await withServer(host: host) { _, address in
            #expect(address.host == host)
            let client = try RawClient(address)
            try await client.send(get("/peer"))
            #expect(try await client.response().body == host)
        }
    }

    @Test func `localhost is reached over IPv4`() async throws {
        try await withServer(host: "localhost") { _, address in
            let client = try RawClient(BoundAddress(host: "127.0.0.1", port: address.port))
            try await client.send(get("/1"))
            #expect(try await client.status() == 200)
        }
    }

    @Test func `all addresses include IPv4`() async throws {
        try await withServer(host: "::") { _, address in
            let client = try RawClient(BoundAddress(host: "127.0.0.1", port: address.port))
            try await client.send(get("/peer"))
            #expect(try await client.response().body == "127.0.0.1")
        }
    }

    @Test func `an address that is taken is an error`() async throws {
        try await withServer { _, address in
            let second = HTTPServer(clock: { 0 }) { _ in .now(Response(status: .ok)) }
            #expect(throws: HTTPServerError.systemCall("bind", errno: EADDRINUSE)) {
                try second.start(host: address.host, port: address.port)
            }
            await second.stop(withinSeconds: 0)
        }
    }

    @Test(arguments: ["999.0.0.1", "host.invalid", "a b"])
    func `a host that does not exist is an error`(host: String) async {
        let server = HTTPServer(clock: { 0 }) { _ in .now(Response(status: .ok)) }
        #expect(throws: HTTPServerError.unknownHost(host)) { try server.start(host: host, port: 0) }
        await server.stop(withinSeconds: 0)
    }

    @Test func `concurrent clients are all answered`() async throws {
        try await withServer { _, address in
            try await withThrowingTaskGroup { group in
                for client in 0..<32 {
                    group.addTask {
                        let connection = try RawClient(address)
                        for request in 0..<50 {
                            let content = "\(client).\(request)"
                            try await connection.send(
                                "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"
                            )
                            #expect(try await connection.response().body == content)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a thousand connections one after the other are served`() async throws {
        var configuration = HTTPServerConfiguration.patient
        // If descriptors leaked, the cap would be reached.
        configuration.connectionsMax = 100
        try await withServer(configuration) { _, address in
            for _ in 0..<1000 {
                let client = try RawClient(address)
                try await client.send("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(try await client.remainder().hasSuffix("/1"))
            }
        }
    }
}
