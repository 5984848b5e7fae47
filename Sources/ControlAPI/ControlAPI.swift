public import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values

/// The sandbox's control API: mints tokens, shows reports and requests, resets the gateway, sets clock and seed, and
/// scripts outcomes. All its paths start with `/_tollgate/`, which no path of the merchants' APIs does.
public struct ControlAPI: Sendable {
    private let access: ControlAccess
    private let origins: ControlOrigins
    let gateway: ControlledGateway
    private let merchantPort: UInt16?
    private let closedReason: @Sendable () -> String?
    private let pause: Pause

    /// Creates an API that controls a gateway.
    ///
    /// - Parameters:
    ///   - origins: the origins whose pages may use the API.
    ///   - merchantPort: the port of the merchants' API; nil if it shares this API's port.
    ///   - closedReason: the reason if the control API is disabled, otherwise nil; returned to clients that would be
    ///     admitted.
    ///   - pause: waits for the time of the next comment in a stream of events.
    public init(
        _ gateway: ControlledGateway, access: ControlAccess, origins: ControlOrigins = ControlOrigins(),
        merchantPort: UInt16? = nil, closedReason: @escaping @Sendable () -> String? = { nil },
        pause: @escaping Pause = ScriptedAcquirer.sleep
    ) {
        self.pause = pause
        self.closedReason = closedReason
        self.access = access
        self.origins = origins
        self.gateway = gateway
        self.merchantPort = merchantPort
    }

    /// Answers one request; nil if it is not for this API, or if this client may not use it.
    public func answer(_ request: Request) -> Answer? {
        guard let path = request.head.path, path.hasPrefix(ControlRoute.prefix) || Self.isForBrowsers(path) else {
            return nil
        }
        let verdict = access.verdict(on: request, origins)
        guard verdict != .hidden else { return nil }
        if closedReason() == nil {
            // Files of the console need no credentials: they hold no data.
            if path == "/" { return .now(root(request)) }
            if let file = ConsoleFiles.response(to: request) { return .now(file) }
        }
        guard path.hasPrefix(ControlRoute.prefix) else { return nil }
        guard let page = CrossOriginRequest(request, origins) else { return answer(request, at: path, verdict) }
        guard !ControlRoute.isSandbox(path) else { return .now(ControlFault.sandboxFromElsewhere.response) }
        if let response = page.preflightResponse { return .now(response) }
        return answer(request, at: path, verdict).mapResponse(page.readable)
    }

    /// Whether a path is one that browsers or people try first.
    private static func isForBrowsers(_ path: String) -> Bool { path == "/" || path == "/favicon.ico" }

    private func answer(_ request: Request, at path: String, _ verdict: ControlAccess.Verdict) -> Answer {
        guard verdict == .admitted else { return .now(ControlFault.unauthorized.response) }
        if let reason = closedReason() { return .now(ControlFault(reason, status: .notFound).response) }
        do throws(ControlFault) {
            return try answer(try ControlRoute(path, request.head.method), request)
        } catch {
            return .now(error.response)
        }
    }

    /// Answers one request on a listener that serves only this API.
    public func answerOrRefuse(_ request: Request) -> Answer {
        answer(request) ?? .now(ControlFault.unknownPath.response)
    }

    /// The reply to a request that never reached the API because it was malformed, too large or too slow.
    public static let refusalResponse: RefusalResponse = { status, _ in
        ControlFault("The request could not be processed: \(status.reasonPhrase)", status: status).response
    }

    private func answer(_ route: ControlRoute, _ request: Request) throws(ControlFault) -> Answer {
        switch route {
        case .mint:
            let order = try TokenOrder(request.content, gateway)
            return .later { await order.minted() }
        case .listDefects: return .now(.control(TokenOrder.defects))
        case .inspect:
            let inspection = try TokenInspection(request.content, gateway)
            return .later { await inspection.response() }
        case .report(let id):
            guard let report = gateway.reports.report(id: id) else {
                throw ControlFault("No report has this id, or has any more", status: .notFound)
            }
            return .now(.control(report, contentType: "application/json"))
        case .listReports(let filter): return .now(.control(try filter.list(gateway.reports)))
        case .listRequests(let filter):
            let text = Array(#"{"requests":"#.utf8) + gateway.requests.text(filter) + Array("}".utf8)
            return .now(.control(text, contentType: "application/json"))
        case .followEvents(let id): return .now(try follow(after: id, request))
        case .listOrders(let search): return .later { await list(search) }
        case .showOrder(let key): return .later { await show(key) }
        case .operate(let key): return try operate(on: key, request)
        case .reset:
            let reset = try ResetRequest(request.content, gateway)
            return .later { await reset.response() }
        case .showClock: return .now(.control(clock))
        case .setClock:
            let setting = try ClockSetting(request.content)
            return .later { await set(setting) }
        case .setSeed: return .now(.control(try setSeed(request.content)))
        case .addOutcome:
            let (script, count) = try OutcomeScript.read(request.content, known: gateway.acquirer.gatewayCodes)
            guard let id = gateway.outcomes.add(script, count: count) else {
                throw ControlFault(
                    "\(OutcomeRegister.countMax) outcomes wait already; DELETE removes them", status: .conflict)
            }
            gateway.events.publish(.outcomes)
            return .now(.control(script.json(id: id, remaining: count), .created))
        case .listOutcomes: return .now(.control(outcomes))
        case .removeOutcomes:
            gateway.outcomes.removeAll()
            gateway.events.publish(.outcomes)
            return .now(.control(outcomes))
        case .removeOutcome(let id):
            guard let id = Int(id), gateway.outcomes.remove(id: id) else {
                throw ControlFault("No outcome waits under this id", status: .notFound)
            }
            gateway.events.publish(.outcomes)
            return .now(.control(outcomes))
        case .showSimulator: return .now(.control(simulator))
        case .openAPI:
            guard let text = gateway.openAPI() else {
                throw ControlFault("This installation lacks its openapi.yaml", status: .notFound)
            }
            return .now(.control(text, contentType: "application/yaml"))
        case .sandbox: return .now(.control(try sandbox(request)))
        case .listMerchants:
            return .now(.control(MerchantList(gateway, baseURL: merchantBaseURL(request)).json))
        case .health: return .later { await health() }
        }
    }
}

extension ControlAPI {
    private var clock: JSONValue {
        [
            "instant": .string(gateway.clock.now().description),
            "offsetMilliseconds": .number(JSONNumber(gateway.clock.offsetMilliseconds)),
        ]
    }

    /// Sets the clock off the event loop, since the callback may write the new offset to a file.
    @concurrent
    private func set(_ setting: ClockSetting) async -> Response {
        do { try setting.apply(to: gateway.clock) } catch { return error.response }
        return .control(clock)
    }

    private func setSeed(_ content: WipedBuffer) throws(ControlFault) -> JSONValue {
        guard !(try ControlFields.document(content).root.isNull) else {
            gateway.references.seed(nil)
            return ["seed": .null]
        }
        let fields = try ControlFields(content, ["seed"])
        guard let seed = try fields.integer("seed", in: 0...Int64.max) else {
            throw fields.fault("seed", "Missing; null alone goes back to random numbers")
        }
        gateway.references.seed(UInt64(seed))
        return ["seed": .number(JSONNumber(seed))]
    }

    private var outcomes: JSONValue {
        ["outcomes": .array(gateway.outcomes.waiting.map { $0.script.json(id: $0.id, remaining: $0.remaining) })]
    }

    /// The outcomes that the acquirer knows.
    private var simulator: JSONValue {
        [
            "amounts": .array(
                gateway.acquirer.amounts.map {
                    ["amount": .string($0.amount.description), "gatewayCode": .string($0.gatewayCode.rawValue)]
                }),
            "gatewayCodes": .array(gateway.acquirer.gatewayCodes.map(\.rawValue).sorted().map { .string($0) }),
        ]
    }

    private func sandbox(_ request: Request) throws(ControlFault) -> JSONValue {
        guard let sandbox = gateway.sandbox else { throw .noSandbox }
        return [
            "applePay": [
                "certificate": .string(sandbox.certificate), "merchantIdentifier": .string(sandbox.merchantIdentifier),
            ],
            "baseUrl": .string(merchantBaseURL(request)),
            "currency": .string(Sandbox.currency), "merchant": .string(sandbox.merchant.text),
            // Deprecated member, kept for older clients until the next version.
            "merchantId": .string(sandbox.merchant.text),
            "password": .string(sandbox.password),
        ]
    }

    /// The base URL of the merchants' API for this client.
    func merchantBaseURL(_ request: Request) -> String {
        "\(request.head.scheme ?? "http")://\(merchantAuthority(request.head.authority ?? "localhost"))"
    }

    /// The authority of the merchants' API for this client, with the host that the client addressed.
    private func merchantAuthority(_ authority: String) -> String {
        guard let merchantPort else { return authority }
        let colon = authority.lastIndex(of: ":")
        let isBracketed = authority.hasSuffix("]")
        let host = colon.map { isBracketed ? authority[...] : authority[..<$0] } ?? authority[...]
        return "\(host):\(merchantPort)"
    }

    /// Begins a stream of events.
    ///
    /// - Parameter id: the number in the query; the request's `Last-Event-ID` is used first, since a client that
    ///   reconnects repeats the query of its first request.
    private func follow(after id: Int?, _ request: Request) throws(ControlFault) -> Response {
        var id = id
        if let text = request.head.headerFields[.lastEventID], !text.isEmpty {
            guard let number = Int(text), number >= 0 else {
                throw ControlFault("Last-Event-ID: Expected the id of an event, or the parameter after without it")
            }
            id = number
        }
        let client = request.peer?.network ?? ""
        guard let stream = EventStream(gateway.events, after: id, client: client, pause: pause) else {
            throw ControlFault(
                "This client follows \(EventLog.followersMax) streams of events already; end one of them",
                status: .tooManyRequests)
        }
        var response = Response.control([], contentType: "text/event-stream")
        response.stream = stream
        return response
    }

    private func health() async -> Response {
        do { try await gateway.store.check(.reading) } catch { return ControlFault.storeUnavailable.response }
        return .control(["status": "READY"])
    }
}
