import HTTP
import HTTPTypes
import Testing

struct HTTP1RefusalTests {
    @Test(arguments: RefusedRequests.all)
    func `a malformed request is refused for its one reason`(bytes: String, refusal: HTTP1Refusal) {
        let outcome = ParserOutcome(bytes)
        #expect(outcome.refusal == refusal)
        #expect(outcome.requests.isEmpty)
    }

    @Test(arguments: RefusedRequests.all)
    func `a refusal does not depend on how the bytes were split`(bytes: String, refusal: HTTP1Refusal) {
        for pieces in everySplit(Array(bytes.utf8)) {
            let outcome = ParserOutcome(pieces)
            #expect(outcome.refusal == refusal, "\(pieces.map { String(decoding: $0, as: UTF8.self) })")
            #expect(outcome.requests.isEmpty)
        }
    }

    @Test(arguments: RefusedRequests.all)
    func `after a refusal nothing is parsed any more`(bytes: String, refusal: HTTP1Refusal) {
        var parser = HTTP1Parser()
        parser.append(Array(bytes.utf8).span)
        #expect(throws: refusal) { while case .continueExpected = try parser.next() {} }
        parser.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span)
        #expect(throws: refusal) { try parser.next() }
    }

    @Test func `every refusal is produced by a test`() {
        let produced = Set((RefusedRequests.all + HTTP1LimitsTests.exceeded.map { ($0.bytes, $0.refusal) }).map(\.1))
        #expect(Set(HTTP1Refusal.allCases).subtracting(produced) == [])
    }

    @Test(arguments: [
        (HTTP1Refusal.malformedRequestLine, 400), (.missingHost, 400), (.repeatedContentLength, 400),
        (.contentLengthWithTransferEncoding, 400), (.chunkedNotLast, 400), (.chunkLineTooLong, 400),
        (.lengthRequired, 411), (.bodyTooLarge, 413), (.requestLineTooLong, 414), (.unsupportedExpectation, 417),
        (.fieldsTooLarge, 431),
        (.unsupportedMethod, 501), (.unsupportedTransferCoding, 501), (.unsupportedVersion, 505),
    ])
    func `a refusal has its status`(refusal: HTTP1Refusal, code: Int) {
        #expect(refusal.status.code == code)
    }
}
