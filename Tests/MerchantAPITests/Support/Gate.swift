import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Payments
import TestSupport
import Values
import Vault

/// The API over merchants that a test configures, asked over connections that may have a certificate.
struct Gate {
    let api: MerchantAPI
    let merchants: MerchantDirectory
    let acquirer: ObservedAcquirer
    let sessions: Sessions

    init(
        _ merchants: [Merchant], store: any PaymentStore = InMemoryStore(),
        sealedStore: any SealedStore = InMemoryStore(), keys: KeyRing? = nil, at instant: Instant = TestPayment.instant
    ) throws {
        self.merchants = MerchantDirectory(merchants)
        acquirer = ObservedAcquirer(answers: try TestSimulator.acquirer())
        let keys = try keys ?? KeyRing.test()
        sessions = Sessions(store: sealedStore, keys: keys)
        api = MerchantAPI(
            gateway: Gateway(store: store, acquirer: acquirer, keys: keys),
            sessions: sessions, tokens: CardTokens(store: sealedStore, keys: keys), merchants: self.merchants,
            reports: ReportArchive(), now: { instant })
    }

    /// What is asked: of whom, by whom, with what.
    struct Question {
        var method = HTTPRequest.Method.get
        var merchant = "M"
        var version = 100
        /// What follows the merchant in the path.
        var path = "/order/1"
        var password: String? = "random"
        var peer = "192.0.2.7"
        /// The fingerprint of the connection's certificate.
        var certificate: [UInt8]?
        var fields: [(name: String, value: String)] = []
        var body: [UInt8] = []
    }

    func answer(_ question: Question) throws -> Answer {
        var fields = HTTPFields()
        fields[.authorization] = question.password.map {
            "Basic " + Base64.encoded(Array("merchant.\(question.merchant):\($0)".utf8))
        }
        for field in question.fields {
            guard let name = HTTPField.Name(field.name) else { throw NoFieldName() }
            fields.append(HTTPField(name: name, value: field.value))
        }
        let head = HTTPRequest(
            method: question.method, scheme: "https", authority: "localhost",
            path: "/api/rest/version/\(question.version)/merchant/\(question.merchant)\(question.path)",
            headerFields: fields)
        let peer = Peer(
            address: question.peer, isLoopback: false,
            certificate: question.certificate.map { ClientCertificate(verifiedFingerprint: $0) })
        return api.answer(Request(head: head, body: question.body, peer: peer))
    }

    func ask(_ question: Question) async throws -> Response {
        switch try answer(question) {
        case .now(let response): return response
        case .later(let respond): return await respond()
        case .laterOrCut: preconditionFailure("this API answers every request")
        }
    }

    /// Asks for an order that nobody has.
    func ask(
        _ merchant: String, password: String?, peer: String = "192.0.2.7", certificate: [UInt8]? = nil
    ) async throws -> Response {
        try await ask(Question(merchant: merchant, password: password, peer: peer, certificate: certificate))
    }

    /// Puts a transaction.
    func put(_ body: JSONValue, order: String = "1", _ change: (inout Question) -> Void = { _ in }) async throws
        -> Response
    {
        var question = Question()
        (question.method, question.path, question.body) = (.put, "/order/\(order)/transaction/1", body.serialized())
        change(&question)
        return try await ask(question)
    }

    /// The name of a header field is none.
    struct NoFieldName: Error {}
}
