import HTTP
import HTTPTypes
import Testing

struct HTTP1ResponseParserTests {
    /// The response that text is, in pieces of so many bytes.
    private func parsed(
        _ text: String, pieceBytes: Int = .max, isHead: Bool = false, isWhole: Bool = true, contentBytesMax: Int = 10
    ) throws -> Response? {
        var limits = HTTP1Limits()
        limits.bodyBytesMax = contentBytesMax
        limits.headerBytesMax = 200
        var parser = HTTP1ResponseParser(isHead: isHead, limits: limits)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            parser.append(Array(rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieceBytes)
            if let response = try parser.next() { return response }
        }
        if isWhole { parser.appendEnd() }
        return try parser.next()
    }

    @Test(arguments: [1, 2, 7, .max])
    func `a response is the same in whatever pieces it arrives`(pieceBytes: Int) throws {
        for text in [
            "HTTP/1.1 201 Made\r\nA: b\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 201 Made\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nT: u\r\n\r\n",
            "HTTP/1.1 201 Made\r\nA: b\r\n\r\nhello", "HTTP/1.0 201 Made\r\nA: b\r\n\r\nhello",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nC: d\r\n\r\nHTTP/1.1 201 Made\r\nA: b\r\n\r\nhello",
        ] {
            let response = try #require(try parsed(text, pieceBytes: pieceBytes))
            #expect(response.head.status == .init(code: 201, reasonPhrase: "Made"))
            #expect(response.head.headerFields[.init("A") ?? .accept] == "b")
            #expect(response.body == Array("hello".utf8))
        }
    }

    @Test func `what has no content ends with its head`() throws {
        for (status, isHead) in [("200 OK", true), ("204 No Content", false), ("304 Not Modified", false)] {
            let text = "HTTP/1.1 \(status)\r\nContent-Length: 7\r\n\r\n"
            #expect(try parsed(text, isHead: isHead, isWhole: false)?.body == [])
        }
        #expect(try parsed("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", isWhole: false)?.body == [])
    }

    @Test func `the reason may be missing, with its space or without`() throws {
        #expect(try parsed("HTTP/1.1 404\r\n\r\n")?.head.status.code == 404)
        #expect(try parsed("HTTP/1.1 404 \r\n\r\n")?.head.status.code == 404)
    }

    @Test(arguments: [
        "\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n",
        "HTTP/1.1 200 O\u{1}K\r\n\r\n",
        "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
    ])
    func `what is no response is refused`(text: String) {
        #expect(throws: HTTP1ResponseParser.Failure.malformed) { try parsed(text) }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n01234567890",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n",
        "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 180))\r\n",
        "HTTP/1.1 200 \(String(repeating: "b", count: 200))",
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: \(String(repeating: "b", count: 180))\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\(String(repeating: "b", count: 300))",
    ])
    func `a response over a limit is refused before its end`(text: String) {
        #expect(throws: HTTP1ResponseParser.Failure.tooLarge) { try parsed(text, isWhole: false) }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    ])
    func `a response that is cut short is not taken for whole`(text: String) throws {
        #expect(try parsed(text, isWhole: false) == nil)
        #expect(throws: HTTP1ResponseParser.Failure.truncated) { try parsed(text) }
    }

    @Test func `the status is there with its line, an interim response's is not`() throws {
        var parser = HTTP1ResponseParser(isHead: false)
        parser.append(Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 418 Tea".utf8))
        _ = try parser.next()
        #expect(parser.status == nil)
        parser.append(Array("pot\r\n".utf8))
        _ = try parser.next()
        #expect(parser.status?.code == 418)
    }
}
