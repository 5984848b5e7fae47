/// What the fields of a message say about the end of its content (RFC 9112 §6.3).
struct HTTP1Framing: Sendable {
    /// Where the content ends.
    enum End: Equatable {
        /// After so many bytes.
        case length(Int)
        /// After the last chunk.
        case chunked
    }

    private var contentLength: Int?
    private var contentLengthOverflows = false
    /// Whether each transfer coding, in order, is `chunked`; nil without `Transfer-Encoding`.
    private var codingsAreChunked: [Bool]?

    /// The end, once all fields are here; nil if no field tells it.
    func end(isHTTP10: Bool, bodyBytesMax: Int) throws(HTTP1Refusal) -> End? {
        if let codings = codingsAreChunked {
            // §6.1: an HTTP/1.0 message with Transfer-Encoding has faulty framing.
            guard !isHTTP10 else { throw .transferEncodingInHTTP10 }
            // §6.3 #3: the mark of request smuggling.
            guard contentLength == nil else { throw .contentLengthWithTransferEncoding }
            // §6.3 #4, §7.1: chunked is applied once, and last.
            guard !codings.dropLast().contains(true) else { throw .chunkedNotLast }
            // §6.1: 501 for a coding that is not understood.
            guard codings == [true] else { throw .unsupportedTransferCoding }
            return .chunked
        }
        guard let contentLength else { return nil }
        guard !contentLengthOverflows, contentLength <= bodyBytesMax else { throw .bodyTooLarge }
        return .length(contentLength)
    }

    /// RFC 9110 §8.6: decimal digits. A list of equal lengths, or a repeated field, may be accepted or refused
    /// (RFC 9112 §6.3 #5); refusing is what no intermediary can read otherwise.
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

    /// RFC 9112 §6.1: `1#transfer-coding`, over all field lines. Parameters exist for no registered coding.
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
