import HTTP
import HTTPServer
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// What the server answers itself, whatever its handler would.
@Suite(.timeLimit(.minutes(30)))
struct OwnResponseTests {
    @Test(arguments: ["gzip", "GZIP", "identity, br", "deflate", "x-unknown"])
    func `content in a coding is answered 415 with the one that is understood`(coding: String) async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send(
                "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: \(coding)\r\nContent-Length: 2\r\n\r\nhi")
            let (head, _) = try await client.response()
            #expect(head.hasPrefix("HTTP/1.1 415 "))
            #expect(head.contains("\r\nAccept-Encoding: identity"))
            // The connection goes on.
            try await client.send(get("/1"))
            #expect(try await client.response().body == "/1")
        }
    }

    @Test(arguments: ["identity", "Identity", ""])
    func `content as it is may say so`(coding: String) async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send(
                "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: \(coding)\r\nContent-Length: 2\r\n\r\nhi")
            #expect(try await client.response().body == "hi")
        }
    }

    @Test(arguments: ["*", "http://a"])
    func `a question about the whole server is answered`(target: String) async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            let (head, body) = try await client.response()
            #expect(head.hasPrefix("HTTP/1.1 200 "))
            #expect(head.contains("\r\nContent-Length: 0"))
            #expect(body == "")
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "PUT /x", "OPTIONS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
    func `HTTP where TLS is spoken gets a plain 400 that says so`(bytes: String) async throws {
        let context = try TestIdentity.serverContext()
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = { context }
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send(bytes)
            let (head, body) = try await client.response()
            #expect(head.hasPrefix("HTTP/1.1 400 "))
            #expect(head.contains("\r\nConnection: close"))
            #expect(body.contains("https://"))
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `TLS where HTTP is spoken is reported with the client's address`() async throws {
        let reported = Mutex<[String]>([])
        try await confirmation { told in
            var configuration = HTTPServerConfiguration.patient
            configuration.reportUnexpectedTLS = { peer in
                reported.withLock { $0.append(peer.address) }
                told()
            }
            try await withServer(configuration) { _, address in
                let client = try RawClient(address)
                try await client.send([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, 13, 10])
                #expect(try await client.status() == 400)
            }
        }
        #expect(reported.withLock { $0 } == ["127.0.0.1"])
    }
}
