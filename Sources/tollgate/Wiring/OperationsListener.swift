import Glibc
import HTTPServer
import OperationsAPI
internal import Values

/// The listener for probes and scrapers.
struct OperationsListener {
    /// The default port. If it is in use, the system chooses a free one.
    static let defaultPort: UInt16 = 9464

    private let server: HTTPServer
    /// The address on which it listens.
    let address: BoundAddress

    /// Starts listening.
    ///
    /// - Parameter sockets: descriptors that already listen, in place of an address.
    init(_ operations: Operations, _ settings: OperationsSettings, inheriting sockets: [CInt]) throws {
        var limits = HTTPServerConfiguration()
        limits.eventLoopCount = 1
        limits.connectionsMax = 100
        let api = operations.api
        server = HTTPServer(
            configuration: limits, refusalResponse: OperationsAPI.refusalResponse,
            clock: { SystemClock.now().secondsSinceEpoch }, handler: { api.answer($0) })
        address =
            sockets.isEmpty
            ? try Self.start(server, settings)
            : try server.start(inheriting: sockets, named: "operations")
        operations.servers.add("operations", server)
    }

    private static func start(_ server: HTTPServer, _ settings: OperationsSettings) throws -> BoundAddress {
        let port = settings.port ?? defaultPort
        do throws(HTTPServerError) {
            return try server.start(host: settings.host, port: port)
        } catch {
            let failure = Failure(
                "\(BoundAddress(host: settings.host, port: port)): "
                    + error.explanation(hostOption: "--operations-host", portOption: "--operations-port"))
            guard settings.port == nil, case .systemCall(_, EADDRINUSE) = error else { throw failure }
            do { return try server.start(host: settings.host, port: 0) } catch { throw failure }
        }
    }

    /// Stops listening.
    func stop() async {
        await server.stop(withinSeconds: 0)
    }
}

extension BoundAddress {
    /// The address at which this machine reaches the listener: loopback in place of a wildcard address.
    var reachable: BoundAddress {
        switch host {
        case "0.0.0.0": BoundAddress(host: "127.0.0.1", port: port)
        case "::": BoundAddress(host: "::1", port: port)
        default: self
        }
    }

    /// Whether it stands for all addresses, and is no destination.
    var isWildcard: Bool { ["0.0.0.0", "::"].contains(host) }

    /// Whether only clients on this machine reach it.
    var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// The authority of a URL for a person on this machine: `localhost`, which certificates name, in place of a wildcard
    /// address.
    var destination: String { isWildcard ? "localhost:\(port)" : description }
}
