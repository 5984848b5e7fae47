public import HTTPTypes

/// An `http` or `https` URL with a host, without credentials and without a fragment (RFC 3986 §3).
public struct HTTPURL: Equatable, Sendable {
    /// Whether the connection is encrypted and the server's certificate is verified.
    public let isEncrypted: Bool
    /// The host name or address, without the brackets of an IPv6 address.
    public let host: String
    /// The port, 1…65535.
    public let port: UInt16
    /// The path and query as sent; begins with `/`.
    public let target: String

    /// The maximum length of a URL in characters.
    public static let charactersMax = 2000

    /// Parses a URL; nil if it does not have this form.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let schemes = [("https://", true), ("http://", false)]
        guard let (prefix, isEncrypted) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }),
            !text.contains("#")
        else { return nil }
        let rest = text.dropFirst(prefix.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let (host, port) = Self.hostAndPort(rest[..<end], Self.defaultPort(isEncrypted: isEncrypted)) else {
            return nil
        }
        let target = rest[end...]
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// The head of a request to the URL. Its authority includes the port unless it is the scheme's default.
    public func head(_ method: HTTPRequest.Method, _ fields: HTTPFields = [:]) -> HTTPRequest {
        let host = bracketedHost
        return HTTPRequest(
            method: method, scheme: isEncrypted ? "https" : "http",
            authority: port == Self.defaultPort(isEncrypted: isEncrypted) ? host : "\(host):\(port)", path: target,
            headerFields: fields)
    }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    private static func defaultPort(isEncrypted: Bool) -> UInt16 { isEncrypted ? 443 : 80 }

    private static func hostAndPort(_ authority: Substring, _ defaultPort: UInt16) -> (String, UInt16)? {
        var host = authority
        var port = defaultPort
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[bracket...].lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            host = authority[..<colon]
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard !host.isEmpty,
                host.utf8.allSatisfy({
                    Octet.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                })
            else { return nil }
            return (String(host), port)
        }
        let isName = host.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
        guard !host.isEmpty, host.utf8.count <= 253, isName else { return nil }
        return (String(host), port)
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The scheme, host and port. The path is omitted because it may be a secret.
    public var description: String { "\(isEncrypted ? "https" : "http")://\(bracketedHost):\(port)" }
}
