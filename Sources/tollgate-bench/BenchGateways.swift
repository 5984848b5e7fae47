import ArgumentParser

/// The protocol between a client and a gateway: HTTP/1.1 or HTTP/2, with or without TLS.
enum Wire: String, CaseIterable, ExpressibleByArgument {
    case http1 = "http1"
    case http2 = "http2"
    case http1TLS = "http1-tls"
    case http2TLS = "http2-tls"

    var isHTTP2: Bool { self == .http2 || self == .http2TLS }
    var hasTLS: Bool { self == .http1TLS || self == .http2TLS }

    /// The protocol's name.
    var name: String { (isHTTP2 ? "HTTP/2" : "HTTP/1.1") + (hasTLS ? " TLS" : "") }
}

/// A gateway without TLS and, on request, another one with TLS, each on its own folders.
final class BenchGateways {
    /// A gateway with its installation and process.
    final class Gateway {
        let installation: BenchInstallation
        private(set) var process: GatewayProcess
        private let start: () throws -> GatewayProcess

        fileprivate init(_ installation: BenchInstallation, _ start: @escaping () throws -> GatewayProcess) throws {
            self.installation = installation
            self.start = start
            process = try start()
        }

        deinit { installation.remove() }

        /// Starts the gateway again on the same folders. The previous process must have ended.
        func restart() throws -> GatewayProcess {
            process = try start()
            return process
        }
    }

    let plain: Gateway
    private let secure: Gateway?
    private let identity: BenchIdentity?
    private let streams: Int

    /// Starts the gateways.
    ///
    /// - Parameters:
    ///   - options: further options of `tollgate serve`.
    ///   - streams: the number of requests in flight on each HTTP/2 connection.
    init(program: String, options: [String], hasTLS: Bool, streams: Int) throws {
        self.streams = streams
        plain = try Self.start(program, options) { _ in [] }
        guard hasTLS else {
            secure = nil
            identity = nil
            return
        }
        var made: BenchIdentity?
        secure = try Self.start(program, options) { installation in
            let identity = try BenchIdentity(folder: installation.configurationPath)
            made = identity
            return ["--tls-certificate", identity.certificatePath, "--tls-key", identity.keyPath]
        }
        identity = made
    }

    private static func start(
        _ program: String, _ options: [String], _ ownOptions: (BenchInstallation) throws -> [String]
    ) throws -> Gateway {
        let installation = try BenchInstallation()
        do {
            let options = try ownOptions(installation) + options
            return try Gateway(installation) {
                try GatewayProcess(program: program, installation, options: options)
            }
        } catch {
            installation.remove()
            throw error
        }
    }

    /// All gateways.
    var all: [Gateway] { [plain] + (secure.map { [$0] } ?? []) }

    /// The gateway for this protocol, with or without TLS.
    func gateway(_ wire: Wire) -> Gateway {
        guard wire.hasTLS else { return plain }
        guard let secure else { preconditionFailure("a gateway with TLS was asked for") }
        return secure
    }

    /// The load generator's settings for this protocol.
    func kind(_ wire: Wire) throws -> LoadProtocol {
        let context = wire.hasTLS ? try identity?.context(applicationProtocol: wire.isHTTP2 ? "h2" : "http/1.1") : nil
        return LoadProtocol(isHTTP2: wire.isHTTP2, context: context, streams: wire.isHTTP2 ? streams : 1)
    }

    /// Makes the gateways finish their requests and end.
    func stop() throws { for gateway in all { try gateway.process.stop() } }
}
