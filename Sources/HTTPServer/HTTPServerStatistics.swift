import Synchronization

/// A server's counters since it was created, and its present load.
public struct HTTPServerStatistics: Sendable, Hashable {
    /// Connections that are served now.
    public var connectionsOpen: Int
    /// Connections that were accepted and served.
    public var connectionsAccepted: UInt64
    /// Connections over a limit: answered with 503, or closed without a response.
    public var connectionsRefused: UInt64
    /// Failed TLS handshakes: refused by either side, aborted, or too slow.
    public var handshakesFailed: UInt64
    /// Connections that used HTTP/2.
    public var http2Connections: UInt64
    /// Requests received on HTTP/2 streams.
    public var streams: UInt64
    /// Requests that are waiting for their responses now.
    public var requestsInFlight: Int
    /// Requests that were answered with 503 because of overload.
    public var requestsRefused: UInt64
}

/// The counters for ``HTTPServerStatistics``. They are independent: together they are not a consistent snapshot.
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
    /// Adds one. Relaxed ordering suffices, because no other memory depends on the counter.
    func count() { add(1, ordering: .relaxed) }
}
