import HTTP
import HTTPTypes
import Testing

struct HTTP1WriterTests {
    private static let date = HTTPDate(unixSeconds: 784_111_777)

    private func written(
        _ response: Response, persistence: HTTP1Writer.Persistence = .implied, isHead: Bool = false
    ) throws -> String {
        var output: [UInt8] = []
        try HTTP1Writer.append(response, to: &output, date: Self.date, persistence: persistence, isHead: isHead)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `a response has its length, its date and its content`() throws {
        let response = Response(status: .ok, contentType: "text/plain", body: Array("hello".utf8))
        #expect(
            try written(response)
                == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Content-Length: 5\r\n\r\nhello")
    }

    @Test func `the answer to HEAD has the length of the content and no content`() throws {
        let response = Response(status: .ok, body: Array("hello".utf8))
        #expect(
            try written(response, isHead: true)
                == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 5\r\n\r\n")
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified])
    func `a response without content has neither length nor content`(status: HTTPResponse.Status) throws {
        let text = try written(Response(status: status, body: Array("hello".utf8)))
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("GMT\r\n\r\n"))
    }

    @Test(
        arguments: [
            (HTTP1Writer.Persistence.implied, nil), (.keepAlive, "\r\nConnection: keep-alive\r\n"),
            (.close, "\r\nConnection: close\r\n"),
        ] as [(HTTP1Writer.Persistence, String?)])
    func `persistence is said where it is not implied`(persistence: HTTP1Writer.Persistence, line: String?) throws {
        let text = try written(Response(status: .ok), persistence: persistence)
        #expect(line.map { text.contains($0) } ?? !text.contains("Connection"))
    }

    @Test func `framing fields of a handler are left out, and its date is kept`() throws {
        var response = Response(status: .ok, body: [0x41])
        response.head.headerFields = [
            .contentLength: "99", .transferEncoding: "chunked", .connection: "upgrade", .upgrade: "x", .date: "then",
        ]
        #expect(try written(response) == "HTTP/1.1 200 OK\r\nDate: then\r\nContent-Length: 1\r\n\r\nA")
    }

    @Test(arguments: ["a\u{1}b", "a\u{7F}", "\u{1B}[0m"])
    func `a control character in a field value is not written`(value: String) {
        var response = Response(status: .ok)
        response.head.headerFields.append(HTTPField(name: .server, lenientValue: Array(value.utf8)))
        #expect(throws: HTTP1Writer.Unwritable.malformedFieldValue) { try written(response) }
    }

    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\u{0}b"])
    func `no field value becomes a second field`(value: String) throws {
        var response = Response(status: .ok)
        response.head.headerFields.append(HTTPField(name: .server, value: value))
        response.head.headerFields.append(HTTPField(name: .server, lenientValue: Array(value.utf8)))
        let text = try written(response)
        #expect(text.split(separator: "\r\n").count == 5)
        #expect(text.utf8.allSatisfy { $0 != 0 })
    }

    @Test(arguments: [100, 101, 103, 199])
    func `an informational status is not an answer`(code: Int) {
        #expect(throws: HTTP1Writer.Unwritable.statusNotFinal) {
            try written(Response(status: HTTPResponse.Status(code: code)))
        }
    }
}
