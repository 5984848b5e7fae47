public import Access
internal import ApplePay
public import ApplePaySandbox
public import HTTP
internal import HTTPTypes
internal import JSON
internal import OpenSSL
public import Payments
public import Values

/// The resources of a sandbox for payers' browsers: the script that simulates Safari's Apple Pay, and the endpoints that
/// the script calls.
///
/// A shop's server requests a merchant session, as from Apple. The page of its domain exchanges the session for a grant,
/// and uses the grant for one token. These resources are not part of the control API, and don't require its credentials.
public struct HostedPages: Sendable {
    private let merchants: MerchantDirectory
    private let authority: LocalAuthority
    private let now: @Sendable () -> Instant
    private let grants = GrantRegister()
    private let identity: MerchantIdentity

    /// The operations, for logs and metrics.
    public static let operations = HostedRoute.allCases.map(\.operation)

    /// Creates the pages of a sandbox.
    ///
    /// - Parameters:
    ///   - merchants: the merchants for whom sessions and tokens are issued.
    ///   - authority: signs sessions and tokens.
    ///   - now: the gateway's clock.
    public init(merchants: MerchantDirectory, authority: LocalAuthority, now: @escaping @Sendable () -> Instant) {
        self.merchants = merchants
        self.authority = authority
        self.now = now
        identity = MerchantIdentity(issuedBy: authority)
    }

    /// Answers one request; nil if it is for another API.
    public func answer(_ request: Request, tracing trace: RequestTrace) -> Answer? {
        guard let route = HostedRoute(path: request.head.path ?? "") else { return nil }
        let page = route.isForPages ? PageOrigin(request) : nil
        do throws(HostedFault) {
            if let page, request.head.method == .options {
                trace.note(route.operation.route, nil, merchant: nil)
                return .now(page.preflightResponse)
            }
            let answer = try answer(request, route, page, trace)
            return page.map { page in answer.mapResponse { page.readable($0) } } ?? answer
        } catch {
            return .now(page?.readable(error.response) ?? error.response)
        }
    }

    private func answer(
        _ request: Request, _ route: HostedRoute, _ page: PageOrigin?, _ trace: RequestTrace
    ) throws(HostedFault) -> Answer {
        do throws(HostedFault) { try route.check(request.head.method) } catch {
            trace.note(route.operation.route, nil, merchant: nil)
            throw error
        }
        trace.note(route.operation.route, route.operation, merchant: nil)
        switch route {
        case .script: return .now(StaticFile.applePayScript.response(to: request))
        case .domainAssociation: return .now(domainAssociation)
        case .paymentSession, .startSession:
            guard request.head.headerFields[values: .origin].isEmpty else {
                throw .session(
                    "A page must not ask for a merchant session: the shop's server asks", status: .forbidden)
            }
            let wanted = try PaymentSessionRequest(request.content, of: route)
            let isEncrypted = request.head.scheme == "https"
            let client = request.peer?.certificate
            return .later {
                await reply { () throws(HostedFault) in
                    try await session(for: wanted, of: client, isEncrypted: isEncrypted)
                }
            }
        case .redeem:
            let page = try Self.page(page, of: request)
            let fields = try HostedFields(request.content)
            try fields.expect(["merchantSession"])
            guard let session = fields["merchantSession"]?.value else {
                throw fields.fault("merchantSession", "missing")
            }
            return .later { await reply { () throws(HostedFault) in try await redeem(session, by: page.origin) } }
        case .token:
            let page = try Self.page(page, of: request)
            let fields = try HostedFields(request.content)
            return .later { await reply { () throws(HostedFault) in try await token(fields, for: page.origin) } }
        }
    }

    /// Returns the origin of the page that sent a request. Browsers send a preflight request before requests with JSON,
    /// and add the page's origin.
    private static func page(_ page: PageOrigin?, of request: Request) throws(HostedFault) -> PageOrigin {
        guard let page else {
            throw HostedFault(
                "Origin: missing, or not that of a web page: the page's browser must ask", status: .forbidden)
        }
        let type = request.head.headerFields[.contentType]?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard type == "application/json" else {
            throw HostedFault("Content-Type: expected application/json", status: .unsupportedMediaType)
        }
        return page
    }

    private func reply(_ operation: () async throws(HostedFault) -> Response) async -> Response {
        do throws(HostedFault) { return try await operation() } catch { return error.response }
    }
}

extension HostedPages {
    /// The keys of the enabled merchants whose merchant identifier has this hash.
    private func keys(of merchantIdentifierHash: [UInt8]) -> [PaymentProcessingKey] {
        for merchant in merchants.all.list where merchant.isEnabled {
            let keys = merchant.applePay?.keys.filter { $0.merchantIdentifierHash == merchantIdentifierHash } ?? []
            if !keys.isEmpty { return keys }
        }
        return []
    }

    @concurrent
    private func session(
        for wanted: PaymentSessionRequest, of client: ClientCertificate?, isEncrypted: Bool
    ) async throws(HostedFault) -> Response {
        if isEncrypted { try identity.check(client, for: wanted.merchantIdentifierHash, at: now()) }
        guard !keys(of: wanted.merchantIdentifierHash).isEmpty else {
            throw .session(
                "Unknown merchant identifier -- no merchant of this gateway has it", status: .expectationFailed)
        }
        let instant = now()
        guard MintSpecification.yearsOfSigning.contains(instant.fields.year) else {
            throw .session("The gateway's clock is not in 2014 to 2049", status: .internalServerError)
        }
        let session = MerchantSession(
            merchantIdentifierHash: wanted.merchantIdentifierHash, domainName: wanted.domainName,
            displayName: wanted.displayName, at: instant)
        do { return .hosted(try session.signed(by: authority)) } catch {
            throw .session("OpenSSL could not sign the merchant session", status: .internalServerError)
        }
    }

    @concurrent
    private func redeem(_ json: JSONValue, by origin: WebOrigin) async throws(HostedFault) -> Response {
        let session: MerchantSession
        do throws(MerchantSession.Fault) { session = try MerchantSession(json, signedBy: authority) } catch {
            switch error {
            case .member(let name):
                throw .member(
                    "merchantSession",
                    "\(name) is absent or malformed; pass the answer of paymentSession on as it is")
            case .signature:
                throw HostedFault(
                    "merchantSession: not signed by this gateway's authority; get it from this gateway's paymentSession "
                        + "and pass it on unchanged", status: .forbidden)
            }
        }
        guard session.domainName == origin.host else {
            throw HostedFault(
                "The merchant session is for another domain than the page's: ask for it with the page's host as "
                    + "initiativeContext", status: .forbidden)
        }
        guard !session.isExpired(at: now()) else {
            throw HostedFault(
                "The merchant session has expired: it is valid for five minutes; ask for a new one", status: .gone)
        }
        guard !keys(of: session.merchantIdentifierHash).isEmpty else {
            throw HostedFault(
                "The merchant session is for a merchant whom this gateway does not have any more", status: .forbidden)
        }
        let grant = grants.redeem(
            session: session.identifier, merchantIdentifierHash: session.merchantIdentifierHash, origin: origin.text)
        guard let grant else {
            throw HostedFault(
                "The merchant session was used before: it is good once; ask for a new one", status: .conflict)
        }
        return .hosted([
            "cards": .array(WalletCard.all.map(\.json)), "displayName": .string(session.displayName),
            "domainName": .string(session.domainName), "grant": .string(grant),
            "merchantIdentifier": .string(Hexadecimal.encoded(session.merchantIdentifierHash).uppercased()),
        ])
    }

    @concurrent
    private func token(_ fields: HostedFields, for origin: WebOrigin) async throws(HostedFault) -> Response {
        let text = try fields.requiredString("grant")
        let grant: GrantRegister.Grant
        do throws(GrantRegister.Refusal) { grant = try grants.grant(text, origin: origin.text) } catch {
            throw HostedFault(error)
        }
        let order = try PageTokenOrder(fields, keys: keys(of: grant.merchantIdentifierHash), at: now())
        guard grants.use(text) else { throw HostedFault(GrantRegister.Refusal.used) }
        return try await order.minted(by: authority)
    }

    /// The file that Apple's crawler would fetch: the merchant identifier's hash, in hexadecimal JSON as Apple writes it.
    private var domainAssociation: Response {
        let hashes = Set(merchants.all.list.flatMap { $0.applePay?.keys.compactMap(\.merchantIdentifierHash) ?? [] })
        let names = hashes.map { Hexadecimal.encoded($0).uppercased() }.sorted()
        let text = JSONValue.object(["pspIds": .array(names.map(JSONValue.string)), "version": 1]).serialized()
        var response = Response(status: .ok, contentType: "text/plain", body: Array(Hexadecimal.encoded(text).utf8))
        response.head.headerFields[.xContentTypeOptions] = "nosniff"
        return response
    }
}

extension HostedFault {
    /// The fault for a refused grant.
    fileprivate init(_ refusal: GrantRegister.Refusal) {
        switch refusal {
        case .unknown:
            self.init("grant: unknown; redeem a merchant session for one", status: .forbidden)
        case .otherOrigin:
            self.init("grant: it is for pages of another origin", status: .forbidden)
        case .used:
            self.init("grant: used before: it is good for one token; redeem a new merchant session", status: .conflict)
        }
    }
}
