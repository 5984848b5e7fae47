import Access
import ApplePaySandbox
import ControlAPI
import Glibc
import HTTP
import HTTPServer
import MerchantAPI
import Payments
import Values

/// Sandbox control as a gateway has it: on the merchants' port for this machine alone, on a listener of its own, or not at
/// all.
///
/// Only a gateway whose one merchant is the sandbox's has it on the merchants' port. Who has merchants of one's own may have a
/// proxy in front of them, and one on this machine that adds no field of its own can't be told from a client here.
struct SandboxControl {
    /// The environment variable that gives the bearer token.
    static let tokenVariable = "TOLLGATE_CONTROL_TOKEN"
    private static let tokenByteCountMin = 16

    /// Why there is none on the merchants' port, and what to do about it.
    static let ownPortReason =
        "off: with merchants of your own it needs a port of its own, with a bearer token: name --control-port "
        + "(controlPort, TOLLGATE_CONTROL_PORT) and --control-token-file (controlTokenFile, TOLLGATE_CONTROL_TOKEN_FILE)"

    private enum Place {
        case nowhere
        case merchantPort
        case ownPort(UInt16, token: PresentedPassword)
    }

    /// Where the gateway's numbers and identifiers come from.
    let references = ReferenceGenerator()
    /// The reports of refused tokens.
    let reports = ReportArchive()
    private let outcomes = OutcomeRegister()
    private let requests = RequestLog()
    private let place: Place

    /// Control as the settings have it.
    ///
    /// - Parameter isPureSandbox: whether the sandbox's merchant is the only one.
    init(_ settings: ServeSettings, isPureSandbox: Bool) throws {
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

    /// The acquirer, with a hand on it if there is control.
    func acquirer(_ acquirer: any SteerableAcquirer) -> any Acquirer {
        if case .nowhere = place { acquirer } else { ScriptedAcquirer(acquirer, outcomes: outcomes) }
    }

    /// What there is to control.
    func controlled(
        store: any PaymentStore, clock: SettableClock, acquirer: any SteerableAcquirer, sandbox: Sandbox?,
        openAPIPath: String?, merchants: MerchantDirectory, metrics: @escaping @Sendable () -> Response
    ) -> ControlledGateway {
        ControlledGateway(
            store: store, merchants: merchants, sandbox: sandbox, clock: clock, references: references,
            reports: reports,
            requests: requests, outcomes: outcomes, acquirer: acquirer,
            openAPI: { openAPIPath.flatMap { try? File.read($0, byteCountMax: 1 << 22) } },
            metrics: metrics)
    }

    /// The handler of the merchants' port around the merchants' APIs.
    ///
    /// - Parameter hasOwnMerchants: whether there are merchants of one's own by now, who may come while the gateway runs.
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
            return { request, trace in merchants.answer(request) { api($0, trace) } }
        case .merchantPort:
            let control = ControlAPI(
                gateway, access: .loopback, closedReason: { hasOwnMerchants() ? reason : nil })
            return { request, trace in
                control.answer(request) ?? merchants.answer(request) { api($0, trace) }
            }
        }
    }

    /// Starts the listener for control alone, if there is to be one.
    ///
    /// It carries a bearer token, so what holds for the merchants' listener holds for it: the same TLS, or plaintext on
    /// loopback alone unless that is allowed.
    ///
    /// - Parameter sockets: descriptors that listen already, in place of an address.
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
        let control = ControlAPI(gateway, access: .bearer(token), merchantPort: merchantPort)
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

    /// A listener for control alone.
    struct Listener {
        let server: HTTPServer
        /// Where it listens.
        let url: String
    }

    /// Where control is, in words, or why it is nowhere.
    ///
    /// - Parameter merchantURL: where the merchants' API is.
    func summary(merchantURL: String, _ listener: Listener?) -> String {
        if let listener { return "\(listener.url)/_tollgate/ with the bearer token" }
        guard case .merchantPort = place else { return Self.ownPortReason }
        return "\(merchantURL)/_tollgate/ from this machine alone"
    }
}

extension SandboxFiles {
    /// The sandbox as it is controlled.
    func controlled(password: SandboxPassword) throws -> Sandbox {
        guard let merchant = try? MerchantID(Self.merchantName) else { preconditionFailure("an identifier of our own") }
        return Sandbox(
            authority: authority, merchant: merchant, password: password.text,
            merchantIdentifier: Self.merchantIdentifier, certificate: try certificatePEM())
    }
}
