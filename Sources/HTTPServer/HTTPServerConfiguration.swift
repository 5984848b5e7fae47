public import HTTP
public import HTTP2
public import OpenSSL

/// The limits and deadlines of an ``HTTPServer``. Times are measured on the monotonic clock and checked at least four
/// times per second.
///
/// With the default deadlines, a connection on which any single activity is slow (handshake, header section, content,
/// or receiving output) lasts less than 30 s.
public struct HTTPServerConfiguration: Sendable {
    /// The number of event loops, each a serial queue; 0 for one per core. Default 0.
    public var eventLoopCount = 0

    // MARK: How many

    /// The maximum number of connections served at once. Further connections are answered with 503 and `Retry-After`
    /// and closed; with TLS, closed without a response. Default 16,384.
    public var connectionsMax = 16_384
    /// The maximum number of connections served at once from one IPv4 address or IPv6 /64, except loopback. Further
    /// connections are treated as for ``connectionsMax``. Default 1,024.
    public var connectionsPerAddressMax = 1_024
    /// The maximum number of requests in flight at once, on all connections. Beyond it, every further request is
    /// answered with 503 and `Retry-After`, and its connection stays open. The limit may be exceeded by one request per
    /// event loop. Default 4,096.
    public var requestsMax = 4_096
    /// The maximum number of bytes of requests that have not been passed to a handler, on all connections. The
    /// connection that exceeds it is answered with 503 and `Retry-After` and closed; an HTTP/2 connection is closed
    /// with `ENHANCE_YOUR_CALM`. A connection with less than 16 KiB is not counted. Default 16 MiB.
    public var heldBytesMax = 16 * 1024 * 1024
    /// The maximum number of connections that wait in the kernel to be accepted (`listen(2)`). Default 1,024.
    public var backlogMax: Int32 = 1024
    /// The value of `Retry-After` in case of overload, in seconds. Default 1.
    public var retryAfterSeconds = 1

    // MARK: How long

    /// The maximum time for the TLS handshake, from the connection's acceptance, in seconds. Default 10.
    public var handshakeTimeoutSeconds = 10.0
    /// The maximum time for a whole header section, in seconds: from its first byte, or on a new connection from its
    /// acceptance or the end of its handshake. Default 10.
    public var headerTimeoutSeconds = 10.0
    /// The maximum time for the whole content of a request, from the end of its header section, in seconds. Default 20.
    public var bodyTimeoutSeconds = 20.0
    /// The maximum time without a byte of expected content, in seconds. Default 10.
    public var bodyStallTimeoutSeconds = 10.0
    /// The maximum time for a whole request, in seconds: from its first byte, or on a new connection from its
    /// acceptance. Default 25.
    public var requestTimeoutSeconds = 25.0
    /// The maximum time that a connection stays open between requests, in seconds. Default 60.
    public var idleTimeoutSeconds = 60.0
    /// The time in which a client must receive output, in seconds, starting when some of it can't be sent. Then the
    /// connection is reset; otherwise the kernel would continue to send as long as the client reads a byte now and
    /// then. Default 20.
    public var writeTimeoutSeconds = 20.0
    /// The time for which the server still reads from a connection that it closes, in seconds, so that a client which
    /// is still sending can read its response (RFC 9112 §9.6). Default 1.
    public var lingerTimeoutSeconds = 1.0
    /// The time for which idle connections stay open when the server stops, in seconds. A request that arrives in this
    /// time is answered with `Connection: close`. Default 0.1.
    public var stopGraceSeconds = 0.1

    // MARK: What

    /// The limits on one HTTP/1.1 request.
    public var limits = HTTP1Limits()
    /// The limits and deadlines of one HTTP/2 connection.
    public var http2Limits = HTTP2Limits()
    /// Returns the TLS context; nil for unencrypted connections. Called for each accepted connection, so that a new
    /// context applies to the next connection. The context's application protocols select HTTP/2 (`h2`) or HTTP/1.1.
    public var tls: (@Sendable () -> TLSContext)?
    /// Returns seconds since 1970-01-01 00:00:00 UTC, for the expiry of client certificates; nil to use the server's
    /// clock.
    public var certificateClock: (@Sendable () -> Int64)?
    /// Called for each client that uses TLS on an unencrypted port, on any event loop.
    public var reportUnexpectedTLS: (@Sendable (Peer) -> Void)?

    /// Creates the default configuration.
    public init() {}
}
