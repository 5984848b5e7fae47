/// The framing information in a message's fields: where its content ends (RFC 9112 §6.3).
struct HTTP1Framing: Sendable {
    /// The end of the content.
    enum End: Equatable {
        /// After this number of bytes.
        case length(Int)
        /// After the last chunk.
        case chunked
    }

    private var contentLength: Int?
    private var contentLengthOverflows = false
    /// Whether each transfer coding, in order, is `chunked`; nil without `Transfer-Encoding`.
    private var codingsAreChunked: [Bool]?

    /// The end of the content, determined from all fields; nil if no field defines it.
    func end(isHTTP10: Bool, bodyBytesMax: Int) throws(HTTP1Refusal) -> End? {
        if let codings = codingsAreChunked {
            // §6.1: an HTTP/1.0 message with Transfer-Encoding has faulty framing.
            guard !isHTTP10 else { throw .transferEncodingInHTTP10 }
            // §6.3 #3: a sign of request smuggling.
            guard contentLength == nil else { throw .contentLengthWithTransferEncoding }
            // §6.3 #4, §7.1: chunked is applied once, and is the last coding.
            guard !codings.dropLast().contains(true) else { throw .chunkedNotLast }
            // §6.1: 501 for an unknown coding.
            guard codings == [true] else { throw .unsupportedTransferCoding }
            return .chunked
        }
        guard let contentLength else { return nil }
        guard !contentLengthOverflows, contentLength <= bodyBytesMax else { throw .bodyTooLarge }
        return .length(contentLength)
    }

    /// RFC 9110 §8.6: decimal digits. A list of equal lengths, or a repeated field, may be accepted or refused (RFC
    /// 9112 §6.3 #5). It is refused, so that no intermediary can disagree about the length.
    mutating func noteContentLength(_ value: Span<UInt8>) throws(HTTP1Refusal) {
        guard contentLength == nil else { throw .repeatedContentLength }
        guard value.count > 0 else { throw .malformedContentLength }
        var length = 0
        for index in value.indices {
            guard value[index] >= UInt8(ascii: "0"), value[index] <= UInt8(ascii: "9") else {
                throw .malformedContentLength
            }
            guard !contentLengthOverflows else { continue }
            let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = tens.addingReportingOverflow(Int(value[index] - UInt8(ascii: "0")))
            contentLengthOverflows = overflow || overflowOfSum
            length = sum
        }
        contentLength = length
    }

    /// RFC 9112 §6.1: `1#transfer-coding`, combined from all field lines. No registered coding has parameters.
    mutating func noteTransferEncoding(_ value: Span<UInt8>) throws(HTTP1Refusal) {
        var codings = codingsAreChunked ?? []
        var start = 0
        while start <= value.count {
            let end = value.firstIndex(of: UInt8(ascii: ","), in: start..<value.count) ?? value.count
            let coding = value.extracting(value.trimmed(start..<end))
            guard coding.count > 0, coding.allSatisfy(Octet.isToken) else { throw .malformedTransferEncoding }
            codings.append(coding.equalsIgnoringCase("chunked"))
            start = end + 1
        }
        codingsAreChunked = codings
    }
}
