public import HTTP
public import HTTP2
public import OpenSSL

/// Limits and deadlines of an ``HTTPServer``. Seconds are measured on the monotonic clock and checked at least four
/// times a second.
///
/// With the default deadlines no connection that is slow in one thing (its handshake, a header section, content, or taking what
/// it is sent) lasts 30 s.
public struct HTTPServerConfiguration: Sendable {
    /// Event loops, each a serial queue; 0: one for each core. Default 0.
    public var eventLoopCount = 0

    // MARK: How many

    /// Connections served at once; those beyond are answered 503 with `Retry-After` and closed, with TLS just closed.
    /// Default 16,384.
    public var connectionsMax = 16_384
    /// Connections served at once from one address, of IPv6 from one /64, loopback apart; those beyond as with
    /// ``connectionsMax``. Default 1,024.
    public var connectionsPerAddressMax = 1_024
    /// Requests that wait for their answers at once, on all connections; while there are so many, every further request
    /// is answered 503 with `Retry-After`, on a connection that goes on. One for each event loop may overshoot.
    /// Default 4,096.
    public var requestsMax = 4_096
    /// Bytes of requests that no handler has been given, on all connections; the connection that goes beyond is answered 503
    /// with `Retry-After` and closed, of HTTP/2 with `ENHANCE_YOUR_CALM`. What is less than 16 KiB on a connection is not
    /// counted. Default 16 MiB.
    public var heldBytesMax = 16 * 1024 * 1024
    /// Connections that the kernel holds until they are accepted (`listen(2)`). Default 1,024.
    public var backlogMax: Int32 = 1024
    /// Value of `Retry-After`, in seconds, where there is too much to do. Default 1.
    public var retryAfterSeconds = 1

    // MARK: How long

    /// Seconds for the TLS handshake, from the connection's acceptance. Default 10.
    public var handshakeTimeoutSeconds = 10.0
    /// Seconds for a whole header section, from its first byte, or on a new connection from its acceptance or the end of
    /// its handshake. Default 10.
    public var headerTimeoutSeconds = 10.0
    /// Seconds for the whole content of a request, from the end of its header section. Default 20.
    public var bodyTimeoutSeconds = 20.0
    /// Seconds that may pass without a byte of content that is still due. Default 10.
    public var bodyStallTimeoutSeconds = 10.0
    /// Seconds for a whole request, from its first byte, or on a new connection from its acceptance. Default 25.
    public var requestTimeoutSeconds = 25.0
    /// Seconds that a connection is kept open between requests. Default 60.
    public var idleTimeoutSeconds = 60.0
    /// Seconds in which a client must take what it was sent, from when it first leaves some of it; then the connection is
    /// reset, as the kernel would go on sending for as long as the client reads a byte now and then. Default 20.
    public var writeTimeoutSeconds = 20.0
    /// Seconds for which a connection that this server closes is still read from, so that a client which is
    /// still sending gets to read its response (RFC 9112 §9.6). Default 1.
    public var lingerTimeoutSeconds = 1.0
    /// Seconds for which, once the server stops, connections between requests stay open: what their clients are sending just
    /// then is answered with `Connection: close`. Default 0.1.
    public var stopGraceSeconds = 0.1

    // MARK: What

    /// Bounds on one request of HTTP/1.1.
    public var limits = HTTP1Limits()
    /// Bounds on one connection of HTTP/2, its deadlines included.
    public var http2Limits = HTTP2Limits()
    /// What a connection speaks TLS with, asked for as each is accepted, so that a new one takes effect with the next;
    /// nil: connections are not encrypted. What it says of application protocols decides between HTTP/2 (`h2`) and HTTP/1.1.
    public var tls: (@Sendable () -> TLSContext)?
    /// Seconds since 1970-01-01 00:00:00 UTC, by which clients' certificates end; nil: by the server's clock.
    public var certificateClock: (@Sendable () -> Int64)?
    /// Called for each client that speaks TLS although connections are not encrypted, on any event loop.
    public var reportUnexpectedTLS: (@Sendable (Peer) -> Void)?

    /// The defaults.
    public init() {}
}
