import ControlAPI
import Glibc
import HTTP
import HTTPServer
import MerchantAPI
import OperationsAPI
import RadialAPI
internal import Values

/// The listeners of a gateway.
struct Listeners {
    /// The HTTP server of the merchants' APIs.
    private let merchants: HTTPServer
    /// The address of the merchants' APIs.
    let address: BoundAddress
    private let scheme: String
    /// The separate listener of the control API, if there is one.
    let control: SandboxControl.Listener?
    /// The listener for probes and scrapers.
    let operations: OperationsListener
    private let readyPath: String

    /// Starts listening. The operations listener comes last, since it reports readiness.
    ///
    /// - Parameter sockets: sockets that already listen. They replace the addresses in the settings.
    init(_ wiring: Wiring, inheriting sockets: ServiceSockets) throws {
        let settings = wiring.settings
        merchants = Self.merchants(wiring)
        address =
            sockets.merchants.isEmpty
            ? try Self.start(merchants, settings)
            : try merchants.start(inheriting: sockets.merchants, named: "tollgate")
        scheme = wiring.tls == nil ? "http" : "https"
        wiring.operations.servers.add("merchants", merchants)
        control = try wiring.control.start(
            wiring.controlled, host: settings.host, merchantPort: address.port, tls: wiring.tls,
            inheriting: sockets.control)
        if let control { wiring.operations.servers.add("control", control.server) }
        operations = try OperationsListener(
            wiring.operations, settings.operations, inheriting: sockets.operations)
        readyPath = wiring.directory.readyPath
        // A full disk must not stop a gateway that can still read its orders.
        do { try readyFile(wiring).write(to: wiring.directory) } catch {
            StandardError.writeLine("\(ReadyFile.name): not written for tollgate ready: \(error)")
        }
    }

    /// The URL of the merchants' APIs for a person on this machine, without a path.
    var url: String { "\(scheme)://\(address.destination)" }

    /// The URL of the control API for a person on this machine; nil if there is none.
    func controlURL(_ wiring: Wiring) -> String? {
        wiring.control.address(merchants: address, control).map { "\(scheme)://\($0.destination)/_tollgate/" }
    }

    private func readyFile(_ wiring: Wiring) -> ReadyFile {
        let control = wiring.control.address(merchants: address, control)?.reachable
        return ReadyFile(
            url: "\(scheme)://\(address.reachable)", controlURL: control.map { "\(scheme)://\($0)/_tollgate/" },
            operationsURL: "http://\(operations.address.reachable)", instance: wiring.operations.instance,
            merchant: wiring.installation.sandboxPassword.map { _ in SandboxFiles.merchantName })
    }

    private static func merchants(_ wiring: Wiring) -> HTTPServer {
        var limits = HTTPServerConfiguration()
        limits.connectionsMax = DescriptorLimit.connectionsMax(wanted: wiring.settings.connectionsMax)
        limits.connectionsPerAddressMax = wiring.settings.connectionsPerAddressMax
        if let tls = wiring.tls { limits.tls = { tls.context } }
        let (clock, observed) = (wiring.clock, wiring.operations.observed)
        limits.certificateClock = { SystemClock.now().secondsSinceEpoch }
        let report = UnexpectedTLSReport(
            now: SystemClock.monotonicNanoseconds, report: { StandardError.offerLine($0) })
        limits.reportUnexpectedTLS = { report.note($0.address) }
        let handler = wiring.control.handler(
            around: wiring.answer, wiring.controlled,
            hasOwnMerchants: { [reload = wiring.reload] in reload.hasOwnMerchants })
        return HTTPServer(
            configuration: limits,
            refusalResponse: wiring.operations.metrics.requests.counting { status, path in
                path.map(RadialAPI.isAddressed(by:)) == true
                    ? RadialAPI.refusalResponse(status, at: clock.now()) : MerchantAPI.refusalResponse(status, path)
            },
            clock: { clock.now().secondsSinceEpoch }, handler: { observed.answer($0, by: handler) })
    }

    private static func start(_ server: HTTPServer, _ settings: ServeSettings) throws -> BoundAddress {
        do { return try server.start(host: settings.host, port: settings.port) } catch {
            throw Failure(
                "\(BoundAddress(host: settings.host, port: settings.port)): "
                    + error.explanation(hostOption: "--host", portOption: "--port"))
        }
    }

    /// Stops listening, and returns once the requests in flight have finished. Until then, readiness probes get the
    /// answer that the gateway isn't ready.
    ///
    /// - Parameter seconds: the maximum time; requests still in flight are then cut off.
    func stop(withinSeconds seconds: Int) async {
        async let controlCutCount = control?.server.stop(withinSeconds: Double(seconds)) ?? 0
        let cutCount = await merchants.stop(withinSeconds: Double(seconds)) + (await controlCutCount)
        if cutCount > 0 {
            StandardError.offerLine(
                "\(cutCount) connection\(cutCount == 1 ? "" : "s") with requests in flight after \(seconds) s: cut")
        }
        unlink(readyPath)
        await operations.stop()
    }
}

extension HTTPServer {
    /// Starts listening on sockets that a service manager opened.
    ///
    /// - Parameter name: the manager's name for the sockets.
    /// - Returns: the address of the first socket.
    func start(inheriting sockets: [CInt], named name: String) throws -> BoundAddress {
        var address: BoundAddress?
        for socket in sockets {
            do {
                let bound = try start(inheriting: socket)
                address = address ?? bound
            } catch {
                throw Failure(
                    "LISTEN_FDS: the sockets for \(name): \(error.explanation(hostOption: "", portOption: ""))")
            }
        }
        guard let address else { preconditionFailure("there is at least one socket") }
        return address
    }
}

extension HTTPServerError {
    /// The reason why the gateway can't listen, as text.
    func explanation(hostOption: String, portOption: String) -> String {
        switch self {
        case .unknownHost: "no such address or name; see \(hostOption)"
        case .systemCall(let call, let number):
            "can't listen there: \(String(cString: strerror(number))) (\(call)); see \(hostOption) and \(portOption)"
        case .notListening(let descriptor): "descriptor \(descriptor) is no TCP socket that listens"
        case .stopped: "stopped before it could listen"
        }
    }
}
