internal import ApplePay
public import HTTP
internal import HTTPTypes
public import Access
public import Payments
public import Values
public import Vault
internal import XML

/// Radial's XML API for a gateway. It shares the ledger with Mastercard's API.
///
/// Checks take precedence in this order: path (404), method (405), content type (415), API key (401), XML and elements,
/// then the domain (400). A payment's outcome is 200, even if it was declined; 503 means that the store is unavailable.
/// No source documents the HTTP status of a `Fault`, so these are our choice.
public struct RadialAPI: Sendable {
    let gateway: Gateway
    let accountTokens: AccountTokens
    let claims: RequestClaims
    let outbox: Outbox
    let decryptsBlobs: Bool
    let inFlight = RequestsInFlight()
    private let reports: ReportArchive
    private let merchants: MerchantDirectory
    private let authentication = APIKeyAuthentication()
    private let rates: RequestRates
    let now: @Sendable () -> Instant
    let machineTime: @Sendable () -> Instant

    /// Creates an API for the stores of a directory's merchants.
    ///
    /// - Parameters:
    ///   - accountTokens: the tokens that replace account numbers.
    ///   - outbox: holds settlement statuses until they are sent.
    ///   - reports: stores the reports of refused tokens.
    ///   - rates: limits each merchant's request rate; shared by all APIs.
    ///   - decryptsBlobs: whether `DecryptBlob` is enabled.
    ///   - now: the program's clock.
    ///   - machineTime: the system clock, which decides when messages are due.
    public init(
        gateway: Gateway, accountTokens: AccountTokens, claims: RequestClaims, outbox: Outbox,
        merchants: MerchantDirectory, reports: ReportArchive, rates: RequestRates = RequestRates(),
        decryptsBlobs: Bool = false,
        now: @escaping @Sendable () -> Instant, machineTime: @escaping @Sendable () -> Instant
    ) {
        self.gateway = gateway
        self.accountTokens = accountTokens
        self.claims = claims
        self.outbox = outbox
        self.merchants = merchants
        self.reports = reports
        self.rates = rates
        self.decryptsBlobs = decryptsBlobs
        self.now = now
        self.machineTime = machineTime
    }

    /// Whether a request is addressed to this API, even if the answer is only a `Fault`.
    public static func isAddressed(by request: Request) -> Bool {
        RadialRoute.isAddressed(by: request.head.path ?? "")
    }

    /// Answers one request, and traces its operation and the end of each stage.
    public func answer(_ request: Request, tracing trace: RequestTrace) -> Answer {
        do throws(Fault) { return trace.noticed(try answerOrRefuse(request, trace)) } catch {
            return trace.noticed(.now(error.response(at: now())))
        }
    }

    private func answerOrRefuse(_ request: Request, _ trace: RequestTrace) throws(Fault) -> Answer {
        let route = try RadialRoute(request.head.path ?? "")
        guard route.service.isServed(self) else { throw .unknownResource }
        let operation = route.service.operation
        guard request.head.method == .post else {
            trace.note(operation.route, nil, merchant: route.storeID)
            throw .methodNotAllowed
        }
        trace.note(operation.route, operation, merchant: route.storeID)
        try request.checkContentType()
        return try admit(request, to: route.storeID, trace) { merchant in
            if let seconds = rates.secondsToWait(of: merchant, arrival: request.arrival) {
                return Fault.tooManyRequests(of: merchant, retryAfterSeconds: seconds).response(at: now())
            }
            return await self.response(to: request, route, of: merchant, trace)
        }
    }

    /// Answers a request for a store, if the API key is the store's.
    private func admit(
        _ request: Request, to storeID: String, _ trace: RequestTrace,
        _ answer: @escaping @Sendable (Merchant) async -> Response
    ) throws(Fault) -> Answer {
        let all = merchants.all
        let found = all.merchant(RadialStore.self, named: storeID)
        let merchant = found?.isEnabled == true ? found : nil
        let finding = authentication.finding(
            on: try request.apiKey, store: storeID, candidates: merchant?.radial?.apiKeys ?? [],
            among: all.list.compactMap { $0.radial?.apiKeys }, peer: request.peer?.network ?? "")
        func authenticated(_ verdict: APIKeyAuthentication.Verdict) throws(Fault) -> Merchant {
            trace.stages.end(.authenticate)
            switch verdict {
            case .busy: throw .tooManyAttempts
            case .wrong: throw .invalidAPIKey
            case .right:
                guard let merchant else { throw .invalidAPIKey }
                return merchant
            }
        }
        switch finding {
        case .known(let verdict):
            let merchant = try authenticated(verdict)
            return .later { await answer(merchant) }
        case .later(let judge):
            let now = now
            return .later {
                let verdict = await judge()
                trace.stages.end(.authenticate)
                guard let merchant, verdict == .right else {
                    return (verdict == .busy ? Fault.tooManyAttempts : .invalidAPIKey).response(at: now())
                }
                return await answer(merchant)
            }
        }
    }

    private func response(
        to request: Request, _ route: RadialRoute, of merchant: Merchant, _ trace: RequestTrace
    ) async -> Response {
        do throws(Fault) {
            let document: XMLDocument
            do throws(XMLFault) {
                document = try request.content.withUnsafeBytes { (bytes) throws(XMLFault) in try XMLDocument(bytes) }
            } catch {
                throw Fault(error)
            }
            let root = document.root
            let name = route.service.requestName
            guard root.name == name, root.namespace == RadialNamespace.checkout else {
                throw .invalid(
                    nil, "the root element must be \(name) of \(RadialNamespace.checkout)")
            }
            trace.stages.end(.decode)
            let call = Call(
                root: root, pathTender: route.tender, merchant: merchant, certificate: request.peer?.certificate,
                trace: trace)
            return .xml(.ok, try await route.service.answer(self, call))
        } catch {
            return error.response(at: now())
        }
    }

    /// The fault of a refused command. A refused token's fault includes the id of its report and the notes on it.
    func fault(_ refusal: Refusal, _ call: Call) -> Fault {
        var fault = Fault(refusal, in: call.root.path)
        if case .tokenRefused(let report) = refusal {
            call.trace.note(notices: report.notes)
            if let refusal = report.refusal { call.trace.note(refusedStep: refusal.step.rawValue) }
            if let id = reports.keep(report, of: call.merchant.id, at: now()) {
                fault.headerField = HTTPField(name: .tollgateReport, value: id)
            }
        }
        return fault
    }
}

/// One authenticated request of a store.
struct Call: Sendable {
    let root: XMLElement
    /// The tender type of the path as it was sent; empty if the path has none.
    let pathTender: String
    let merchant: Merchant
    /// The TLS client certificate; nil if the client presented none.
    let certificate: ClientCertificate?
    let trace: RequestTrace

    /// The store id, which replies repeat.
    var storeID: String { merchant.radial?.id ?? "" }
    /// The tender type of the path.
    var tender: TenderType { get throws(Fault) { try TenderType(path: pathTender) } }
}

extension Request {
    /// The header field `apikey`; HTTP field names are case-insensitive.
    fileprivate var apiKey: SecretText {
        get throws(Fault) {
            let values = credentials(.apiKey)
            guard values.count <= 1 else { throw .repeatedAPIKey }
            guard let value = values.first, !value.isEmpty else { throw .missingAPIKey }
            return value.withUnsafeBytes { SecretText(utf8: $0) }
        }
    }

    /// Requires `text/xml` or `application/xml`, and UTF-8 if a charset is named. A request without a content type is
    /// taken as XML.
    fileprivate func checkContentType() throws(Fault) {
        guard let field = head.headerFields[.contentType] else { return }
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased()
        }
        guard let type = parts.first, ["text/xml", "application/xml"].contains(type) else {
            throw .unsupportedMediaType
        }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            guard ["charset=utf-8", "charset=us-ascii"].contains(parameter) else { throw .unsupportedMediaType }
        }
    }
}

extension Fault {
    /// A fault of the document as a whole.
    fileprivate static func invalid(_ path: String?, _ reason: String) -> Fault {
        Fault(.schemaValidation, path, reason)
    }
}

extension HTTPField.Name {
    /// `apikey`.
    fileprivate static let apiKey: HTTPField.Name = {
        guard let name = HTTPField.Name("apikey") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()

    /// `Tollgate-Report`: the id of a refused token's report.
    fileprivate static let tollgateReport: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Report") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}

extension APIName {
    /// This API.
    public static let radial = APIName("radial")
}
