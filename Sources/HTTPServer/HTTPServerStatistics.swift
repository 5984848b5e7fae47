import Synchronization

/// What a server has done since it was made, and what it is doing.
public struct HTTPServerStatistics: Sendable, Hashable {
    /// Connections that are served now.
    public var connectionsOpen: Int
    /// Connections that were accepted to be served.
    public var connectionsAccepted: UInt64
    /// Connections over the limit: answered with 503, or just closed.
    public var connectionsRefused: UInt64
    /// Failed TLS handshakes: refused by either side, aborted, or too slow.
    public var handshakesFailed: UInt64
    /// Connections that turned out to speak HTTP/2.
    public var http2Connections: UInt64
    /// Requests that came on streams of HTTP/2.
    public var streams: UInt64
    /// Requests that are waiting for their answers now.
    public var requestsInFlight: Int
    /// Requests that were answered 503 because too many were in flight.
    public var requestsRefused: UInt64
}

/// The counters behind ``HTTPServerStatistics``. Each is of its own: together they are no instant's picture.
final class ServerCounters: Sendable {
    let connectionsAccepted = Atomic<UInt64>(0)
    let connectionsRefused = Atomic<UInt64>(0)
    let handshakesFailed = Atomic<UInt64>(0)
    let http2Connections = Atomic<UInt64>(0)
    let streams = Atomic<UInt64>(0)
    let requestsInFlight = Atomic<Int>(0)
    let requestsRefused = Atomic<UInt64>(0)

    func snapshot(connectionsOpen: Int) -> HTTPServerStatistics {
        HTTPServerStatistics(
            connectionsOpen: connectionsOpen,
            connectionsAccepted: connectionsAccepted.load(ordering: .relaxed),
            connectionsRefused: connectionsRefused.load(ordering: .relaxed),
            handshakesFailed: handshakesFailed.load(ordering: .relaxed),
            http2Connections: http2Connections.load(ordering: .relaxed),
            streams: streams.load(ordering: .relaxed),
            requestsInFlight: requestsInFlight.load(ordering: .relaxed),
            requestsRefused: requestsRefused.load(ordering: .relaxed))
    }
}

extension Atomic where Value == UInt64 {
    /// Counts one more; no other memory depends on it.
    func count() { add(1, ordering: .relaxed) }
}
