internal import Glibc
public import HTTPTypes

/// One complete HTTP request with its content.
public struct Request: Sendable, Equatable {
    /// The method, scheme, authority, path with query, and header fields. The authority replaces the `Host` field of
    /// HTTP/1.1 (RFC 9113 §8.3.1 treats them alike), so that a handler sees both protocol versions alike. In a received
    /// request, the fields in ``credentials`` are not among these fields.
    public var head: HTTPRequest
    /// The content, with transfer codings removed; empty if there is none. It is wiped with the last copy of the
    /// request.
    public var content: WipedBuffer
    /// The header fields that authenticate the client. See ``credentials(_:)``.
    public var credentials: CredentialFields
    /// The client that sent the request; nil if it was created in this process.
    public var peer: Peer?
    /// The instant at which its first byte was read, in nanoseconds of the monotonic clock (`CLOCK_MONOTONIC`); nil if
    /// it was created in this process.
    public var arrival: UInt64?

    /// The version of HTTP with which it was received.
    public var version: HTTPVersion

    /// Creates a request.
    public init(
        head: HTTPRequest, content: WipedBuffer, credentials: CredentialFields = CredentialFields(), peer: Peer? = nil,
        arrival: UInt64? = nil, version: HTTPVersion = .http11
    ) {
        self.head = head
        self.content = content
        self.credentials = credentials
        self.peer = peer
        self.arrival = arrival
        self.version = version
    }

    /// Creates a request whose content is not secret.
    public init(
        head: HTTPRequest, body: [UInt8] = [], peer: Peer? = nil, arrival: UInt64? = nil,
        version: HTTPVersion = .http11
    ) {
        self.init(head: head, content: WipedBuffer(body), peer: peer, arrival: arrival, version: version)
    }

    /// Whether the content has a content coding other than `identity` (RFC 9110 §8.4).
    package var hasForeignContentCoding: Bool {
        guard !content.isEmpty else { return false }
        return head.headerFields[values: .contentEncoding].contains { value in
            value.split(separator: ",").contains { coding in
                let coding = coding.filter { $0 != " " && $0 != "\t" }.lowercased()
                return !coding.isEmpty && coding != "identity"
            }
        }
    }

    /// An unwiped copy of the content. For card data use ``content``.
    public var body: [UInt8] {
        get { content.withUnsafeBytes { Array($0) } }
        set { content = WipedBuffer(newValue) }
    }

    /// The values of a field that authenticates the client, one for each field line, from ``credentials`` and the
    /// header fields.
    public func credentials(_ name: HTTPField.Name) -> [WipedBuffer] {
        credentials[name] + head.headerFields[values: name].map { WipedBuffer(Array($0.utf8)) }
    }
}

/// The versions of HTTP that a client may use.
public enum HTTPVersion: String, Sendable {
    /// RFC 1945, as updated by RFC 9112.
    case http10 = "HTTP/1.0"
    /// RFC 9112.
    case http11 = "HTTP/1.1"
    /// RFC 9113.
    case http2 = "HTTP/2"
}

/// The other end of a connection.
public struct Peer: Sendable, Hashable {
    /// The numeric address without a port: `192.0.2.7`, `2001:db8::7`.
    public var address: String
    /// Whether the address is in 127.0.0.0/8 or is ::1.
    public var isLoopback: Bool
    /// The certificate with which the peer authenticated itself in the TLS handshake (mutual TLS); nil without one.
    public var certificate: ClientCertificate?

    /// The address range that counts as one client: the address, or the first 64 bits of an IPv6 address, because a
    /// host can choose the others.
    public var network: String {
        var bytes = in6_addr()
        guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ".") + "/64" }
    }

    /// Creates the description of a peer.
    public init(address: String, isLoopback: Bool, certificate: ClientCertificate? = nil) {
        self.address = address
        self.isLoopback = isLoopback
        self.certificate = certificate
    }
}

/// A verified client certificate: the peer has proved that it holds the private key, and the server accepts the chain.
///
/// Created only where TLS is terminated, never from a request's content or fields.
public struct ClientCertificate: Sendable, Hashable {
    /// The SHA-256 hash of the certificate's DER, 32 bytes.
    public let fingerprint: [UInt8]
    /// The certificate in DER.
    public let der: [UInt8]
    /// The end of its validity, in seconds since 1970-01-01 00:00:00 UTC.
    public let notAfterSecondsSinceEpoch: Int64

    /// Creates the description of a verified certificate.
    public init(
        verifiedFingerprint fingerprint: [UInt8], der: [UInt8] = [], notAfterSecondsSinceEpoch: Int64 = .max
    ) {
        precondition(fingerprint.count == 32, "a SHA-256 has 32 bytes")
        self.fingerprint = fingerprint
        self.der = der
        self.notAfterSecondsSinceEpoch = notAfterSecondsSinceEpoch
    }
}
