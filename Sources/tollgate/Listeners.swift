import ApplePay
import ControlAPI
import Glibc
import HTTPServer
import MerchantAPI

/// Where a gateway listens.
struct Listeners {
    /// The merchants' server.
    private let merchants: HTTPServer
    /// Where the merchants' API is.
    let address: BoundAddress
    /// The same as a URL, without a path.
    let url: String
    /// The listener for control alone, if there is one.
    let control: SandboxControl.Listener?

    /// Begins to listen.
    init(_ wiring: Wiring) throws {
        let settings = wiring.settings
        merchants = Self.merchants(wiring)
        do { address = try merchants.start(host: settings.host, port: settings.port) } catch {
            throw Failure("\(BoundAddress(host: settings.host, port: settings.port)): \(error.explanation)")
        }
        url = "\(wiring.tls == nil ? "http" : "https")://\(address)"
        control = try wiring.control.start(
            wiring.controlled, host: settings.host, merchantPort: address.port, tls: wiring.tls)
    }

    private static func merchants(_ wiring: Wiring) -> HTTPServer {
        var limits = HTTPServerConfiguration()
        limits.connectionsMax = DescriptorLimit.connectionsMax(wanted: wiring.settings.connectionsMax)
        limits.connectionsPerAddressMax = wiring.settings.connectionsPerAddressMax
        if let tls = wiring.tls { limits.tls = { tls.context } }
        let (api, clock) = (wiring.api, wiring.clock)
        return HTTPServer(
            configuration: limits, refusalResponse: MerchantAPI.refusalResponse,
            clock: { clock.now().secondsSinceEpoch },
            handler: wiring.control.handler(around: { api.answer($0) }, wiring.controlled))
    }

    /// Listens no more, and returns once the requests under way are finished.
    ///
    /// - Parameter seconds: after so many, what is still under way is cut.
    func stop(withinSeconds seconds: Double) async {
        await control?.server.stop(withinSeconds: 0)
        await merchants.stop(withinSeconds: seconds)
    }
}

extension HTTPServerError {
    /// Why the gateway can't listen, in words.
    var explanation: String {
        switch self {
        case .unknownHost: "no such address or name; see --host"
        case .systemCall(let call, let number):
            "can't listen there: \(String(cString: strerror(number))) (\(call)); see --host and --port"
        case .notListening(let descriptor): "descriptor \(descriptor) is no TCP socket that listens"
        case .stopped: "stopped before it could listen"
        }
    }
}
