import Testing

/// Malformed and ambiguous HTTP/1.1 (RFC 9112): one refusal, then the end of the connection.
struct RefusedHTTPTests {
    private static let path = "/api/rest/version/100/information"
    /// A second request that a smuggler hides behind the first.
    private static let smuggled = "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Requests, each with the status that refuses it.
    static let requests: [(bytes: String, status: Int)] = [
        ("garbage\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", 400),
        ("GET \(path)\r\n\r\n", 400),
        ("GET  \(path) HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET \(path) HTTP/1.1\nHost: a\n\n", 400),
        ("GET \(path) HTTP/1.1\r\n\r\n", 400),
        ("GET \(path) HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET \(path) HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET \(path) HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n", 400),
        ("GET \(path) HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", 400),
        ("GET \(path)#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET \(path) HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
        ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET \(path) HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 80_000))\r\n\r\n", 431),
        // Two readings of where the content ends.
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 501),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0_\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", 400),
        ("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\n\r\n", 400),
    ]

    @Test func `malformed and smuggled requests get one refusal and a closed connection`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        for (bytes, status) in Self.requests {
            let connection = try HTTPConnection(port: gateway.port)
            try connection.send(bytes + Self.smuggled)
            let received = try connection.receiveToEnd()
            let comment = Comment(
                rawValue: "\(bytes.prefix(120).debugDescription) → \(String(decoding: received, as: UTF8.self))")
            // One response, whole, and nothing behind it.
            let reply = try HTTPReply(only: received)
            #expect(reply.status == status, comment)
            #expect(reply.field("connection") == "close", comment)
            #expect(reply["result"] == "ERROR", comment)
        }
        #expect(try gateway.send("GET", Self.path).status == 200)
    }

    /// Requests under Radial's paths that HTTP refuses, each with the status.
    static let radialRequests: [(bytes: String, status: Int)] = {
        let path = "/v1.0/stores/TESTMERCHANT/payments/creditcard/auth/VC.xml"
        return [
            ("POST \(path) HTTP/1.1\r\n\r\n", 400),
            ("POST \(path) HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("POST \(path) HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
            ("POST \(path)?\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("POST \(path) HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 80_000))\r\n\r\n", 431),
            ("POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
            ("POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
            (
                "POST \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Encoding: gzip\r\n"
                    + "Content-Length: 1\r\n\r\nx", 415
            ),
        ]
    }()

    @Test func `what HTTP refuses under Radial's paths is a Fault`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        for (bytes, status) in Self.radialRequests {
            let connection = try HTTPConnection(port: gateway.port)
            try connection.send(bytes)
            let reply = try HTTPReply(only: try connection.receiveToEnd())
            #expect(reply.status == status, "\(bytes.prefix(120))")
            #expect(reply.field("content-type")?.hasPrefix("text/xml") == true, "\(reply.head)")
            #expect(reply.text.contains("<Fault ") && reply.text.contains("<Code>"), "\(reply.text)")
        }
    }

    @Test func `coded content is refused as the description has it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        for (method, path) in [
            ("PUT", Self.path), ("PUT", "/_tollgate/clock"),
            ("POST", "/v1.0/stores/TESTMERCHANT/payments/creditcard/auth/VC.xml"),
        ] {
            let reply = try gateway.send(method, path, Array("x".utf8), fields: "Content-Encoding: gzip\r\n")
            #expect(reply.status == 415)
            #expect(reply.field("accept-encoding") == "identity")
        }
    }

    @Test func `TLS without TLS is reported on standard error`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        for _ in 0..<3 {
            let connection = try HTTPConnection(port: gateway.port)
            try connection.send([22, 3, 1, 0, 5, 1, 0, 0, 1, 3, 13, 10])
            _ = try connection.receiveToEnd()
        }
        _ = try gateway.stop()
        let lines = try folder.text("errors").split(separator: "\n").filter { $0.contains("speaks TLS") }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("127.0.0.1 speaks TLS to a port without it") == true)
    }

    @Test func `requests in a row on one connection are answered in their order until one is malformed`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let connection = try HTTPConnection(port: gateway.port)
        let good = "GET \(Self.path) HTTP/1.1\r\nHost: a\r\n\r\n"
        let unknown = "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"
        try connection.send(good + unknown + good + "GET \(Self.path) HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n" + good)

        #expect(try connection.receiveResponse().status == 200)
        #expect(try connection.receiveResponse().status == 404)
        #expect(try connection.receiveResponse().status == 200)
        #expect(try connection.receiveResponse().status == 400)
        #expect(try connection.isClosedByPeer())
    }

    @Test func `content in chunks is the same content`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let body = try folder.mintRequest()
        let reply = try gateway.put(TransactionPath(), body)

        let connection = try HTTPConnection(port: gateway.port)
        var bytes = Array(
            ("PUT \(TransactionPath().text) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                + gateway.credentials.field + "\r\n").utf8)
        for start in stride(from: 0, to: body.count, by: 1000) {
            let chunk = body[start..<min(start + 1000, body.count)]
            bytes += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8)
        }
        try connection.send(bytes + Array("0\r\n\r\n".utf8))
        let chunked = try connection.receiveResponse()
        #expect(chunked.status == 201)
        #expect(chunked.body == reply.body)
    }

    @Test func `a client that leaves in the middle of a request costs nobody else anything`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let body = try folder.mintRequest()

        do {
            let connection = try HTTPConnection(port: gateway.port)
            try connection.send(
                "PUT \(TransactionPath().text) HTTP/1.1\r\nHost: a\r\n" + gateway.credentials.field
                    + "Content-Length: \(body.count)\r\n\r\n")
            try connection.send(Array(body[..<(body.count / 2)]))
            connection.finishSending()
            #expect(try connection.receiveToEnd().isEmpty)
        }
        #expect(try gateway.get(TransactionPath()).status == 400)
        #expect(try gateway.put(TransactionPath(), body).status == 201)
    }
}
