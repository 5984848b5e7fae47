import HTTPTypes

/// A request line and the header fields after it, as far as they have arrived.
struct HTTP1RequestHead: Sendable {
    let line: HTTP1RequestLine
    private(set) var fields = HTTPFields()
    private(set) var credentials = CredentialFields()
    private(set) var fieldCount = 0
    private var host: String?
    private var framing = HTTP1Framing()
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
        case .contentLength: try framing.noteContentLength(value)
        case .transferEncoding: try framing.noteTransferEncoding(value)
        case .connection: noteConnection(value)
        case .expect: try noteExpect(value)
        case .other:
            if credentials.append(line.extracting(field.name), value) { return }
        }
        fields.append(field.field(of: line))
    }

    /// The end of the content, determined from all fields; nil if there is no content.
    func contentEnd(bodyBytesMax: Int) throws(HTTP1Refusal) -> HTTP1Framing.End? {
        // RFC 9112 §3.2
        guard host != nil || line.isHTTP10 else { throw .missingHost }
        if let end = try framing.end(isHTTP10: line.isHTTP10, bodyBytesMax: bodyBytesMax) {
            return end == .length(0) ? nil : end
        }
        // RFC 9110 §15.5.12: a PUT without a length was most likely truncated or rewritten in transit. A POST is
        // meaningful without content, and clients send it so.
        guard line.method != .put else { throw .lengthRequired }
        return nil
    }

    /// Whether the client waits for `100 Continue`. The expectation is ignored in HTTP/1.0 (RFC 9110 §10.1.1).
    var waitsForContinue: Bool { expectsContinue && !line.isHTTP10 }

    /// Whether the connection stays open after the response (RFC 9112 §9.3).
    var keepsAlive: Bool { !connectionCloses && (!line.isHTTP10 || connectionKeepsAlive) }

    /// The head as a value.
    ///
    /// - Parameter scheme: the connection's scheme: `http` or `https`.
    func request(scheme: String) -> HTTPRequest {
        HTTPRequest(
            method: line.method, scheme: scheme, authority: line.authority ?? host, path: line.path,
            headerFields: fields)
    }

    /// RFC 9110 §7.6.1: a list of case-insensitive options.
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
