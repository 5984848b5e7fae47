import HTTP
import HTTPTypes
import Testing

/// Whole exchanges, byte for byte. The handler answers with method, authority, path and content of what it was given.
struct HTTP1ExchangeTests {
    private static let date = HTTPDate(unixSeconds: 784_111_777)
    private static let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    private static func ok(_ content: String, _ more: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(dateLine)Content-Length: \(content.utf8.count)\r\n\(more)\r\n\(content)"
    }

    private static func refused(_ status: String) -> String {
        "HTTP/1.1 \(status)\r\n\(dateLine)Content-Length: 3\r\nConnection: close\r\n\r\n\(status.prefix(3))"
    }

    /// What the client sends, what it gets, and whether the connection ends then.
    static let exchanges: [(sent: String, received: String, ends: Bool)] = [
        ("GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n", ok("GET h /a?b "), false),
        ("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n", String(ok("HEAD h /a ").dropLast(10)), false),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", ok("OPTIONS h * "), false),
        ("OPTIONS http://o HTTP/1.1\r\nHost: h\r\n\r\n", ok("OPTIONS o * "), false),
        ("GET http://o:80/a HTTP/1.1\r\nHost: h\r\n\r\n", ok("GET o:80 /a "), false),
        ("GET / HTTP/1.0\r\n\r\n", ok("GET - / ", "Connection: close\r\n"), true),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", ok("GET - / ", "Connection: keep-alive\r\n"), false),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", ok("GET h / ", "Connection: close\r\n"), true),
        ("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody", ok("PUT h /a body"), false),
        ("POST /a HTTP/1.1\r\nHost: h\r\n\r\n", ok("POST h /a "), false),
        (
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nbo\r\n2\r\ndy\r\n0\r\nX-Sum: 1\r\n\r\n",
            ok("POST h /a body"), false
        ),
        // Pipelined: in order, and nothing after one that closes.
        (
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nxGET /3 HTTP/1.1\r\nHost: h\r\n\r\n",
            ok("GET h /1 ") + ok("POST h /2 x") + ok("GET h /3 "), false
        ),
        (
            "GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
            ok("GET h /1 ", "Connection: close\r\n"), true
        ),
        (
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3",
            ok("GET h /1 ") + refused("400 Bad Request"), true
        ),
        // Refused, each once, and the connection closed.
        (
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", refused("400 Bad Request"),
            true
        ),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", refused("400 Bad Request"),
            true
        ),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            refused("400 Bad Request"), true
        ),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\nhello", refused("400 Bad Request"), true),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", refused("501 Not Implemented"), true),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: y\r\n folded\r\n\r\n", refused("400 Bad Request"), true),
        ("GET / HTTP/1.1\r\nHost: h\r\nX : y\r\n\r\n", refused("400 Bad Request"), true),
        ("GET / HTTP/1.1\nHost: h\n\n", refused("400 Bad Request"), true),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: y\rz\r\n\r\n", refused("400 Bad Request"), true),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: \0\r\n\r\n", refused("400 Bad Request"), true),
        ("GET / HTTP/1.1\r\n\r\n", refused("400 Bad Request"), true),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", refused("400 Bad Request"), true),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n",
            refused("400 Bad Request"), true
        ),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;a=\(String(repeating: "b", count: 256))\r\n",
            refused("400 Bad Request"), true
        ),
        ("PUT / HTTP/1.1\r\nHost: h\r\n\r\n", refused("411 Length Required"), true),
        ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1048577\r\n\r\n", refused("413 Content Too Large"), true),
        ("GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n", refused("417 Expectation Failed"), true),
        ("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", refused("501 Not Implemented"), true),
        ("GET / HTTP/1.2\r\nHost: h\r\n\r\n", refused("505 HTTP Version Not Supported"), true),
    ]

    private static func exchange(_ pieces: [[UInt8]]) -> (received: String, ends: Bool) {
        var connection = HTTP1Connection { status, _ in Response(status: status, body: Array("\(status.code)".utf8)) }
        var received: [UInt8] = []
        var ends = false
        for piece in pieces {
            connection.receive(piece.span)
            turns: while true {
                switch connection.next(date: date) {
                case .handle(let request):
                    let head = request.head
                    let content = "\(head.method) \(head.authority ?? "-") \(head.path ?? "-") ".utf8 + request.body
                    connection.answer(Response(status: .ok, body: Array(content)), date: date)
                case .wait: break turns
                case .close:
                    ends = true
                    break turns
                }
            }
            received += connection.output[connection.outputStart...]
            connection.consumeOutput(connection.outputBytes)
        }
        return (String(decoding: received, as: UTF8.self), ends)
    }

    @Test(arguments: exchanges)
    func `what a client sends gets these bytes, in every split of two`(sent: String, received: String, ends: Bool) {
        let whole = Self.exchange([Array(sent.utf8)])
        #expect(whole.received == received)
        #expect(whole.ends == ends)
        for pieces in everySplit(Array(sent.utf8)) {
            let split = Self.exchange(pieces)
            #expect(split == whole, "\(pieces.map { String(decoding: $0, as: UTF8.self) })")
        }
    }

    @Test func `a line or a section beyond its limit is refused in every split of two`() {
        let line = "GET /" + String(repeating: "a", count: 8192) + " HTTP/1.1\r\nHost: h\r\n\r\n"
        let fields = "GET / HTTP/1.1\r\nHost: h\r\n" + (0..<100).map { "X-\($0): y\r\n" }.joined() + "\r\n"
        for (sent, status) in [(line, "414 URI Too Long"), (fields, "431 Request Header Fields Too Large")] {
            let bytes = Array(sent.utf8)
            for position in stride(from: 1, to: bytes.count, by: 37) {
                let split = Self.exchange([Array(bytes[..<position]), Array(bytes[position...])])
                #expect(split == (Self.refused(status), true), "split at \(position)")
            }
        }
    }

    @Test func `a client that expects it is told to continue, and then answered`() {
        let head = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        let exchange = Self.exchange([Array(head.utf8), Array("ok".utf8)])
        #expect(exchange == ("HTTP/1.1 100 Continue\r\n\r\n" + Self.ok("PUT h / ok"), false))
    }
}
