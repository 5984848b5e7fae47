internal import HTTP
import HTTPTypes

/// The received header fields of one request, and the first error in them.
struct RequestHead {
    /// Why a request is not passed to a handler.
    enum Refusal: Error, Equatable {
        /// The request is malformed (RFC 9113 §8.1.1): the stream is reset with `PROTOCOL_ERROR`.
        case malformed
        /// The request is answered with a status.
        case status(HTTPResponse.Status)
    }

    private static let refusedPathBytesMax = 256

    private var method: HTTPRequest.Method?
    /// The path with its query, truncated if it is too long.
    private(set) var path: String?
    private var authority: String?
    private var host: String?
    private var fields = HTTPFields()
    private var credentials = CredentialFields()
    private var cookie: [UInt8] = []
    private(set) var contentLength: Int?
    private(set) var expectsContinue = false
    /// The first refusal. No fields are stored after it.
    private(set) var refusal: Refusal?

    /// The size of the list: all fields, plus 32 bytes per field (RFC 9113 §6.5.2).
    private(set) var listBytes = 0
    private var count = 0

    var isHead: Bool { method == .head }

    /// Records a field that is invalid in any request.
    mutating func appendInvalid(bytes: Int) {
        listBytes += bytes + 32
        count += 1
        if refusal == nil { refusal = .malformed }
    }

    /// Adds one field.
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>, limits: HTTP2Limits) {
        listBytes += name.count + value.count + 32
        count += 1
        guard refusal == nil else { return }
        do throws(Refusal) {
            guard listBytes <= limits.headerListBytesMax, count <= limits.headerCountMax else {
                throw .status(.requestHeaderFieldsTooLarge)
            }
            if name.count > 0, name[0] == UInt8(ascii: ":") {
                try appendPseudoField(name, value, limits)
            } else {
                try appendField(name, value)
            }
        } catch {
            refusal = error
        }
    }

    /// Adds one trailer field. Trailers may be discarded (RFC 9110 §6.5.1), but they are still checked.
    mutating func appendTrailer(_ name: Span<UInt8>, _ value: Span<UInt8>, limits: HTTP2Limits) {
        listBytes += name.count + value.count + 32
        count += 1
        guard refusal == nil else { return }
        guard listBytes <= limits.headerListBytesMax, count <= limits.headerCountMax else {
            refusal = .status(.requestHeaderFieldsTooLarge)
            return
        }
        guard Self.name(name) != nil, value.allSatisfy(Octet.isFieldValue) else {
            refusal = .malformed
            return
        }
    }

    /// Resets the counts for the trailers.
    mutating func beginTrailers() {
        listBytes = 0
        count = 0
    }

    /// The head as a value, after all fields were received.
    ///
    /// - Parameter scheme: the connection's scheme: `http` or `https`.
    mutating func request(scheme: String, limits: HTTP2Limits) throws(Refusal) -> HTTPRequest {
        if let refusal { throw refusal }
        // nghttp2 has checked that each pseudo-header field is present once, except for CONNECT.
        guard let method else { throw .malformed }
        // As in HTTP/1.1, CONNECT is for proxies.
        guard method != .connect else { throw .status(.notImplemented) }
        guard let path, path != "*" || method == .options else { throw .malformed }
        // RFC 9113 §8.3.1: a `Host` that differs from `:authority` makes the request malformed.
        if let authority, let host, authority.lowercased() != host.lowercased() { throw .malformed }
        guard let authority = authority ?? host else { throw .malformed }
        guard contentLength ?? 0 <= limits.bodyBytesMax else { throw .status(.contentTooLarge) }
        if !cookie.isEmpty {
            fields.append(cookie.withUnsafeBufferPointer { HTTPField(name: .cookie, value: $0) })
        }
        return HTTPRequest(
            method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    }

    /// Moves out the fields that authenticate the client, which ``request(scheme:limits:)`` does not include.
    mutating func takeCredentials() -> CredentialFields {
        defer { credentials = CredentialFields() }
        return credentials
    }

    private mutating func appendPseudoField(
        _ name: Span<UInt8>, _ value: Span<UInt8>, _ limits: HTTP2Limits
    ) throws(Refusal) {
        if name.equalsIgnoringCase(":method") {
            guard value.allSatisfy(Octet.isToken), let method = HTTPRequest.Method(value.text) else {
                throw .malformed
            }
            self.method = method
        } else if name.equalsIgnoringCase(":path") {
            guard value.count <= limits.pathBytesMax else {
                path = value.extracting(0..<min(value.count, Self.refusedPathBytesMax)).text
                throw .status(.uriTooLong)
            }
            let isAsterisk = value.count == 1 && value[0] == UInt8(ascii: "*")
            let isOrigin = value.count > 0 && value[0] == UInt8(ascii: "/") && value.allSatisfy(Octet.isPathOrQuery)
            guard isAsterisk || isOrigin else { throw .malformed }
            path = value.text
        } else if name.equalsIgnoringCase(":authority") {
            guard HTTP1Host.isValid(value) else { throw .malformed }
            authority = value.text
        } else if name.equalsIgnoringCase(":scheme") {
            // Both schemes are accepted, because a proxy may have terminated TLS. The handler sees the connection's
            // scheme.
            guard value.equalsIgnoringCase("http") || value.equalsIgnoringCase("https") else { throw .malformed }
        } else {
            throw .malformed
        }
    }

    private mutating func appendField(_ nameBytes: Span<UInt8>, _ value: Span<UInt8>) throws(Refusal) {
        guard let name = Self.name(nameBytes), value.allSatisfy(Octet.isFieldValue) else { throw .malformed }
        switch name.canonicalName {
        case "host":
            guard host == nil, HTTP1Host.isValid(value) else { throw .malformed }
            host = value.text
            return
        case "cookie":
            // RFC 9113 §8.2.3: `Cookie` fields are joined before the request leaves HTTP/2.
            if !cookie.isEmpty { cookie.append(contentsOf: "; ".utf8) }
            value.withUnsafeBufferPointer { cookie.append(contentsOf: $0) }
            return
        case "content-length":
            guard contentLength == nil, let length = Self.length(value) else { throw .malformed }
            contentLength = length
        case "expect":
            guard value.equalsIgnoringCase("100-continue") else { throw .status(.expectationFailed) }
            expectsContinue = true
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
            // RFC 9113 §8.2.2
            throw .malformed
        case "te":
            guard value.equalsIgnoringCase("trailers") else { throw .malformed }
        default: if credentials.append(nameBytes, value) { return }
        }
        fields.append(value.withUnsafeBufferPointer { HTTPField(name: name, value: $0) })
    }

    /// Creates a field name from lower-case octets (RFC 9113 §8.2.1); nil for others.
    private static func name(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        guard bytes.count > 0, bytes.allSatisfy({ Octet.isToken($0) && Octet.lowercased($0) == $0 }) else { return nil }
        return HTTPField.Name(bytes.text)
    }

    /// Parses decimal digits (RFC 9110 §8.6). A number that overflows exceeds every limit.
    private static func length(_ value: Span<UInt8>) -> Int? {
        guard value.count > 0 else { return nil }
        var length = 0
        for index in value.indices {
            guard value[index] >= UInt8(ascii: "0"), value[index] <= UInt8(ascii: "9") else { return nil }
            let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = tens.addingReportingOverflow(Int(value[index] - UInt8(ascii: "0")))
            length = overflow || overflowOfSum ? Int.max : sum
        }
        return length
    }
}
