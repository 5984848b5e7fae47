import HTTP
import HTTPTypes
import Testing

struct HTTP1RequestWriterTests {
    private func written(
        _ method: HTTPRequest.Method, authority: String? = "a:1", path: String? = "/b?c", fields: HTTPFields = [:],
        body: String = ""
    ) throws -> String {
        let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path, headerFields: fields)
        var output: [UInt8] = []
        try HTTP1Writer.append(Request(head: head, body: Array(body.utf8)), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `a request names its host, and closes its connection`() throws {
        #expect(
            try written(.get, fields: [.accept: "*/*"])
                == "GET /b?c HTTP/1.1\r\nHost: a:1\r\nAccept: */*\r\nConnection: close\r\n\r\n")
    }

    @Test func `a request has the length of its content, and POST always`() throws {
        let text = try written(.delete, body: "hello")
        #expect(text.hasSuffix("\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"))
        #expect(try written(.post).hasSuffix("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
    }

    @Test func `framing is not the caller's business`() throws {
        let fields: HTTPFields = [.contentLength: "9", .connection: "keep-alive", .transferEncoding: "chunked"]
        #expect(try written(.get, fields: fields) == written(.get))
    }

    @Test func `credentials of a parsed request are sent on`() throws {
        let text = "GET /b HTTP/1.1\r\nHost: a\r\nauthorization: Basic eDp5\r\nConnection: close\r\n\r\n"
        var parser = HTTP1Parser()
        parser.append(Array(text.utf8).span)
        guard case .request(let parsed) = try parser.next() else {
            Issue.record("a whole request")
            return
        }
        var head = parsed.head
        head.headerFields = [:]
        var output: [UInt8] = []
        try HTTP1Writer.append(
            Request(head: head, content: parsed.content, credentials: parsed.credentials), to: &output)
        #expect(String(decoding: output, as: UTF8.self) == text)
    }

    @Test func `credentials are sent under any name`() throws {
        var credentials = CredentialFields()
        credentials.append(try #require(HTTPField.Name("X-Secret")), WipedBuffer(Array("abc".utf8)))
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/b")
        var output: [UInt8] = []
        try HTTP1Writer.append(Request(head: head, content: WipedBuffer(), credentials: credentials), to: &output)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "GET /b HTTP/1.1\r\nHost: a\r\nx-secret: abc\r\nConnection: close\r\n\r\n")
    }

    @Test(arguments: ["a\r\nX: y", "a\u{0}", "\n"])
    func `a credential with a control character is refused`(value: String) {
        var credentials = CredentialFields()
        credentials.append(.authorization, WipedBuffer(Array(value.utf8)))
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/b")
        var output: [UInt8] = []
        #expect(throws: HTTP1Writer.Unwritable.malformedFieldValue) {
            try HTTP1Writer.append(Request(head: head, content: WipedBuffer(), credentials: credentials), to: &output)
        }
    }

    @Test(arguments: [nil, "", "a b", "a\r\nX: y", "a@b", "a:x"])
    func `an authority that HTTP forbids is refused`(authority: String?) {
        #expect(throws: HTTP1Writer.Unwritable.malformedTarget) { try written(.get, authority: authority) }
    }

    @Test(arguments: [nil, "", "b", "/ b", "/\r\nX: y", "/ü"])
    func `a path that HTTP forbids is refused`(path: String?) {
        #expect(throws: HTTP1Writer.Unwritable.malformedTarget) { try written(.get, path: path) }
    }
}
