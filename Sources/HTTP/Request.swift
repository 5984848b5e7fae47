public import HTTPTypes

/// One HTTP request, complete with its content.
public struct Request: Sendable, Equatable {
    /// Method, scheme, authority, path with query, and header fields. The `Host` field of HTTP/1.1 is the authority
    /// and is no header field (RFC 9113 §8.3.1 maps them alike), so that a handler sees both protocol versions alike.
    public var head: HTTPRequest
    /// The content, with transfer codings removed; empty when there is none.
    public var body: [UInt8]
    /// Who sent the request; nil when it was made in this process.
    public var peer: Peer?

    /// Makes a request.
    public init(head: HTTPRequest, body: [UInt8] = [], peer: Peer? = nil) {
        self.head = head
        self.body = body
        self.peer = peer
    }
}

/// The other end of a connection.
public struct Peer: Sendable, Hashable {
    /// The numeric address without a port: `192.0.2.7`, `2001:db8::7`.
    public var address: String
    /// Whether the address is of 127.0.0.0/8 or is ::1.
    public var isLoopback: Bool

    /// Makes the description of a peer.
    public init(address: String, isLoopback: Bool) {
        self.address = address
        self.isLoopback = isLoopback
    }
}
