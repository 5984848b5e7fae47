internal import HTTP
public import HTTPTypes

/// The destination of a request: scheme, host and port.
public struct Origin: Hashable, Sendable {
    /// Whether the scheme is `https`.
    public let isEncrypted: Bool
    /// The host name or address, without the brackets of an IPv6 address.
    public let host: String
    /// The port, 0…65535.
    public let port: UInt16

    /// The origin of a request; nil if its scheme is neither `http` nor `https`, or its authority is not `host[:port]`.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, ["http", "https"].contains(scheme), let authority = head.authority,
            HTTP1Host.isValid(authority.utf8.span)
        else { return nil }
        isEncrypted = scheme == "https"
        let end = authority.firstIndex(of: "]") ?? authority.startIndex
        let colon = authority[end...].firstIndex(of: ":") ?? authority.endIndex
        port = UInt16(authority[colon...].dropFirst()) ?? (isEncrypted ? 443 : 80)
        host = String(authority[..<colon].filter { $0 != "[" && $0 != "]" })
    }
}

extension Origin: CustomStringConvertible {
    /// Scheme, host and port.
    public var description: String {
        "\(isEncrypted ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
