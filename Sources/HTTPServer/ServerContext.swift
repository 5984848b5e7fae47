import HTTP
import HTTPTypes
import Synchronization

/// The state that all connections of one server share.
final class ServerContext: Sendable {
    let configuration: HTTPServerConfiguration
    let timeouts: Timeouts
    let handler: Handler
    let refusalResponse: RefusalResponse
    /// Returns seconds since 1970-01-01 00:00:00 UTC.
    let clock: @Sendable () -> Int64
    let connections: ConnectionCounts
    let counters = ServerCounters()
    /// The number of bytes of requests that have not been passed to a handler.
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

    /// Whether the maximum number of requests is in flight.
    var isOverloaded: Bool { counters.requestsInFlight.load(ordering: .relaxed) >= configuration.requestsMax }

    /// Updates the total of held bytes by the change on one connection.
    ///
    /// - Returns: whether the total is within its limit.
    func hold(_ bytes: Int, insteadOf before: Int) -> Bool {
        heldBytes.add(bytes - before, ordering: .relaxed).newValue <= configuration.heldBytesMax
    }

    /// The time for the expiry of client certificates, in seconds since 1970-01-01 00:00:00 UTC.
    func certificateSeconds() -> Int64 { (configuration.certificateClock ?? clock)() }

    /// The response to a request that is refused because of overload (RFC 9110 §15.6.4).
    func overloadResponse(to path: String?) -> Response {
        var response = refusalResponse(.serviceUnavailable, path)
        response.head.headerFields[.retryAfter] = String(configuration.retryAfterSeconds)
        return response
    }
}
