public import HTTP

/// Limits and deadlines of an ``HTTPServer``. Seconds are measured on the monotonic clock and checked at least four
/// times a second.
public struct HTTPServerConfiguration: Sendable {
    /// Event loops, each a serial queue; 0: one for each core. Default 0.
    public var eventLoopCount = 0
    /// Connections served at once; those beyond are answered 503 with `Retry-After` and closed. Default 10,000.
    public var connectionsMax = 10_000
    /// Connections that the kernel holds until they are accepted (`listen(2)`). Default 1,024.
    public var backlogMax: Int32 = 1024
    /// Seconds for a whole header section, from its first byte, or on a new connection from its acceptance. Default 10.
    public var headerTimeoutSeconds = 10.0
    /// Seconds for the whole content of a request, from the end of its header section. Default 30.
    public var bodyTimeoutSeconds = 30.0
    /// Seconds that may pass without a byte of content that is still due. Default 10.
    public var bodyStallTimeoutSeconds = 10.0
    /// Seconds that a connection is kept open between requests. Default 60.
    public var idleTimeoutSeconds = 60.0
    /// Seconds in which a client must take all of what it was sent, from when its receive window first fills.
    /// Default 30.
    public var writeTimeoutSeconds = 30.0
    /// Seconds for which a connection that this server closes is still read from, so that a client which is
    /// still sending gets to read its response (RFC 9112 §9.6). Default 1.
    public var lingerTimeoutSeconds = 1.0
    /// Value of `Retry-After`, in seconds, when there are too many connections. Default 1.
    public var retryAfterSeconds = 1
    /// Bounds on one request.
    public var limits = HTTP1Limits()

    /// The defaults.
    public init() {}
}

extension HTTPServerConfiguration {
    /// The shortest of the deadlines, in seconds.
    var shortestTimeoutSeconds: Double {
        [
            headerTimeoutSeconds, bodyTimeoutSeconds, bodyStallTimeoutSeconds, idleTimeoutSeconds, writeTimeoutSeconds,
            lingerTimeoutSeconds,
        ].reduce(.infinity, min)
    }
}
