import HTTP
import Testing

/// Requests that two HTTP implementations in a row may take for different requests (RFC 9112 §11.2).
struct HTTP1SmugglingTests {
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let chunkedOfFive = "5\r\nhello\r\n0\r\n\r\n"

    static let corpus: [String] =
        [
            // CL.TE and TE.CL, in both orders
            "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
            "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n" + chunkedOfFive,
            // TE.TE: obfuscated
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: identity, chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: chunked, identity\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: xchunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding : chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding\t: chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding:\r\n chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding:\r\n\tchunked\r\n\r\n" + chunkedOfFive,
            " Transfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "X: y\r\n Transfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: \u{B}chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: chunked\u{0}\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: \"chunked\"\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: 'chunked'\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: chunked;a=b\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: chunked chunked\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: chunKed\u{307}\r\n\r\n" + chunkedOfFive,
            "Transfer-Encoding: ch\u{212A}unked\r\n\r\n" + chunkedOfFive,
            "X: y\rTransfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "X: y\nTransfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "X: y\r\rTransfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "\u{0}Transfer-Encoding: chunked\r\n\r\n" + chunkedOfFive,
            "Transfer Encoding: chunked\r\n\r\n" + chunkedOfFive,
            // Lengths
            "Content-Length: 0\r\nContent-Length: 44\r\n\r\n",
            "Content-Length: 44\r\nContent-Length: 0\r\n\r\n",
            "Content-Length: 0, 44\r\n\r\n",
            "Content-Length: +0\r\n\r\n",
            "Content-Length: -0\r\n\r\n",
            "Content-Length: 0_0\r\n\r\n",
            "Content-Length: 0x0\r\n\r\n",
            "Content-Length: 0 0\r\n\r\n",
            "Content-Length:\r\n 0\r\n\r\n",
            "Content-Length : 0\r\n\r\n",
            "Content-Length\r\n\r\n",
            "Content-Length: 18446744073709551616\r\n\r\n",
            // Chunks
            "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n-0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0 \r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0\n\n",
            "Transfer-Encoding: chunked\r\n\r\n0\r\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0;\n\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n4c\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0;a=\rb\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1\r\nAX\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1\r\nA\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1\r\nA0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\nZ: w\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0\r\n\n\r\n",
            // Ends of the header section
            "\n" + smuggled,
            "\r\r\n",
            "X\r\n\r\n",
            ": y\r\n\r\n",
            // Hosts
            "Host: b\r\n\r\n",
            "hOst: b\r\n\r\n",
        ]
        .map { "POST / HTTP/1.1\r\nHost: a\r\n" + $0 + smuggled } + [
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
            "POST / HTTP/1.1\r\nHost: a b\r\n\r\n" + smuggled,
            "POST / HTTP/1.1 \r\nHost: a\r\n\r\n" + smuggled,
            "POST / HTTP/1.1\nHost: a\n\n" + smuggled,
            "POST / HTTP/1.1\r\r\nHost: a\r\n\r\n" + smuggled,
            "POST / HTTP/1.1\r\n\r\n" + smuggled,
            "POST /\r\n\r\n" + smuggled,
            "POST / HTTP/2.0\r\nHost: a\r\n\r\n" + smuggled,
        ]

    @Test(arguments: corpus)
    func `an ambiguous request is refused and nothing after it is a request`(bytes: String) {
        let outcome = ParserOutcome(bytes)
        #expect(outcome.refusal != nil)
        #expect(outcome.requests.isEmpty)
        for pieces in everySplit(Array(bytes.utf8)) { #expect(ParserOutcome(pieces).refusal == outcome.refusal) }
    }

    @Test(arguments: corpus)
    func `an ambiguous request is answered once, with an error, and the connection ends`(bytes: String) throws {
        var connection = HTTP1Connection { status, _ in Response(status: status) }
        connection.receive(Array(bytes.utf8).span)
        #expect(connection.next(date: HTTPDate(unixSeconds: 0)) == .close)
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.components(of: "HTTP/1.1 ") == 1)
        let code = try #require(Int(output.dropFirst(9).prefix(3)))
        #expect((400...505).contains(code))
        #expect(output.contains("\r\nConnection: close\r\n"))
    }
}

extension String {
    /// How often a text occurs.
    func components(of text: String) -> Int {
        var count = 0
        var rest = Substring(self)
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
