import HTTP
import HTTPTypes
import Synchronization

/// What every connection of one server shares.
final class ServerContext: Sendable {
    let configuration: HTTPServerConfiguration
    let timeouts: Timeouts
    let handler: Handler
    let refusalResponse: RefusalResponse
    /// Seconds since 1970-01-01 00:00:00 UTC.
    let clock: @Sendable () -> Int64
    let connections: ConnectionCounts
    let counters = ServerCounters()
    /// Bytes of requests that no handler has been given.
    private let heldBytes = Atomic<Int>(0)

    init(
        configuration: HTTPServerConfiguration, handler: @escaping Handler,
        refusalResponse: @escaping RefusalResponse, clock: @escaping @Sendable () -> Int64
    ) {
        self.configuration = configuration
        self.handler = handler
        self.refusalResponse = refusalResponse
        self.clock = clock
        timeouts = Timeouts(configuration)
        connections = ConnectionCounts(
            connectionsMax: configuration.connectionsMax, perNetworkMax: configuration.connectionsPerAddressMax)
    }

    /// Whether so many requests are in flight that no more are accepted.
    var isOverloaded: Bool { counters.requestsInFlight.load(ordering: .relaxed) >= configuration.requestsMax }

    /// Counts what a connection holds.
    ///
    /// - Returns: whether all connections together hold no more than they may.
    func hold(_ bytes: Int, insteadOf before: Int) -> Bool {
        heldBytes.add(bytes - before, ordering: .relaxed).newValue <= configuration.heldBytesMax
    }

    /// By which clients' certificates end.
    func certificateSeconds() -> Int64 { (configuration.certificateClock ?? clock)() }

    /// The response to a request that is not begun (RFC 9110 §15.6.4).
    func overloadResponse(to path: String?) -> Response {
        var response = refusalResponse(.serviceUnavailable, path)
        response.head.headerFields[.retryAfter] = String(configuration.retryAfterSeconds)
        return response
    }
}
