import Glibc
import HTTP
import HTTPClient
import HTTPTypes
import OpenSSL
import Synchronization
import TestSupport
import Testing

/// A client against servers that do what a test tells them to.
@Suite(.timeLimit(.minutes(30)))
struct HTTPClientTests {
    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    private func request(
        _ port: UInt16, _ method: HTTPRequest.Method = .get, scheme: String = "http", host: String = "127.0.0.1",
        body: String = ""
    ) -> Request {
        Request(
            head: HTTPRequest(method: method, scheme: scheme, authority: "\(host):\(port)", path: "/a"),
            body: Array(body.utf8))
    }

    private func client(
        _ timeout: Duration = .seconds(60), contentBytesMax: Int = 5, tls: TLSContext? = nil
    ) -> HTTPClient {
        HTTPClient(timeout: timeout, contentBytesMax: contentBytesMax, tls: tls)
    }

    @Test func `a request is sent, and its response returned`() throws {
        let sent = Mutex("")
        let port = ScriptedServer.start(Self.hello, then: .silence) { text in sent.withLock { $0 = text } }
        let response = try client().response(to: request(port, .post))
        #expect(response.head.status == .ok)
        #expect(response.body == Array("hello".utf8))
        let head = "POST /a HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        #expect(sent.withLock { $0 } == head)
    }

    @Test(arguments: ["HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"])
    func `a redirect is a response like others`(answer: String) throws {
        let port = ScriptedServer.start(answer)
        let response = try client().response(to: request(port))
        #expect(response.head.status.code == 302)
        #expect(response.head.headerFields[.location] == "http://127.0.0.1:1/")
    }

    @Test func `for a status nothing behind its line is waited for`() throws {
        for answer in ["HTTP/1.1 202 Accepted\r\n", "HTTP/1.1 202 Accepted\r\n broken\r\n\r\n", Self.hello + "more"] {
            let port = ScriptedServer.start(answer, then: .silence)
            #expect(try client(contentBytesMax: 0).status(answering: request(port)).kind == .successful)
        }
    }

    @Test func `no answer lasts longer than the timeout`() throws {
        for answer in ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"] {
            let port = ScriptedServer.start(answer, then: .silence)
            #expect(throws: HTTPClientError.timeout) {
                try client(.milliseconds(50)).response(to: request(port))
            }
        }
    }

    @Test func `a request that nobody reads lasts no longer either`() throws {
        let port = ScriptedServer.start("", then: .silence)
        #expect(throws: HTTPClientError.timeout) {
            try client(.milliseconds(50)).response(
                to: request(port, .post, body: String(repeating: "a", count: 64 << 20)))
        }
    }

    @Test(arguments: [
        ("SSH-2.0-x\r\n", HTTP1ResponseParser.Failure.malformed), ("", .truncated),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", .tooLarge), ("HTTP/1.1 200 OK\r\n\r\nhello!", .tooLarge),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .truncated),
    ])
    func `what is no whole response is refused`(answer: String, failure: HTTP1ResponseParser.Failure) throws {
        let port = ScriptedServer.start(answer)
        #expect(throws: HTTPClientError.noResponse(failure)) {
            try client().response(to: request(port))
        }
    }

    @Test func `nobody listens, and a host has no address`() throws {
        let (descriptor, port) = ScriptedServer.bound()
        defer { close(descriptor) }
        #expect(throws: HTTPClientError.system(errno: ECONNREFUSED)) { try client().response(to: request(port)) }
        let lost = #expect(throws: HTTPClientError.self) {
            try client().response(to: request(80, host: "a.invalid"))
        }
        guard case .unknownHost? = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
    }

    @Test(arguments: ["ftp", ""])
    func `a request for another protocol is refused`(scheme: String) {
        #expect(throws: HTTPClientError.malformedRequest) {
            try client().response(to: request(1, scheme: scheme))
        }
    }

    @Test func `over TLS a response is the same`() throws {
        let port = ScriptedServer.start(Self.hello, tls: try TestIdentity.serverContext())
        let client = client(tls: try TestIdentity.clientContext(["http/1.1"]))
        #expect(
            try client.response(to: request(port, scheme: "https", host: "localhost")).body
                == Array("hello".utf8))
    }

    @Test func `a server must be the one that is trusted, under its name`() throws {
        let stranger = try TestIdentity(isServer: true)
        let trusting = try TLSContext(clientTrusting: stranger.trust, applicationProtocols: ["http/1.1"])
        for (context, host) in [(trusting, "localhost"), (try TestIdentity.clientContext(["http/1.1"]), "127.0.0.1")] {
            let sent = Mutex("")
            let port = ScriptedServer.start(Self.hello, tls: try TestIdentity.serverContext()) { text in
                sent.withLock { $0 += text }
            }
            let failure = #expect(throws: HTTPClientError.self) {
                try client(tls: context).response(to: request(port, scheme: "https", host: host))
            }
            guard case .tls(.certificateRefused)? = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(sent.withLock { $0 } == "")
        }
    }

    @Test func `a server that speaks no TLS is found out`() throws {
        let port = ScriptedServer.start("HTTP/1.1 400 Bad Request\r\n\r\n")
        let client = client(tls: try TestIdentity.clientContext(["http/1.1"]))
        let failure = #expect(throws: HTTPClientError.self) {
            try client.response(to: request(port, scheme: "https", host: "localhost"))
        }
        guard case .tls? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
