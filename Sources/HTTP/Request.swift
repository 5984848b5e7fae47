internal import Glibc
public import HTTPTypes

/// One HTTP request, complete with its content.
public struct Request: Sendable, Equatable {
    /// Method, scheme, authority, path with query, and header fields. The `Host` field of HTTP/1.1 is the authority
    /// and is no header field (RFC 9113 §8.3.1 maps them alike), so that a handler sees both protocol versions alike.
    /// Of what came over a connection, ``credentials`` are not among the fields.
    public var head: HTTPRequest
    /// The content, with transfer codings removed; empty when there is none. It is wiped with the last copy of the request.
    public var content: WipedBuffer
    /// The header fields that authenticate the client. See ``credentials(_:)``.
    public var credentials: CredentialFields
    /// Who sent the request; nil when it was made in this process.
    public var peer: Peer?
    /// When its first byte was read: nanoseconds of the monotonic clock (`CLOCK_MONOTONIC`); nil when it was made in
    /// this process.
    public var arrival: UInt64?

    /// The version of HTTP that it came by.
    public var version: HTTPVersion

    /// Makes a request.
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

    /// Makes a request whose content is nobody's secret.
    public init(
        head: HTTPRequest, body: [UInt8] = [], peer: Peer? = nil, arrival: UInt64? = nil,
        version: HTTPVersion = .http11
    ) {
        self.init(head: head, content: WipedBuffer(body), peer: peer, arrival: arrival, version: version)
    }

    /// Whether the content is coded otherwise than as it is (RFC 9110 §8.4).
    package var hasForeignContentCoding: Bool {
        guard !content.isEmpty else { return false }
        return head.headerFields[values: .contentEncoding].contains { value in
            value.split(separator: ",").contains { coding in
                let coding = coding.filter { $0 != " " && $0 != "\t" }.lowercased()
                return !coding.isEmpty && coding != "identity"
            }
        }
    }

    /// The content. The copy is never wiped: for card data use ``content``.
    public var body: [UInt8] {
        get { content.withUnsafeBytes { Array($0) } }
        set { content = WipedBuffer(newValue) }
    }

    /// The values of a field that authenticates the client, one for each field line, wherever they are held.
    public func credentials(_ name: HTTPField.Name) -> [WipedBuffer] {
        credentials[name] + head.headerFields[values: name].map { WipedBuffer(Array($0.utf8)) }
    }
}

/// The versions of HTTP that a client may speak.
public enum HTTPVersion: String, Sendable {
    /// RFC 1945, as RFC 9112 takes it in.
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
    /// Whether the address is of 127.0.0.0/8 or is ::1.
    public var isLoopback: Bool
    /// The certificate by which the peer proved who it is when the connection was made (mutual TLS); nil without one.
    public var certificate: ClientCertificate?

    /// What counts as one client: the address, or of IPv6 its first 64 bits, within which a host chooses its own.
    public var network: String {
        var bytes = in6_addr()
        guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ".") + "/64" }
    }

    /// Makes the description of a peer.
    public init(address: String, isLoopback: Bool, certificate: ClientCertificate? = nil) {
        self.address = address
        self.isLoopback = isLoopback
        self.certificate = certificate
    }
}

/// A certificate whose private key a peer has shown to hold, of a chain that the server accepts.
///
/// Only what terminates TLS makes one; nothing of a request's content or fields ever does.
public struct ClientCertificate: Sendable, Hashable {
    /// The SHA-256 of the certificate's DER, 32 bytes.
    public let fingerprint: [UInt8]
    /// The certificate in DER.
    public let der: [UInt8]
    /// Until when it is valid: seconds since 1970-01-01 00:00:00 UTC.
    public let notAfterSecondsSinceEpoch: Int64

    /// Describes a certificate that was verified.
    public init(
        verifiedFingerprint fingerprint: [UInt8], der: [UInt8] = [], notAfterSecondsSinceEpoch: Int64 = .max
    ) {
        precondition(fingerprint.count == 32, "a SHA-256 has 32 bytes")
        self.fingerprint = fingerprint
        self.der = der
        self.notAfterSecondsSinceEpoch = notAfterSecondsSinceEpoch
    }
}
