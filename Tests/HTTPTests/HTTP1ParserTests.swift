import HTTP
import HTTPTypes
import Testing

struct HTTP1ParserTests {
    static let accepted: [(bytes: String, method: String, path: String, authority: String?, body: String)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", "a", ""),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", "a", ""),
        ("GET /a%2Fb/../c?d=%20&e HTTP/1.1\r\nhost:a:80\r\n\r\n", "GET", "/a%2Fb/../c?d=%20&e", "a:80", ""),
        ("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET", "/", "[::1]:8080", ""),
        ("GET / HTTP/1.1\r\nHost: a:\r\n\r\n", "GET", "/", "a:", ""),
        ("GET / HTTP/1.0\r\n\r\n", "GET", "/", nil, ""),
        ("GET http://b/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/c?d", "b", ""),
        ("GET HTTPS://b HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", "b", ""),
        ("GET http://b?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/?d", "b", ""),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*", "a", ""),
        ("OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*", "b", ""),
        ("M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n", "M-SEARCH", "/", "a", ""),
        ("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD", "/", "a", ""),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "PUT", "/", "a", "hello"),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello", "PUT", "/", "a", "hello"),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "PUT", "/", "a", ""),
        ("PUT / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello", "PUT", "/", nil, "hello"),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\r\n\r\n", "PUT", "/", "a", "\r\n\r\n"),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
            "PUT", "/", "a", "hello world"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: ChunkeD\r\n\r\n0000A\r\n0123456789\r\n00\r\n\r\n",
            "PUT", "/", "a", "0123456789"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a\r\n1\r\n1 ; a=\"b;c\"\r\n2\r\n0\r\nX: y\r\n\r\n",
            "PUT", "/", "a", "12"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nok", "PUT", "/", "a", "ok"
        ),
    ]

    @Test(arguments: accepted)
    func `a well-formed request is parsed`(
        bytes: String, method: String, path: String, authority: String?, body: String
    ) throws {
        let outcome = ParserOutcome(bytes)
        #expect(outcome.refusal == nil)
        let request = try #require(outcome.requests.first)
        #expect(outcome.requests.count == 1)
        #expect(request.head.method.rawValue == method)
        #expect(request.head.path == path)
        #expect(request.head.authority == authority)
        #expect(request.head.scheme == "http")
        #expect(request.body == Array(body.utf8))
        #expect(outcome.phase == .idle)
    }

    @Test(arguments: accepted.map(\.bytes))
    func `a request does not depend on how its bytes were split`(bytes: String) {
        let whole = ParserOutcome(bytes)
        #expect(whole.requests.count == 1)
        for pieces in everySplit(Array(bytes.utf8)) { #expect(ParserOutcome(pieces) == whole) }
    }

    @Test func `pipelined requests come out in order, however they were split`() {
        let bytes = Self.accepted.map(\.bytes).joined()
        let whole = ParserOutcome(bytes)
        #expect(whole.refusal == nil)
        #expect(whole.requests.map(\.head.path) == Self.accepted.map(\.path))
        for pieces in everySplit(Array(bytes.utf8)) { #expect(ParserOutcome(pieces) == whole) }
    }

    @Test(arguments: Self.accepted.map(\.bytes))
    func `a request that is cut short is not a request`(bytes: String) {
        let bytes = Array(bytes.utf8)
        for count in 0..<bytes.count {
            let outcome = ParserOutcome([Array(bytes[..<count])])
            #expect(outcome.refusal == nil)
            #expect(outcome.requests.isEmpty)
        }
    }

    @Test func `fields keep their order, names, repetitions and inner spaces`() throws {
        let outcome = ParserOutcome("GET / HTTP/1.1\r\nHost: a\r\nX-B: 1\r\nX-A:\t 2  3 \t\r\nx-b:\r\n\r\n")
        let fields = try #require(outcome.requests.first).head.headerFields
        #expect(fields.map(\.name.rawName) == ["X-B", "X-A", "x-b"])
        #expect(fields.map(\.value) == ["1", "2  3", ""])
    }

    @Test func `octets above ASCII in a field value are kept as they are`() throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xE4, 0xFF] + Array("\r\n\r\n".utf8)
        let field = try #require(ParserOutcome([bytes]).requests.first?.head.headerFields.first)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == [0xE4, 0xFF])
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nConnection: close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", true),
        ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true),
        ("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", false),
    ])
    func `a connection is kept as its version and options say`(bytes: String, keepsAlive: Bool) {
        #expect(ParserOutcome(bytes).requests.first?.keepsAlive == keepsAlive)
    }

    @Test func `a length that is only claimed takes no memory`() throws {
        var parser = HTTP1Parser()
        parser.append(Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\nx".utf8).span)
        guard case .incomplete = try parser.next() else {
            Issue.record("a request of which one byte has arrived is incomplete")
            return
        }
        #expect(parser.phase == .content)
        #expect(parser.unparsedBytes == 0)
    }
}
