import HTTP
import HTTP2
import HTTPTypes
import Testing

/// What a handler is given, and what becomes of its response.
struct SemanticsTests {
    private func request(_ fields: [(String, String)], content: String? = nil) throws -> Request {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, fields, ends: content == nil))
        if let content { conversation.send(.data(1, content)) }
        return try #require(conversation.requests.first)
    }

    @Test func `a request is what HTTP/1.1 makes of it`() throws {
        let text =
            "POST /order/10%2F7?limit=2 HTTP/1.1\r\nHost: pay.example:8443\r\nX-Test: one\r\nContent-Length: 4\r\nX-Test: two\r\n\r\nbody"
        var http1 = HTTP1Connection(refusalResponse: Conversation.refusal)
        http1.receive(Array(text.utf8).span)
        guard case .handle(let expected) = http1.next(date: Conversation.date) else {
            Issue.record("HTTP/1.1 refused it")
            return
        }
        var actual = try request(
            [
                (":method", "POST"), (":scheme", "http"), (":path", "/order/10%2F7?limit=2"),
                (":authority", "pay.example:8443"), ("x-test", "one"), ("content-length", "4"), ("x-test", "two"),
            ], content: "body")
        #expect(actual.arrival == 1_000_000_000)
        #expect(actual.version == .http2)
        (actual.arrival, actual.version) = (expected.arrival, expected.version)
        #expect(actual == expected)
    }

    @Test func `a request without authority has its host`() throws {
        let head = try request(Array(Block.get[..<3]) + [("host", "shop.example")]).head
        #expect(head.authority == "shop.example")
        #expect(head.headerFields.isEmpty)
    }

    @Test func `host and authority may only differ in letter case`() throws {
        #expect(try request(Block.get + [("host", "LocalHost")]).head.authority == "localhost")
    }

    @Test func `cookie crumbs are joined`() throws {
        let head = try request(Block.get + [("cookie", "a=1"), ("x-test", "x"), ("cookie", "b=2")]).head
        #expect(
            head.headerFields.map(\.description) == ["x-test: x", "Cookie: a=1; b=2"]
                || head.headerFields[.cookie] == "a=1; b=2")
        #expect(head.headerFields.count == 2)
    }

    @Test func `OPTIONS may ask about the whole server`() throws {
        let head = try request([
            (":method", "OPTIONS"), (":scheme", "http"), (":path", "*"), (":authority", "localhost"),
        ]).head
        #expect(head.path == "*")
    }

    @Test func `trailers are checked and dropped`() throws {
        let conversation = Conversation.begun()
        conversation.send(.post(1), .data(1, ends: false), .headers(1, [("x-checksum", "1")]))
        let request = try #require(conversation.requests.first)
        #expect(request.head.headerFields.isEmpty)
        #expect(request.body == Array("test".utf8))
    }

    @Test func `the scheme is the connection's`() throws {
        let fields = [(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "localhost")]
        #expect(try request(fields).head.scheme == "http")
    }

    static let malformed: [(String, [(String, String)])] = [
        ("host and authority differ", Block.get + [("host", "other.example")]),
        ("two hosts", Array(Block.get[..<3]) + [("host", "localhost"), ("host", "localhost")]),
        ("host is empty", Array(Block.get[..<3]) + [("host", "")]),
        ("authority with user information", Array(Block.get[..<3]) + [(":authority", "user@localhost")]),
        ("authority with a port beyond 65,535", Array(Block.get[..<3]) + [(":authority", "localhost:65536")]),
        ("authority with a path", Array(Block.get[..<3]) + [(":authority", "localhost/x")]),
        ("path without a slash", [Block.get[0], Block.get[1], (":path", "order"), Block.get[3]]),
        ("path in absolute form", [Block.get[0], Block.get[1], (":path", "http://localhost/"), Block.get[3]]),
        ("path with a fragment", [Block.get[0], Block.get[1], (":path", "/#x"), Block.get[3]]),
        ("path with a space", [Block.get[0], Block.get[1], (":path", "/a b"), Block.get[3]]),
        ("path with a quotation mark", [Block.get[0], Block.get[1], (":path", "/\""), Block.get[3]]),
        ("path beyond ASCII", [Block.get[0], Block.get[1], (":path", "/é"), Block.get[3]]),
        ("asterisk with GET", [Block.get[0], Block.get[1], (":path", "*"), Block.get[3]]),
        ("method that is no token", [(":method", "GE T")] + Block.get[1...]),
        ("empty method", [(":method", "")] + Block.get[1...]),
        ("scheme that is no web scheme", [Block.get[0], (":scheme", "ftp"), Block.get[2], Block.get[3]]),
        ("content-length of -1", Block.get + [("content-length", "-1")]),
        ("content-length in hexadecimal", Block.get + [("content-length", "0x0")]),
        ("content-length that is a list", Block.get + [("content-length", "0, 0")]),
        ("content-length that is empty", Block.get + [("content-length", "")]),
        ("te of nothing", Block.get + [("te", "")]),
        ("extended CONNECT", [(":method", "CONNECT"), (":protocol", "websocket")] + Block.get[1...]),
    ]

    @Test(arguments: malformed.indices)
    func `a malformed request ends its stream and no other`(index: Int) {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        conversation.send(.headers(1), .headers(3, Self.malformed[index].1), .headers(5))
        #expect(conversation.reset(stream: 3) == .protocolError, "\(Self.malformed[index].0)")
        #expect(conversation.requests.count == 2)
        conversation.answer(stream: 1)
        conversation.answer(stream: 5)
        #expect(conversation.content(stream: 1) == "It is well." && conversation.content(stream: 5) == "It is well.")
        #expect(!conversation.isClosed)
    }

    static let refused: [(String, [(String, String)], Int)] = [
        ("CONNECT", [(":method", "CONNECT"), (":authority", "localhost:443")], 501),
        ("an expectation that can't be met", Block.get + [("expect", "200-ok")], 417),
        (
            "a path beyond 8 KiB",
            [Block.get[0], Block.get[1], (":path", "/" + String(repeating: "x", count: 8192)), Block.get[3]], 414
        ),
        ("101 fields", Block.get + (0..<97).map { ("x-\($0)", "x") }, 431),
        (
            "fields of more than 32 KiB",
            Block.get + (0..<2).map { ("x-\($0)", String(repeating: "x", count: 16_300)) }, 431
        ),
        ("content-length beyond 1 MiB", Block.post + [("content-length", "1048577")], 413),
        ("content-length beyond 63 bits", Block.post + [("content-length", "9223372036854775807")], 413),
    ]

    @Test(arguments: refused.indices)
    func `a request that is refused is answered on its stream`(index: Int) {
        let (name, fields, status) = Self.refused[index]
        let conversation = Conversation.begun()
        let block = Block.encode(fields)
        let isOpen = status == 413 || status == 501
        conversation.send(
            Frame(.headers, flags: isOpen ? 0 : Frame.endStream, stream: 1, Array(block.prefix(16_000))),
            Frame(.continuation, stream: 1, Array(block.dropFirst(16_000).prefix(16_000))),
            Frame(.continuation, flags: Frame.endHeaders, stream: 1, Array(block.dropFirst(32_000))))
        #expect(conversation.content(stream: 1) == "\(status)", "\(name)")
        #expect(conversation.requests.isEmpty)
        // What is still on its way is not wanted, for long.
        #expect(conversation.reset(stream: 1) == nil)
        conversation.wait(seconds: HTTP2Limits().lingerTimeoutSeconds)
        #expect(conversation.reset(stream: 1) == (isOpen ? .noError : nil))
        conversation.send(.headers(3))
        #expect(conversation.content(stream: 3) == "It is well.")
    }

    @Test func `content beyond the limit is refused when it comes`() {
        let conversation = Conversation.begun()
        conversation.send(.post(1))
        for _ in 0..<65 { conversation.send(.data(1, String(repeating: "x", count: 16_384), ends: false)) }
        #expect(conversation.content(stream: 1) == "413")
        #expect(conversation.reset(stream: 1) == nil)
        for _ in 0..<5 { conversation.send(.data(1, String(repeating: "x", count: 16_384), ends: false)) }
        #expect(conversation.reset(stream: 1) == .noError)
        // Frames that were sent before the client knew are ignored.
        conversation.send(.data(1))
        conversation.send(.headers(3))
        #expect(conversation.content(stream: 3) == "It is well.")
        #expect(conversation.requests.count == 1)
    }

    @Test func `content up to the limit is taken`() throws {
        let conversation = Conversation.begun()
        conversation.send(.post(1))
        for number in 0..<64 { conversation.send(.data(1, String(repeating: "x", count: 16_384), ends: number == 63)) }
        #expect(conversation.requests.first?.body.count == 1_048_576)
        #expect(conversation.frames(.windowUpdate, stream: 1).isEmpty == false)
    }

    @Test func `trailers beyond the limit are refused`() {
        let conversation = Conversation.begun()
        conversation.send(.post(1), .data(1, ends: false))
        conversation.send(.headers(1, (0..<101).map { ("x-\($0)", "x") }))
        #expect(conversation.content(stream: 1) == "431")
        #expect(conversation.requests.isEmpty)
    }

    @Test func `an expectation is answered with 100 before the content`() {
        let conversation = Conversation.begun()
        conversation.send(.post(1, [("expect", "100-continue")]))
        #expect(conversation.frames(.headers, stream: 1).count == 1)
        #expect(conversation.frames(.headers, stream: 1).first?.flags == Frame.endHeaders)
        conversation.send(.data(1))
        #expect(conversation.frames(.headers, stream: 1).count == 2)
        #expect(conversation.requests.count == 1)
    }

    @Test func `HEAD is answered without content`() {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, [(":method", "HEAD")] + Block.get[1...]))
        #expect(conversation.frames(.headers, stream: 1).first?.flags == Frame.endHeaders | Frame.endStream)
        #expect(conversation.frames(.data).isEmpty)
    }

    @Test(arguments: [204, 304])
    func `a status without content has none`(code: Int) {
        let conversation = Conversation.begun()
        conversation.response.head.status = .init(code: code)
        conversation.send(.headers(1))
        #expect(conversation.frames(.headers, stream: 1).first?.flags == Frame.endHeaders | Frame.endStream)
        #expect(conversation.frames(.data).isEmpty)
    }

    @Test func `a response that can't be sent becomes a 500`() {
        let conversation = Conversation.begun()
        conversation.response.head.status = .init(code: 103)
        conversation.send(.headers(1))
        #expect(conversation.content(stream: 1) == "500")
    }

    @Test func `a request is cut with CANCEL and without a response`() {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        conversation.send(.headers(1), .headers(3))
        conversation.connection.cut(stream: 1)
        conversation.advance()
        conversation.answer(stream: 3)
        #expect(conversation.reset(stream: 1) == .cancel)
        #expect(conversation.frames(.headers, stream: 1).isEmpty)
        #expect(conversation.content(stream: 3) == "It is well.")
        #expect(conversation.connection.requestsInFlight == 0)
    }

    @Test func `responses leave in the order in which they are given`() {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        conversation.send(.headers(1), .headers(3), .headers(5))
        for stream in [5, 1, 3] as [Int32] { conversation.answer(stream: stream) }
        #expect(conversation.frames(.headers).map(\.stream) == [5, 1, 3])
    }
}
