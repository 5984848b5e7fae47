import Access
import HTTP
import HTTPTypes
import HostedPages
import JSON
import Payments
import TestSupport
import Values

/// The pages of a sandbox, asked in memory at a clock that the test owns.
struct TestPages: Sendable {
    static let origin = "http://shop.example:3000"

    let local: LocalMerchant
    let clock = TestClock(LocalMerchant.instant)
    private let pages: HostedPages

    init(isEnabled: Bool = true) throws {
        let local = try LocalMerchant()
        let clock = clock
        let merchant = Merchant(
            id: try MerchantID("TESTMERCHANT"), passwords: [], applePay: local.opener, isEnabled: isEnabled)
        pages = HostedPages(
            merchants: MerchantDirectory([merchant]), authority: local.authority, now: { clock.now })
        self.local = local
    }

    /// Sends a request; nil if it is for another API.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", _ fields: HTTPFields = [:],
        scheme: String = "http", certificate: ClientCertificate? = nil, trace: RequestTrace = RequestTrace()
    ) async -> Response? {
        let head = HTTPRequest(
            method: method, scheme: scheme, authority: "127.0.0.1:8080", path: path, headerFields: fields)
        let peer = Peer(address: "127.0.0.1", isLoopback: true, certificate: certificate)
        switch pages.answer(Request(head: head, body: Array(body.utf8), peer: peer), tracing: trace) {
        case .now(let response): return response
        case .later(let operation): return await operation()
        case .laterOrCut(let operation): return await operation()
        case nil: return nil
        }
    }

    /// Asks for a merchant session as a shop's server.
    func session(
        _ body: String? = nil, at path: String = "/paymentservices/paymentSession", _ fields: HTTPFields = [:]
    ) async throws -> Reply {
        try Reply(await send(.post, path, body ?? Self.wanted(domain: "shop.example"), fields))
    }

    /// Posts as a page.
    func post(_ path: String, _ body: String, from origin: String? = origin) async throws -> Reply {
        var fields: HTTPFields = [.contentType: "application/json"]
        fields[.origin] = origin
        return try Reply(await send(.post, path, body, fields))
    }

    /// Redeems a merchant session.
    func redeem(_ session: JSONValue, from origin: String? = origin) async throws -> Reply {
        try await post("/apple-pay/redeem", JSONValue.object(["merchantSession": session]).text, from: origin)
    }

    /// A new grant for pages of ``origin``.
    func grant() async throws -> String {
        guard case .string(let grant) = try await redeem(try await session().json)["grant"] else { throw Missing() }
        return grant
    }

    /// Asks for a token of 5656.00 US dollars.
    func token(_ grant: String, _ changes: JSONObject = [:], from origin: String? = origin) async throws -> Reply {
        var order: JSONObject = [
            "amount": "5656.00", "card": "visa", "countryCode": "US", "currencyCode": "USD", "grant": .string(grant),
        ]
        for (name, value) in changes { order[name] = value }
        return try await post("/apple-pay/token", JSONValue.object(order).text, from: origin)
    }

    /// The content of a request for a merchant session.
    static func wanted(domain: String, identifier: String = LocalMerchant.merchantIdentifier) -> String {
        #"{"merchantIdentifier":"\#(identifier)","displayName":"Shop","initiative":"web","initiativeContext":"\#(domain)"}"#
    }

    struct Missing: Error {}
}

/// A reply in JSON.
struct Reply {
    let status: Int
    let fields: HTTPFields
    let json: JSONValue

    init(_ response: Response?) throws {
        guard let response else { throw TestPages.Missing() }
        status = response.head.status.code
        fields = response.head.headerFields
        json = response.body.isEmpty ? .null : try JSONValue(parsing: response.body)
    }

    subscript(name: String) -> JSONValue? { json[name] }

    var message: String {
        guard case .string(let text) = json["statusMessage"] else { return "" }
        return text
    }
}

extension JSONValue {
    var text: String { String(decoding: serialized(), as: UTF8.self) }
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
