import HTTP
import Testing

struct HTTP1LimitsTests {
    private static var limits: HTTP1Limits {
        var limits = HTTP1Limits()
        limits.requestLineBytesMax = 20
        limits.headerBytesMax = 40
        limits.headerCountMax = 3
        limits.bodyBytesMax = 10
        limits.chunkLineBytesMax = 8
        limits.chunkExtensionBytesMax = 9
        limits.trailerBytesMax = 12
        return limits
    }
    private static let chunked = "POST / HTTP/1.1\r\nHost:a\r\nTransfer-Encoding:chunked\r\n\r\n"

    static let exceeded: [(bytes: String, refusal: HTTP1Refusal)] = [
        ("GET /8901234 HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineTooLong),
        ("GET /89012345678901234567890", .requestLineTooLong),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 3456789012345678901234567\r\n\r\n", .fieldsTooLarge),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 34567890123456789012345678901234", .fieldsTooLarge),
        ("GET / HTTP/1.1\r\nHost:a\r\nA:1\r\nB:2\r\nC:3\r\n\r\n", .fieldsTooLarge),
        ("POST / HTTP/1.1\r\nHost:a\r\nContent-Length:11\r\n\r\n", .bodyTooLarge),
        (chunked + "b\r\n", .bodyTooLarge),
        (chunked + "9\r\n123456789\r\n2\r\n", .bodyTooLarge),
        (chunked + "000000001\r\n", .chunkLineTooLong),
        (chunked + "1;aaaaaaaaaaaaaaaaaa", .chunkLineTooLong),
        (chunked + "1;aaaa\r\n1\r\n1;aaaa\r\n", .chunkExtensionsTooLarge),
        (chunked + "0\r\nX: 456789\r\n\r\n", .fieldsTooLarge),
        (chunked + "0\r\nX: 45678901234567890", .fieldsTooLarge),
    ]

    static let reached: [String] = [
        "GET /890123 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: 345678901234567890123456\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:a\r\nA:1\r\nB:2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost:a\r\nContent-Length:10\r\n\r\n0123456789",
        chunked + "9\r\n123456789\r\n1\r\n0\r\n0\r\n\r\n",
        chunked + "00000001\r\n1\r\n0\r\n\r\n",
        chunked + "1;aaaa\r\n1\r\n1;aa\r\n2\r\n0\r\n\r\n",
        chunked + "0\r\nX: 45678\r\n\r\n",
    ]

    @Test(arguments: exceeded)
    func `a limit that is exceeded is a refusal`(bytes: String, refusal: HTTP1Refusal) {
        #expect(ParserOutcome(bytes, limits: Self.limits).refusal == refusal)
        for pieces in everySplit(Array(bytes.utf8)) {
            #expect(ParserOutcome(pieces, limits: Self.limits).refusal == refusal)
        }
    }

    @Test(arguments: reached)
    func `a limit that is just reached is none`(bytes: String) {
        var limits = Self.limits
        // Room for the fields of chunked requests, whose other limits are tested.
        if bytes.hasPrefix(Self.chunked) { limits.headerBytesMax = 60 }
        let outcome = ParserOutcome(bytes, limits: limits)
        #expect(outcome.refusal == nil)
        #expect(outcome.requests.count == 1)
        for pieces in everySplit(Array(bytes.utf8)) { #expect(ParserOutcome(pieces, limits: limits) == outcome) }
    }
}
