import HTTPTypes

/// A request line and the header fields after it, as far as they have arrived.
struct HTTP1RequestHead: Sendable {
    /// How the end of the content is found (RFC 9112 §6.3).
    enum Framing: Equatable {
        case none
        case contentLength(Int)
        case chunked
    }

    let line: HTTP1RequestLine
    private(set) var fields = HTTPFields()
    private(set) var credentials = CredentialFields()
    private(set) var fieldCount = 0
    private var host: String?
    private var contentLength: Int?
    private var contentLengthOverflows = false
    /// Whether each transfer coding, in order, is `chunked`; nil without `Transfer-Encoding`.
    private var codingsAreChunked: [Bool]?
    private var connectionCloses = false
    private var connectionKeepsAlive = false
    private var expectsContinue = false

    init(_ line: HTTP1RequestLine) { self.line = line }

    /// Adds one field line.
    ///
    /// - Parameter line: not empty, without CRLF, and without CR or LF inside.
    mutating func append(_ line: Span<UInt8>) throws(HTTP1Refusal) {
        let field = try HTTP1Field(line)
        let value = line.extracting(field.value)
        fieldCount += 1
        switch field.meaning {
        case .host:
            // RFC 9112 §3.2: exactly one, and valid.
            guard host == nil else { throw .repeatedHost }
            guard HTTP1Host.isValid(value) else { throw .malformedHost }
            host = value.text
            return
        case .contentLength: try noteContentLength(value)
        case .transferEncoding: try noteTransferEncoding(value)
        case .connection: noteConnection(value)
        case .expect: try noteExpect(value)
        case .other:
            if credentials.append(line.extracting(field.name), value) { return }
        }
        fields.append(field.field(of: line))
    }

    /// The framing, once all fields are here.
    func framing(bodyBytesMax: Int) throws(HTTP1Refusal) -> Framing {
        // RFC 9112 §3.2
        guard host != nil || line.isHTTP10 else { throw .missingHost }
        if let codings = codingsAreChunked {
            // §6.1: an HTTP/1.0 message with Transfer-Encoding has faulty framing.
            guard !line.isHTTP10 else { throw .transferEncodingInHTTP10 }
            // §6.3 #3: the mark of request smuggling.
            guard contentLength == nil else { throw .contentLengthWithTransferEncoding }
            // §6.3 #4, §7.1: chunked is applied once, and last.
            guard !codings.dropLast().contains(true) else { throw .chunkedNotLast }
            // §6.1: 501 for a coding that is not understood.
            guard codings == [true] else { throw .unsupportedTransferCoding }
            return .chunked
        }
        guard let contentLength else {
            // RFC 9110 §15.5.12: a PUT that doesn't say how long it is was most likely cut or rewritten on its way. POST
            // means something without content, and clients send it so.
            guard line.method != .put else { throw .lengthRequired }
            return .none
        }
        guard !contentLengthOverflows, contentLength <= bodyBytesMax else { throw .bodyTooLarge }
        return contentLength == 0 ? .none : .contentLength(contentLength)
    }

    /// Whether the client waits for `100 Continue`; in HTTP/1.0 the expectation is void (RFC 9110 §10.1.1).
    var waitsForContinue: Bool { expectsContinue && !line.isHTTP10 }

    /// RFC 9112 §9.3.
    var keepsAlive: Bool { !connectionCloses && (!line.isHTTP10 || connectionKeepsAlive) }

    /// The head as a value.
    /// - Parameter scheme: `http` or `https`, as the connection is.
    func request(scheme: String) -> HTTPRequest {
        HTTPRequest(
            method: line.method, scheme: scheme, authority: line.authority ?? host, path: line.path,
            headerFields: fields)
    }

    /// RFC 9110 §8.6: decimal digits. A list of equal lengths, or a repeated field, may be accepted or refused
    /// (RFC 9112 §6.3 #5); refusing is what no intermediary can read otherwise.
    private mutating func noteContentLength(_ value: Span<UInt8>) throws(HTTP1Refusal) {
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
    private mutating func noteTransferEncoding(_ value: Span<UInt8>) throws(HTTP1Refusal) {
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

    /// RFC 9110 §7.6.1: a list of options, letter case apart.
    private mutating func noteConnection(_ value: Span<UInt8>) {
        var start = 0
        while start <= value.count {
            let end = value.firstIndex(of: UInt8(ascii: ","), in: start..<value.count) ?? value.count
            let option = value.extracting(value.trimmed(start..<end))
            if option.equalsIgnoringCase("close") { connectionCloses = true }
            if option.equalsIgnoringCase("keep-alive") { connectionKeepsAlive = true }
            start = end + 1
        }
    }

    /// RFC 9110 §10.1.1: 417 for an expectation that can't be met.
    private mutating func noteExpect(_ value: Span<UInt8>) throws(HTTP1Refusal) {
        guard value.equalsIgnoringCase("100-continue") else { throw .unsupportedExpectation }
        expectsContinue = true
    }
}
