public import Access
internal import ApplePay
public import HTTP
internal import HTTPTypes
internal import JSON
public import Payments
public import Values
public import Vault

/// Mastercard Gateway's JSON REST API over one gateway.
///
/// A request is validated in the real gateway's order: path and version (404), method (405), JSON syntax (400),
/// credentials (401), fields (400), and only then by the rules of the operation.
public final class MerchantAPI: Sendable {
    /// The `gatewayVersion` in the reply to CHECK_GATEWAY.
    public static let gatewayVersion = "1.0.0"

    let gateway: Gateway
    let sessions: Sessions
    let tokens: CardTokens
    private let reports: ReportArchive
    private let authentication: Authentication
    private let information = InformationReply()
    private let latestVersion: Int
    let now: @Sendable () -> Instant

    /// Creates an API for the merchants of a directory.
    ///
    /// - Parameters:
    ///   - sessions: the sessions whose fields operations use.
    ///   - tokens: the tokens that represent cards in operations.
    ///   - reports: stores the reports of refused tokens.
    ///   - rates: counts the requests of each merchant; shared by all APIs.
    ///   - latestVersion: the highest supported API version; every version from 1 is supported.
    ///   - explainsUnauthorized: whether a reply with 401 gives the reason in a notice; for a sandbox, whose password
    ///     is not secret.
    ///   - now: the gateway's clock. Called once for each request, on its event loop.
    public init(
        gateway: Gateway, sessions: Sessions, tokens: CardTokens, merchants: MerchantDirectory,
        reports: ReportArchive, rates: RequestRates = RequestRates(), latestVersion: Int = 100,
        explainsUnauthorized: Bool = false,
        now: @escaping @Sendable () -> Instant
    ) {
        precondition(latestVersion >= 1, "the first version of the API is 1")
        self.gateway = gateway
        self.sessions = sessions
        self.tokens = tokens
        self.reports = reports
        self.latestVersion = latestVersion
        self.now = now
        authentication = Authentication(merchants, rates, explains: explainsUnauthorized)
    }

    private init(operatorOf api: MerchantAPI) {
        gateway = api.gateway
        sessions = api.sessions
        tokens = api.tokens
        reports = api.reports
        latestVersion = api.latestVersion
        now = api.now
        authentication = api.authentication.forOperator
    }

    /// The same API for the gateway's operator: without credentials, each request counts as one of the merchant in its path.
    /// Only for requests that the program makes itself.
    public var forOperator: MerchantAPI { MerchantAPI(operatorOf: self) }

    /// Creates a request of the latest version: with JSON for a transaction of an order, or to retrieve the order.
    public func request(
        for key: OrderKey, transaction: (id: TransactionID, content: WipedBuffer)? = nil, peer: Peer? = nil
    ) -> Request {
        var path =
            "/api/rest/version/\(latestVersion)/merchant/\(PathSegments.encode(key.merchant.text))"
            + "/order/\(PathSegments.encode(key.order.text))"
        if let transaction { path += "/transaction/\(PathSegments.encode(transaction.id.text))" }
        var fields = HTTPFields()
        if transaction != nil { fields[.contentType] = "application/json" }
        return Request(
            head: HTTPRequest(
                method: transaction == nil ? .get : .put, scheme: "http", authority: "localhost", path: path,
                headerFields: fields),
            content: transaction?.content ?? WipedBuffer(), peer: peer)
    }

    /// Answers one request; usable as an HTTP handler. Refusals that need no look-up are answered immediately.
    public func answer(_ request: Request) -> Answer { answer(request, tracing: RequestTrace()) }

    /// Whether a request's path has the prefix of this API, whether or not the path can be parsed.
    public static func isAddressed(by request: Request) -> Bool { request.head.path?.hasPrefix("/api/") == true }

    /// Answers one request, and records its route and the end of each stage.
    public func answer(_ request: Request, tracing trace: RequestTrace) -> Answer {
        do throws(ErrorReply) {
            return trace.noticed(try answerOrRefuse(request, trace))
        } catch {
            return trace.noticed(.now(error.response))
        }
    }

    /// The reply to a request that never reached the API because it was malformed, too large or too slow, in the
    /// API's own form.
    public static let refusalResponse: RefusalResponse = { status, _ in ErrorReply(refusedWith: status).response }

    private func answerOrRefuse(_ request: Request, _ trace: RequestTrace) throws(ErrorReply) -> Answer {
        let route = try Route(request.head.path ?? "", latestVersion: latestVersion)
        if request.head.method == .options, case .session = route.resource {
            trace.note(route, nil)
            return .now(.sessionPreflight)
        }
        let operation: Route.Operation
        do throws(ErrorReply) { operation = try route.operation(for: request.head.method) } catch {
            trace.note(route, nil)
            throw error
        }
        trace.note(route, operation)
        switch operation {
        case .authenticatePayer(let merchant):
            if !request.content.isEmpty { _ = try ErrorReply.document(request.content, trace) }
            return try authentication.admit(request, to: merchant, trace) { (caller) throws(ErrorReply) in
                throw .payerAuthenticationNotSupported(of: caller.merchant.id)
            }
        case .checkGateway:
            return .now(information.response(at: now()))
        case .inquireBalance(let merchant):
            if !request.content.isEmpty { _ = try ErrorReply.document(request.content, trace) }
            return try authentication.admit(request, to: merchant, trace) { (_) throws(ErrorReply) in
                throw .balanceInquiryNotSupported
            }
        case .retrieveOrder(let path):
            return try authentication.admit(request, to: path.merchant, trace) { (caller) throws(ErrorReply) in
                let key = OrderKey(merchant: caller.merchant.id, order: try path.orderID())
                let sensitive = try SensitiveData(query: request.head.path ?? "", for: caller)
                trace.stages.end(.decode)
                return .later { await self.retrieve(key, sensitive, version: route.version, trace) }
            }
        case .retrieveTransaction(let path, let transaction):
            return try authentication.admit(request, to: path.merchant, trace) { (caller) throws(ErrorReply) in
                let key = OrderKey(merchant: caller.merchant.id, order: try path.orderID())
                let id = try path.transactionID(transaction)
                let sensitive = try SensitiveData(query: request.head.path ?? "", for: caller)
                trace.stages.end(.decode)
                return .later { await self.retrieve(id, of: key, sensitive, version: route.version, trace) }
            }
        case .transact(let path, let transaction):
            return try transact(request, path, transaction, version: route.version, trace)
        case .serve(let merchant, let operation):
            return try serve(request, merchant, operation, version: route.version, trace)
        }
    }

    /// Answers an operation on an order.
    private func transact(
        _ request: Request, _ path: OrderPath, _ transaction: String, version: APIVersion,
        _ trace: RequestTrace
    ) throws(ErrorReply) -> Answer {
        let document = try ErrorReply.document(request.content, trace)
        trace.stages.end(.decode)
        return try authentication.admit(request, to: path.merchant, trace) { (caller) throws(ErrorReply) in
            defer { trace.stages.end(.decode) }
            let transactionRequest = try TransactionRequest(
                document, merchant: caller.merchant, order: try path.orderID(),
                transaction: try path.transactionID(transaction),
                applicationDataHash: try caller.merchant.applicationDataHash(in: request.head.headerFields), trace)
            let sensitive = try SensitiveData(transactionRequest.sent, for: caller)
            guard !transactionRequest.sent.namesStoredFields else {
                return .later { await self.perform(transactionRequest, sensitive, version: version, trace) }
            }
            let command = try transactionRequest.command()
            let subject = Subject(command, of: transactionRequest.sent)
            return .later { await self.perform(command, subject, sensitive, version: version, trace) }
        }
    }

    /// Answers an operation on sessions or tokens.
    private func serve(
        _ request: Request, _ merchant: String, _ operation: MerchantOperation, version: APIVersion,
        _ trace: RequestTrace
    ) throws(ErrorReply) -> Answer {
        let document = try operation.content(request.content, trace)
        let voucher = SessionVoucher(operation, document.root, version: version) {
            (session, merchant) throws(SessionRefusal) in
            try await self.sessions.authenticates(session, as: merchant, at: self.now())
        }
        trace.stages.end(.decode)
        return try authentication.admit(request, to: merchant, vouchedBy: voucher, trace) {
            (caller) throws(ErrorReply) in
            try operation.checkIdentifier()
            return .later {
                defer { trace.stages.end(operation.isRetrieval ? .recall : .commit) }
                return await self.perform(operation, document.root, for: caller, version: version)
            }
        }
    }

    private func perform(
        _ command: Command, _ subject: Subject, _ sensitive: SensitiveData, version: APIVersion,
        _ trace: RequestTrace
    ) async -> Response {
        do throws(Refusal) {
            let transaction = try await gateway.perform(command, at: now(), timing: trace.stages)
            return response(to: try gateway.shown(transaction, sensitive), version: version, trace)
        } catch {
            return response(to: error, of: command, subject, trace)
        }
    }

    /// The reply with a transaction and the order's state right after it, so that a repeated request gets the same
    /// bytes regardless of later transactions.
    func response(to transaction: Transaction, version: APIVersion, _ trace: RequestTrace) -> Response {
        trace.note(transaction)
        return .json(.created, TransactionReply(transaction, order: transaction.order, version: version).text)
    }

    /// The reply to a refused command. For a refused token, a header field names its report.
    func response(
        to refusal: Refusal, of command: Command, _ subject: Subject, _ trace: RequestTrace
    ) -> Response {
        var reply = ErrorReply(refusal, of: subject)
        if case .void(let void) = command { trace.note(refusal, of: void) }
        if case .tokenRefused(let report) = refusal {
            if let refusal = report.refusal { trace.note(refusedStep: refusal.step.rawValue) }
            if let id = reports.keep(report, of: command.instruction.merchant.id, at: now()) {
                reply.headerField = HTTPField(name: .tollgateReport, value: id)
            }
        }
        return reply.response
    }

    private func retrieve(
        _ transaction: TransactionID, of key: OrderKey, _ sensitive: SensitiveData, version: APIVersion,
        _ trace: RequestTrace
    ) async -> Response {
        do throws(Refusal) {
            let found = try await gateway.retrieve(transaction, of: key, timing: trace.stages)
            let transaction = try gateway.shown(found.transaction, sensitive)
            return .json(.ok, TransactionReply(transaction, order: found.order, version: version).text)
        } catch {
            return ErrorReply(error, of: Subject(key: key, transaction: transaction)).response
        }
    }

    private func retrieve(
        _ key: OrderKey, _ sensitive: SensitiveData, version: APIVersion, _ trace: RequestTrace
    ) async -> Response {
        do throws(Refusal) {
            let permit = try await gateway.permit(toRetrieve: key, timing: trace.stages)
            let history = try gateway.shown(try await gateway.retrieve(key, timing: trace.stages), sensitive)
            let reply = OrderReply(history, version: version)
            guard let permit else { return .json(.ok, reply.text) }
            var response = Response.json(.ok, await reply.textBesideOthers())
            response.hold = permit
            return response
        } catch {
            return ErrorReply(error, of: Subject(key: key)).response
        }
    }
}

extension RequestTrace {
    /// Adds a notice that names the transaction that could not be voided, since the real gateway's message names
    /// none.
    fileprivate func note(_ refusal: Refusal, of void: VoidTransaction) {
        switch refusal {
        case .nothingToVoid:
            note(notice: "The order has no transaction '\(void.target)' that can be voided.")
        case .unknownOrder: note(notice: "There is no order '\(void.instruction.order)'.")
        default: return
        }
    }
}

extension HTTPField.Name {
    /// `Tollgate-Report`: the id of a refused token's report.
    static let tollgateReport: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Report") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
