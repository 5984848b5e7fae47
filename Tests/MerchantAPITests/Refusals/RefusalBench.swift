import Access
import ApplePay
import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import OpenSSL
import Payments
import TestSupport
import Values
import Vault

/// A merchant with orders, sessions and tokens, on which requests are tried that must all be refused.
///
/// Refused requests leave no trace, so any number may be tried.
final class RefusalBench: Sendable {
    private static let password = "random"
    private static let certificate = SHA256.hash(Array("a certificate".utf8))

    /// The identifiers of sessions and tokens that exist.
    struct Names {
        var session = ""
        var emptySession = ""
        var unfitSession = ""
        var cardToken = ""
    }

    private let opener: TokenOpener
    private let store = InMemoryStore()
    private let sealedStore = InMemoryStore()
    private let keys: KeyRing
    private let acquirer: SimulatedAcquirer
    /// Tokens by what is wrong with them.
    let tokens: [FaultyRequest.Token: String]
    /// The cryptograms of two of them.
    let cryptograms: [FaultyRequest.Token: String]
    let names: Names
    private let twin: Transaction

    init() async throws {
        let local = try LocalMerchant()
        let orders = (good: try local.order(), spent: try local.order())
        tokens = [
            .good: try local.mint(orders.good), .spent: try local.mint(orders.spent),
            .defective: try local.mint(local.order(), defect: .signatureAltered), .empty: "",
        ]
        cryptograms = [
            .good: orders.good.onlinePaymentCryptogram.revealed(),
            .spent: orders.spent.onlinePaymentCryptogram.revealed(),
        ]
        let seed = try await Seed(local.opener, store, sealedStore, token: tokens[.spent] ?? "")
        opener = local.opener
        keys = try KeyRing.test()
        acquirer = try TestSimulator.acquirer()
        names = seed.names
        twin = seed.twin
    }

    /// Sends a request of an operation.
    func send(_ faulty: FaultyRequest, as call: RefusalCall) async throws -> Response {
        let merchant = try merchant(of: faulty)
        let rates = RequestRates()
        let arrival: UInt64 = 5_000_000_000
        if faulty.isOverRate { _ = rates.secondsToWait(of: merchant, arrival: arrival) }
        let fails = faulty.storeFaults.contains(.fails)
        let sealed = FaultySealedStore(store: sealedStore, fails: fails)
        let api = MerchantAPI(
            gateway: Gateway(
                store: FaultyStore(store: store, faults: faulty.storeFaults, twin: twin), acquirer: acquirer, keys: keys
            ),
            sessions: Sessions(store: sealed, keys: keys),
            tokens: CardTokens(
                store: sealed, keys: keys,
                countMax: faulty.storeFaults.contains(.isFullOfTokens) ? 1 : CardTokens.countMaxDefault),
            merchants: MerchantDirectory([merchant]), reports: ReportArchive(), rates: rates,
            now: { LocalMerchant.instant })
        var request = try request(faulty, call)
        request.arrival = faulty.isOverRate ? arrival : nil
        switch api.answer(request) {
        case .now(let response): return response
        case .later(let respond): return await respond()
        case .laterOrCut: preconditionFailure("this API answers every request")
        }
    }

    private func merchant(of faulty: FaultyRequest) throws -> Merchant {
        Merchant(
            id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText(Self.password))],
            applePay: faulty.hasKeys ? opener : nil,
            tokenMatching: TokenMatching(total: .none, applicationData: faulty.applicationData),
            currencies: faulty.currencies, privileges: faulty.privileges,
            certificateFingerprints: [Self.certificate], requestsPerSecondMax: 1)
    }

    private func request(_ faulty: FaultyRequest, _ call: RefusalCall) throws -> Request {
        var fields = HTTPFields()
        let password = call.isPayer ? name(faulty.identifier) : Self.password
        switch faulty.password {
        case .right: fields[.authorization] = "Basic " + Base64.encoded(Array("merchant.M:\(password)".utf8))
        case .wrong: fields[.authorization] = "Basic " + Base64.encoded(Array("merchant.M:wrong".utf8))
        case .absent: break
        }
        if let hash = faulty.applicationDataHash, let name = HTTPField.Name("X-Cart-Hash") { fields[name] = hash }
        var path = "/api/rest/version/\(faulty.version)" + call.path(faulty, self)
        if faulty.isPathLonger { path += "/more/and/more" }
        if faulty.isPathBroken { path += "/%" }
        if let value = faulty.sensitiveData { path += "?responseControls.sensitiveData=\(value)" }
        var content = call.content(faulty, self)
        for (path, value) in faulty.changes.sorted(by: { $0.key < $1.key }) {
            content?.set(path.split(separator: ".").map(String.init)[...], value)
        }
        let body = (content?.serialized() ?? []) + (faulty.isJSONBroken ? [UInt8(ascii: "}")] : [])
        let certificate = faulty.hasCertificate ? ClientCertificate(verifiedFingerprint: Self.certificate) : nil
        return Request(
            head: HTTPRequest(
                method: faulty.method, scheme: "https", authority: "localhost", path: path, headerFields: fields),
            body: body, peer: Peer(address: "192.0.2.7", isLoopback: false, certificate: certificate))
    }

    /// The identifier of a session.
    func name(_ named: FaultyRequest.Named) -> String {
        switch named {
        case .good: names.session
        case .unknown: "SESSION0002000000000N00000000N0"
        case .neverUpdated: names.emptySession
        case .unfit: names.unfitSession
        case .malformed: String(repeating: "x", count: 41)
        }
    }
}
