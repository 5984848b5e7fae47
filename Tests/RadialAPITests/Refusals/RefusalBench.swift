import Access
import ApplePay
import ApplePaySandbox
import HTTP
import HTTPTypes
import OpenSSL
import Payments
import RadialAPI
import TestSupport
import Values
import Vault

/// A store with orders and tokens, on which requests are tried that must all be refused.
///
/// Refused requests leave no trace, so any number may be tried.
final class RefusalBench: Sendable {
    private static let apiKey = "0f3c1a52d7e94b8fa6c1"
    private static let certificate = SHA256.hash(Array("a certificate".utf8))
    /// A `requestId` that another request had.
    static let usedRequestID = "used-1"

    private let opener: TokenOpener
    private let ledger = InMemoryStore()
    private let keys: KeyRing
    private let acquirer: SimulatedAcquirer
    private let tokens: [FaultyMessage.Token: String]
    /// The token that stands for the account of all orders.
    let account: String

    /// What an operation finds of its order.
    enum OrderFact: Hashable { case exists, isAuthorized, isOtherCurrency }

    init() async throws {
        let local = try LocalMerchant()
        let spent = try local.mint(local.order())
        tokens = [
            .good: try local.mint(local.order()), .spent: spent,
            .defective: try local.mint(local.order(), defect: .signatureAltered),
        ]
        opener = local.opener
        keys = try KeyRing.test()
        acquirer = try TestSimulator.acquirer(apiCodes: SimulatedRadialChecks())
        let store = try Self.api(FaultyMessage(service: ""), opener, ledger, keys, acquirer)
        func authorize(_ message: Message, _ tender: String = "VC") async throws -> Response {
            let path = "creditcard/auth/\(tender).xml"
            let response = await Self.response(
                try Self.request(FaultyMessage(service: path), message.text), from: store.api)
            guard response.head.status == .ok else { throw NoSeed(fault: response.faultDescription ?? "") }
            return response
        }
        let authorized = try await authorize(.card(order: "authorized", requestID: "seed-1"))
        account = try authorized.text("PaymentContext/PaymentAccountUniqueId") ?? ""
        _ = try await authorize(.card(order: "authorized-eur", currency: "EUR", requestID: Self.usedRequestID))
        _ = try await authorize(.card(order: "declined", amount: "5757.00", requestID: "seed-3"))
        _ = try await authorize(
            .card(order: "declined-eur", amount: "5757.00", currency: "EUR", requestID: "seed-4"))
        _ = try await authorize(.wallet(spent, order: "wallet", requestID: "seed-5", amount: "14.99"), "DW")
    }

    /// A request that was to make the bench ready was refused.
    private struct NoSeed: Error { let fault: String }

    /// Sends a request of a table's service.
    func send(_ faulty: FaultyMessage, of table: RefusalTable) async throws -> Response {
        let (api, merchant, rates) = try Self.api(faulty, opener, ledger, keys, acquirer)
        var request = try Self.request(faulty, faulty.text(try table.message(faulty, self)))
        if faulty.isOverRate {
            request.arrival = 5_000_000_000
            _ = rates.secondsToWait(of: merchant, arrival: request.arrival)
        }
        return await Self.response(request, from: api)
    }

    /// The Apple Pay token that a request presents.
    func token(_ faulty: FaultyMessage) -> String { tokens[faulty.token] ?? "" }

    /// The id of an order with these facts; of one that doesn't exist without facts.
    static func order(_ facts: Set<OrderFact>) -> String {
        switch (facts.contains(.isAuthorized), facts.contains(.isOtherCurrency), facts.isEmpty) {
        case (_, _, true): "new"
        case (true, false, _): "authorized"
        case (true, true, _): "authorized-eur"
        case (false, false, _): "declined"
        case (false, true, _): "declined-eur"
        }
    }

    private static func api(
        _ faulty: FaultyMessage, _ opener: TokenOpener, _ ledger: InMemoryStore, _ keys: KeyRing,
        _ acquirer: SimulatedAcquirer
    ) throws -> (api: RadialAPI, merchant: Merchant, rates: RequestRates) {
        let merchant = Merchant(
            id: try MerchantID("M"), passwords: [], applePay: faulty.hasKeys ? opener : nil,
            tokenMatching: TokenMatching(total: .none), currencies: faulty.currencies,
            privileges: faulty.privileges, certificateFingerprints: [certificate],
            sections: [
                RadialStore(id: try MerchantID("STORE"), apiKeys: [APIPassword(digesting: SecretText(apiKey))])
            ], requestsPerSecondMax: 1)
        let rates = RequestRates()
        let sealed = FaultySealedStore(store: ledger, fails: faulty.storeFaults.contains(.fails))
        let faults: [FaultyMessage.StoreFault: FaultyStore.Fault] = [
            .fails: .fails, .isFull: .isFull, .isFullOfParticulars: .isFullOfParticulars,
        ]
        let api = RadialAPI(
            gateway: Gateway(
                store: FaultyStore(store: ledger, faults: Set(faulty.storeFaults.compactMap { faults[$0] })),
                acquirer: acquirer, keys: keys),
            accountTokens: AccountTokens(
                store: sealed, keys: keys,
                countMax: faulty.storeFaults.contains(.isFullOfAccountTokens) ? 1 : AccountTokens.countMaxDefault),
            claims: RequestClaims(store: sealed, keys: keys), outbox: Outbox(store: sealed, keys: keys),
            merchants: MerchantDirectory([merchant]), reports: ReportArchive(), rates: rates, decryptsBlobs: true,
            now: { LocalMerchant.instant }, machineTime: { LocalMerchant.instant })
        return (api, merchant, rates)
    }

    private static func request(_ faulty: FaultyMessage, _ text: String) throws -> Request {
        var fields: HTTPFields = [.contentType: faulty.contentType]
        if let name = HTTPField.Name("apikey") {
            switch faulty.apiKey {
            case .right: fields[name] = apiKey
            case .wrong: fields[name] = "wrong"
            case .absent: break
            }
        }
        return Request(
            head: HTTPRequest(
                method: faulty.method, scheme: "https", authority: "localhost",
                path: "/v1.0/stores/STORE/payments/\(faulty.path)", headerFields: fields),
            body: Array(text.utf8),
            peer: Peer(
                address: "192.0.2.7", isLoopback: false,
                certificate: faulty.hasCertificate ? ClientCertificate(verifiedFingerprint: certificate) : nil))
    }

    private static func response(_ request: Request, from api: RadialAPI) async -> Response {
        switch api.answer(request, tracing: RequestTrace(now: { 0 }, arrival: nil)) {
        case .now(let response): return response
        case .later(let respond): return await respond()
        case .laterOrCut: preconditionFailure("this API answers every request")
        }
    }
}
