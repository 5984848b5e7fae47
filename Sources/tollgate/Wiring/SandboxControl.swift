import Access
import ApplePaySandbox
import ControlAPI
import Glibc
import HTTP
import HTTPServer
import MerchantAPI
import Payments
import Values

/// The control API of a gateway: on the merchants' port for clients on this machine only, on a separate listener, or off.
///
/// It is on the merchants' port only if the sandbox merchant is the gateway's only merchant. With other merchants there
/// may be a proxy in front of the gateway, and a proxy on this machine that adds no header field looks like a local
/// client.
struct SandboxControl {
    /// The environment variable with the bearer token.
    static let tokenVariable = "TOLLGATE_CONTROL_TOKEN"
    private static let tokenByteCountMin = 16

    /// The reason why the control API is not on the merchants' port, and how to enable it.
    static let ownPortReason =
        "off: with merchants of your own it needs a port of its own, with a bearer token: name --control-port "
        + "(controlPort, TOLLGATE_CONTROL_PORT) and --control-token-file (controlTokenFile, TOLLGATE_CONTROL_TOKEN_FILE)"

    private enum Place {
        case nowhere
        case merchantPort
        case ownPort(UInt16, token: PresentedPassword)
    }

    /// The source of the gateway's numbers and identifiers.
    let references = ReferenceGenerator()
    /// The reports of refused tokens.
    let reports = ReportArchive()
    private let outcomes = OutcomeRegister()
    private let requests = RequestLog()
    private let place: Place
    /// The origins whose pages may use the control API.
    private let origins: ControlOrigins

    /// Reads the settings.
    ///
    /// - Parameter isPureSandbox: whether the sandbox merchant is the only one.
    init(_ settings: ServeSettings, isPureSandbox: Bool) throws {
        origins = ControlOrigins(settings.corsOrigins)
        if let port = settings.controlPort {
            place = .ownPort(port, token: try Self.token(settings.controlTokenPath))
        } else {
            place = isPureSandbox ? .merchantPort : .nowhere
        }
    }

    private static func token(_ path: String?) throws -> PresentedPassword {
        let token: SecretText
        if let path {
            let line = try File.readSecret(path, byteCountMax: 4096).withUnsafeBytes { bytes in
                SecretText(
                    utf8: UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 13 }))
            }
            token = line
        } else {
            token = SecretText(getenv(tokenVariable).map { String(cString: $0) } ?? "")
        }
        guard token.utf8Count >= tokenByteCountMin else {
            throw Failure(
                "\(path ?? tokenVariable): the control port wants a bearer token of \(tokenByteCountMin) characters at "
                    + "least; name a file with --control-token-file, or set \(tokenVariable)")
        }
        return PresentedPassword(token)
    }

    /// The acquirer; outcomes can be scripted if there is a control API.
    func acquirer(_ acquirer: any SteerableAcquirer) -> any Acquirer {
        if case .nowhere = place { acquirer } else { ScriptedAcquirer(acquirer, outcomes: outcomes) }
    }

    /// The parts of the gateway that the control API controls.
    func controlled(
        store: any PaymentStore, clock: SettableClock, acquirer: any SteerableAcquirer, sandbox: Sandbox?,
        openAPI: ConfigurationFile?, merchants: MerchantDirectory
    ) -> ControlledGateway {
        ControlledGateway(
            store: store, merchants: merchants, sandbox: sandbox, clock: clock, references: references,
            reports: reports,
            requests: requests, outcomes: outcomes, acquirer: acquirer,
            openAPI: { try? openAPI?.content(byteCountMax: 1 << 22) })
    }

    /// The handler of the merchants' port, which wraps the merchants' APIs.
    ///
    /// - Parameter hasOwnMerchants: whether there are currently merchants other than the sandbox's. A reload may add
    ///   some.
    func handler(
        around api: @escaping @Sendable (Request, RequestTrace) -> Answer, _ gateway: ControlledGateway,
        hasOwnMerchants: @escaping @Sendable () -> Bool
    ) -> @Sendable (Request, RequestTrace) -> Answer {
        let clock = gateway.clock
        let merchants = ControlledHandler(
            requests: requests, showing: KnownMembers(paths: MerchantAPI.fieldPaths), now: { clock.now() })
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
                    "LISTEN_FDS: a socket for control is there, which wants --control-port and a bearer token")
            }
            return nil
        }
        let control = ControlAPI(gateway, access: .bearer(token), origins: origins, merchantPort: merchantPort)
        var limits = HTTPServerConfiguration()
        limits.eventLoopCount = 1
        limits.connectionsMax = 100
        if let tls { limits.tls = { tls.context } }
        let clock = gateway.clock
        let server = HTTPServer(
            configuration: limits, refusalResponse: ControlAPI.refusalResponse,
            clock: { clock.now().secondsSinceEpoch }, handler: { control.answerOrRefuse($0) })
        let scheme = tls == nil ? "http" : "https"
        guard sockets.isEmpty else {
            let address = try server.start(inheriting: sockets, named: "control")
            return Listener(server: server, url: "\(scheme)://\(address)")
        }
        do {
            return Listener(server: server, url: "\(scheme)://\(try server.start(host: host, port: port))")
        } catch {
            let explanation = error.explanation(hostOption: "--host", portOption: "--control-port")
            throw Failure("\(BoundAddress(host: host, port: port)): \(explanation)")
        }
    }

    /// A listener for the control API only.
    struct Listener {
        let server: HTTPServer
        /// The listener's URL, without a path.
        let url: String
    }

    /// The URL of the control API, or the reason why it is off, as text.
    ///
    /// - Parameter merchantURL: the URL of the merchants' APIs, without a path.
    func summary(merchantURL: String, _ listener: Listener?) -> String {
        guard let url = url(merchantURL: merchantURL, listener) else { return Self.ownPortReason }
        return "\(url)/_tollgate/ \(listener == nil ? "from this machine only" : "with the bearer token")"
    }

    /// The URL of the listener that serves the control API, without a path; nil if there is none.
    func url(merchantURL: String, _ listener: Listener?) -> String? {
        if let listener { return listener.url }
        guard case .merchantPort = place else { return nil }
        return merchantURL
    }
}

extension SandboxFiles {
    /// The sandbox, as the control API needs it.
    func controlled(password: SandboxPassword) throws -> Sandbox {
        guard let merchant = try? MerchantID(Self.merchantName) else { preconditionFailure("an identifier of our own") }
        return Sandbox(
            authority: authority, merchant: merchant, password: password.text,
            merchantIdentifier: Self.merchantIdentifier, certificate: try certificatePEM())
    }
}
