import HTTPTypes

/// The request line of HTTP/1.1: `method SP request-target SP HTTP-version` (RFC 9112 §3).
struct HTTP1RequestLine: Sendable {
    let method: HTTPRequest.Method
    /// The target's path with its query, or `*`.
    let path: String
    /// The authority of a target in absolute-form, which replaces `Host` (RFC 9112 §3.2.2); nil for other forms.
    let authority: String?
    /// Whether the version is HTTP/1.0 instead of HTTP/1.1.
    let isHTTP10: Bool

    /// - Parameter line: without CRLF, and without CR or LF inside.
    init(_ line: Span<UInt8>) throws(HTTP1Refusal) {
        // §3: exactly two single spaces. Recipients may be lenient about whitespace here, but only the strict form is
        // unambiguous.
        let space = UInt8(ascii: " ")
        guard let first = line.firstIndex(of: space, in: 0..<line.count),
            let second = line.firstIndex(of: space, in: first + 1..<line.count)
        else { throw .malformedRequestLine }
        let methodBytes = line.extracting(0..<first)
        // RFC 9110 §9.1: a method is a token.
        guard first > 0, methodBytes.allSatisfy(Octet.isToken) else { throw .malformedMethod }
        isHTTP10 = try Self.version(line.extracting(second + 1..<line.count)) == .http10
        method = try Self.method(methodBytes)
        // RFC 9112 §3.2.3: authority-form is only for CONNECT, which is for proxies.
        guard method != .connect else { throw .unsupportedMethod }
        (path, authority) = try Self.target(line.extracting(first + 1..<second), method)
    }

    private enum Version { case http10, http11 }

    /// RFC 9112 §2.3: `HTTP/` digit `.` digit, in capitals.
    private static func version(_ bytes: Span<UInt8>) throws(HTTP1Refusal) -> Version {
        let prefix: StaticString = "HTTP/"
        guard bytes.count == 8 else {
            // A line with a third space also leads here.
            throw .malformedVersion
        }
        for index in 0..<5 where bytes[index] != prefix.utf8Start[index] { throw .malformedVersion }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.contains(bytes[5]), bytes[6] == UInt8(ascii: "."), digits.contains(bytes[7]) else {
            throw .malformedVersion
        }
        switch (bytes[5], bytes[7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): return .http11
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): return .http10
        default: throw .unsupportedVersion
        }
    }

    private static func method(_ bytes: Span<UInt8>) throws(HTTP1Refusal) -> HTTPRequest.Method {
        guard let method = HTTPRequest.Method(bytes.text) else { throw .malformedMethod }
        return method
    }

    /// Parses the request target (RFC 9112 §3.2).
    private static func target(
        _ target: Span<UInt8>, _ method: HTTPRequest.Method
    ) throws(HTTP1Refusal) -> (path: String, authority: String?) {
        guard target.count > 0 else { throw .malformedTarget }
        if target[0] == UInt8(ascii: "/") {
            guard target.allSatisfy(Octet.isPathOrQuery) else { throw .malformedTarget }
            return (target.text, nil)
        }
        if target.count == 1, target[0] == UInt8(ascii: "*") {
            // §3.2.4: asterisk-form is only for OPTIONS.
            guard method == .options else { throw .malformedTarget }
            return ("*", nil)
        }
        return try absoluteTarget(target, method)
    }

    /// RFC 9112 §3.2.2: `http://authority/path?query`, with one of the schemes of this server.
    private static func absoluteTarget(
        _ target: Span<UInt8>, _ method: HTTPRequest.Method
    ) throws(HTTP1Refusal) -> (path: String, authority: String?) {
        var start = 0
        for scheme in ["http://", "https://"] as [StaticString] {
            let length = scheme.utf8CodeUnitCount
            if target.count > length, target.extracting(0..<length).equalsIgnoringCase(scheme) { start = length }
        }
        guard start > 0 else { throw .malformedTarget }
        var end = start
        while end < target.count, target[end] != UInt8(ascii: "/"), target[end] != UInt8(ascii: "?") { end += 1 }
        let authority = target.extracting(start..<end)
        guard HTTP1Host.isValid(authority) else { throw .malformedHost }
        let rest = target.extracting(end..<target.count)
        guard rest.allSatisfy(Octet.isPathOrQuery) else { throw .malformedTarget }
        if rest.count == 0 {
            // §3.2.4: OPTIONS for a whole server, sent to a proxy, has no path.
            return (method == .options ? "*" : "/", authority.text)
        }
        return (rest[0] == UInt8(ascii: "/") ? rest.text : "/" + rest.text, authority.text)
    }
}

/// Validates the value of `Host`: `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2).
package enum HTTP1Host {
    /// Whether the octets are a host with an optional port. User information and an empty host are invalid, as in http
    /// and https URIs (RFC 9110 §4.2).
    package static func isValid(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        var end = 0
        if bytes[0] == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]"), in: 0..<bytes.count) else { return false }
            let literal = bytes.extracting(1..<close)
            // IPv6 only; IPvFuture has never been defined.
            guard literal.count >= 2, literal.allSatisfy(isIPv6) else { return false }
            end = close + 1
        } else {
            while end < bytes.count, bytes[end] != UInt8(ascii: ":") {
                guard Octet.isRegisteredName(bytes[end]) else { return false }
                end += 1
            }
            guard end > 0 else { return false }
        }
        guard end < bytes.count else { return true }
        guard bytes[end] == UInt8(ascii: ":") else { return false }
        let port = bytes.extracting(end + 1..<bytes.count)
        guard port.count <= 5 else { return false }
        var number = 0
        for index in port.indices {
            guard port[index] >= UInt8(ascii: "0"), port[index] <= UInt8(ascii: "9") else { return false }
            number = number * 10 + Int(port[index] - UInt8(ascii: "0"))
        }
        return number <= 65_535
    }

    private static func isIPv6(_ byte: UInt8) -> Bool {
        Octet.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}
