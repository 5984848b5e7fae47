import HTTP
import HTTPServer
import HTTPTypes
import OpenSSL
import Synchronization
import Testing

/// What the server answers itself, whatever its handler would.
@Suite(.timeLimit(.minutes(15)))
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
}
