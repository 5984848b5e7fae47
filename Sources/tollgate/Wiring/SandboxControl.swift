import Access
import ApplePaySandbox
import ControlAPI
import Glibc
import HTTP
import HTTPServer
import MerchantAPI
import Payments
import RadialAPI
import Values

/// The control API of a gateway: on the merchants' port for clients on this machine only, on a separate listener, or off.
///
/// It is on the merchants' port only if the sandbox merchant is the gateway's only merchant. With other merchants there
/// may be a proxy in front of the gateway, and a proxy on this machine that adds no header field looks like a local
/// client.
struct SandboxControl {
    /// Why the control API is not on the merchants' port, and how to enable it.
    static let ownPortReason =
        "off: with merchants of your own it needs a port of its own, with a bearer token: name --control-port "
        + "(controlPort, TOLLGATE_CONTROL_PORT)"

    private enum Place {
        case nowhere
        case merchantPort
        case ownPort(UInt16, token: ControlToken)
    }

    /// The source of the gateway's numbers and identifiers.
    let references = ReferenceGenerator()
    /// The reports of refused tokens.
    let reports = ReportArchive()
    private let outcomes = OutcomeRegister()
    private let events = EventLog()
    private let requests: RequestLog
    private let place: Place
    /// The origins whose pages may use the control API.
    private let origins: ControlOrigins

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - directory: keeps the control port's bearer token, unless the settings or the environment have one.
    ///   - isPureSandbox: whether the sandbox merchant is the only one.
    init(_ settings: ServeSettings, _ directory: DataDirectory, isPureSandbox: Bool) throws {
        origins = ControlOrigins(settings.corsOrigins)
        requests = RequestLog(events: events)
        if let port = settings.controlPort {
            place = .ownPort(port, token: try ControlToken(path: settings.controlTokenPath, in: directory))
        } else {
            place = isPureSandbox ? .merchantPort : .nowhere
        }
    }

    /// The acquirer, scriptable if there is a control API.
    func acquirer(_ acquirer: any SteerableAcquirer) -> any Acquirer {
        if case .nowhere = place { acquirer } else { ScriptedAcquirer(acquirer, outcomes: outcomes) }
    }

    /// The parts of the gateway that the control API controls.
    func controlled(
        store: any PaymentStore & OrderListing, merchantReset: MerchantReset, api: MerchantAPI, clock: SettableClock,
        acquirer: any SteerableAcquirer, sandbox: Sandbox?, openAPI: ConfigurationFile?, merchants: MerchantDirectory
    ) -> ControlledGateway {
        let (api, handler) = (api.forOperator, merchantHandler(clock))
        let operations = MerchantOperations(
            retrieve: { api.answer(api.request(for: $0)) },
            perform: { key, transaction, content, peer in
                let request = api.request(for: key, transaction: (transaction, content), peer: peer)
                return handler.answer(request, tracing: RequestTrace(), isOperators: true, by: api.answer)
            })
        return ControlledGateway(
            store: store, merchantReset: merchantReset, operations: operations, merchants: merchants, sandbox: sandbox,
            clock: clock, references: references, reports: reports, requests: requests, events: events,
            outcomes: outcomes, acquirer: acquirer, isRadialStore: { $0.radial != nil },
            openAPI: { try? openAPI?.content(byteCountMax: 1 << 22) })
    }

    private func merchantHandler(_ clock: SettableClock) -> ControlledHandler {
        ControlledHandler(
            requests: requests, events: events, showing: KnownMembers(paths: MerchantAPI.fieldPaths),
            now: { clock.now() })
    }

    /// The handler of the merchants' port, which wraps the merchants' APIs.
    ///
    /// - Parameter hasOwnMerchants: whether there are currently merchants other than the sandbox's. A reload may add
    ///   some.
    func handler(
        around api: @escaping @Sendable (Request, RequestTrace) -> Answer, _ gateway: ControlledGateway,
        hasOwnMerchants: @escaping @Sendable () -> Bool
    ) -> @Sendable (Request, RequestTrace) -> Answer {
        let merchants = merchantHandler(gateway.clock)
        let reason = "Sandbox control is \(Self.ownPortReason)"
        switch place {
        case .nowhere:
            let control = ControlAPI(gateway, access: .loopback, closedReason: { reason })
            return { request, trace in control.answer(request) ?? api(request, trace) }
        case .ownPort:
            return { request, trace in merchants.answer(request, tracing: trace, by: api) }
        case .merchantPort:
            let control = ControlAPI(
                gateway, access: .loopback, origins: origins, closedReason: { hasOwnMerchants() ? reason : nil })
            return { request, trace in
                control.answer(request) ?? merchants.answer(request, tracing: trace, by: api)
            }
        }
    }

    /// Starts the separate listener of the control API, if the settings have one.
    ///
    /// Its requests contain a bearer token, so the rules of the merchants' listener apply: the same TLS settings, and
    /// plaintext only on loopback unless it is allowed elsewhere.
    ///
    /// - Parameter sockets: descriptors that already listen, in place of an address.
    func start(
        _ gateway: ControlledGateway, host: String, merchantPort: UInt16, tls: CurrentTLS?,
        inheriting sockets: [CInt]
    ) throws -> Listener? {
        guard case .ownPort(let port, let token) = place else {
            guard sockets.isEmpty else {
                throw Failure(
                    "LISTEN_FDS: a socket for control was passed, which requires --control-port (controlPort)")
            }
            return nil
        }
        let control = ControlAPI(gateway, access: .bearer(token.password), origins: origins, merchantPort: merchantPort)
        var limits = HTTPServerConfiguration()
        limits.eventLoopCount = 1
        limits.connectionsMax = 100
        if let tls { limits.tls = { tls.context } }
        let clock = gateway.clock
        let server = HTTPServer(
            configuration: limits, refusalResponse: ControlAPI.refusalResponse,
            clock: { clock.now().secondsSinceEpoch }, handler: { control.answerOrRefuse($0) })
        guard sockets.isEmpty else {
            return Listener(server: server, address: try server.start(inheriting: sockets, named: "control"))
        }
        do {
            return Listener(server: server, address: try server.start(host: host, port: port))
        } catch {
            let explanation = error.explanation(hostOption: "--host", portOption: "--control-port")
            throw Failure("\(BoundAddress(host: host, port: port)): \(explanation)")
        }
    }

    /// A listener for the control API only.
    struct Listener {
        let server: HTTPServer
        /// The address that it listens on.
        let address: BoundAddress
    }

    /// The address of the listener that has the control API; nil if there is none.
    ///
    /// - Parameter merchants: the address of the merchants' APIs.
    func address(merchants: BoundAddress, _ listener: Listener?) -> BoundAddress? {
        if let listener { return listener.address }
        guard case .merchantPort = place else { return nil }
        return merchants
    }

    /// Which clients may use the control API, as text after its URL. A command has no-break spaces, so that it stays on one
    /// line of the banner.
    ///
    /// - Parameter container: how a command is run in the gateway's container, if it is in one.
    func clients(_ container: ContainerCommand?) -> String {
        guard case .ownPort(_, let token) = place else {
            return "from \(container == nil ? "this machine" : "inside the container") only"
        }
        guard let path = token.keptPath else { return "with the bearer token" }
        let command = "\(container?.prefix ?? "")cat \(ShellWord.quoted(path))"
        return "with the bearer token; to see it: \(command.replacing(" ", with: "\u{A0}"))"
    }
}

extension SandboxFiles {
    /// The sandbox, as the control API needs it.
    func controlled(password: SandboxPassword) throws -> Sandbox {
        guard let merchant = try? MerchantID(Self.merchantName) else {
            preconditionFailure("a built-in identifier is valid")
        }
        return Sandbox(
            authority: authority, merchant: merchant, password: password.text,
            merchantIdentifier: Self.merchantIdentifier, certificate: try certificatePEM())
    }
}
