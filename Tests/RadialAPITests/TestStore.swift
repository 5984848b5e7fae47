import Access
import ApplePay
import HTTP
import HTTPTypes
import Payments
import RadialAPI
import TestSupport
import Values
import Vault
import XML

/// A store of Radial's API over an empty ledger, asked in memory.
struct TestStore {
    static let apiKey = "0f3c1a52d7e94b8fa6c1"
    static let id = "TMSUS"

    let api: RadialAPI
    let merchant: Merchant
    let gateway: Gateway
    let ledger: InMemoryStore
    let outbox: Outbox
    let reports: ReportArchive
    let clock: TestClock

    /// - Parameters:
    ///   - applePay: what opens the merchant's tokens.
    ///   - acquirer: answers by the test simulator's table unless another one is given.
    ///   - others: merchants beside the store's.
    init(
        applePay: TokenOpener? = nil, tokenMatching: TokenMatching = TokenMatching(), acquirer: (any Acquirer)? = nil,
        currencies: Set<Currency>? = nil,
        privileges: Set<Privilege> = .usual, webhook: RadialWebhook? = nil, decryptsBlobs: Bool = false,
        certificateFingerprints: [[UInt8]] = [], store: (any PaymentStore)? = nil,
        sealedStore: (any SealedStore)? = nil, others: [Merchant] = [], requestsPerSecondMax: Int? = nil,
        claimsMax: Int = RequestClaims.countMaxDefault, accountTokensMax: Int = AccountTokens.countMaxDefault,
        at instant: Instant = LocalMerchant.instant
    ) throws {
        ledger = InMemoryStore()
        let keys = try KeyRing.test()
        let sealed: any SealedStore = sealedStore ?? ledger
        let accountTokens = AccountTokens(store: sealed, keys: keys, countMax: accountTokensMax)
        let simulator = try TestSimulator.acquirer(apiCodes: SimulatedRadialChecks())
        gateway = Gateway(
            store: store ?? ledger, acquirer: acquirer ?? simulator, keys: keys,
            references: ReferenceNumbers(
                systemTraceAuditNumber: { 614_653 }, acquirerTransactionID: { 447_345_902 }))
        merchant = Merchant(
            id: try MerchantID("TESTMERCHANT"), passwords: [], applePay: applePay, tokenMatching: tokenMatching,
            currencies: currencies, privileges: privileges, certificateFingerprints: certificateFingerprints,
            sections: [
                RadialStore(
                    id: try MerchantID(Self.id), apiKeys: [APIPassword(digesting: SecretText(Self.apiKey))],
                    webhook: webhook)
            ], requestsPerSecondMax: requestsPerSecondMax)
        let merchants = MerchantDirectory([merchant] + others)
        outbox = Outbox(store: sealed, keys: keys)
        reports = ReportArchive()
        let clock = TestClock(instant)
        self.clock = clock
        api = RadialAPI(
            gateway: gateway, accountTokens: accountTokens,
            claims: RequestClaims(store: sealed, keys: keys, countMax: claimsMax),
            outbox: outbox, merchants: merchants, reports: reports, decryptsBlobs: decryptsBlobs,
            now: { clock.now }, machineTime: { clock.now })
    }

    /// Sends one request to a service of the store, such as `creditcard/auth/DW.xml`. The reply is held to the schema.
    func send(
        _ service: String, _ body: String, method: HTTPRequest.Method = .post, apiKey: String? = apiKey,
        contentType: String? = "text/xml", store: String = id, version: String = "v1.0",
        certificate: ClientCertificate? = nil, arrival: UInt64? = nil,
        tracing trace: RequestTrace = RequestTrace(now: { 0 }, arrival: nil)
    ) async -> Response {
        var fields = HTTPFields()
        fields[.contentType] = contentType
        if let apiKey, let name = HTTPField.Name("apiKey") { fields[name] = apiKey }
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "localhost",
            path: "/\(version)/stores/\(store)/payments/\(service)", headerFields: fields)
        let peer = Peer(address: "127.0.0.1", isLoopback: true, certificate: certificate)
        switch api.answer(Request(head: head, body: Array(body.utf8), peer: peer, arrival: arrival), tracing: trace) {
        case .now(let response): return RadialSchema.checked(response)
        case .later(let respond): return RadialSchema.checked(await respond())
        case .laterOrCut: preconditionFailure("this API answers every request")
        }
    }
}

extension Response {
    /// The reply as elements.
    var xml: XMLElement {
        get throws { try XMLDocument(body).root }
    }

    /// The text of an element below the root, by its path without the root's name.
    func text(_ path: String) throws -> String? {
        var element: XMLElement? = try xml
        for name in path.split(separator: "/") { element = element?[String(name)] }
        return element?.text
    }

    /// `Code` of a fault.
    var faultCode: String? { (try? text("Code")) ?? nil }
    /// `Description` of a fault.
    var faultDescription: String? { (try? text("Description")) ?? nil }
}
