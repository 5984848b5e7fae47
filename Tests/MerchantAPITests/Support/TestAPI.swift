import ApplePay
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Payments
import Synchronization
import TestSupport
import Values
import Vault

/// The API over an empty store, asked in memory.
struct TestAPI {
    static let password = "5f4dcc3b5aa765d61d8327deb882cf99"
    static let otherPassword = "0cc175b9c0f1b6a831c399e269772661"
    static let path = "/api/rest/version/71/merchant/TESTMERCHANT/order/844205983/transaction/950596203"

    let api: MerchantAPI
    /// What the acquirer was asked.
    let acquirer: ObservedAcquirer
    let clock: TestClock
    /// The reports of refused tokens.
    let reports = ReportArchive()
    let sessions: Sessions
    let tokens: CardTokens

    init(
        applePay: TokenOpener? = nil, store: any PaymentStore = InMemoryStore(),
        sealedStore: any SealedStore = InMemoryStore(), acquirer simulator: SimulatedAcquirer? = nil,
        latestVersion: Int = 100, explainsUnauthorized: Bool = false, at instant: Instant = TestPayment.instant
    ) throws {
        let acquirer = ObservedAcquirer(answers: try simulator ?? TestSimulator.acquirer())
        let clock = TestClock(instant)
        self.acquirer = acquirer
        self.clock = clock
        let merchants = try ["TESTMERCHANT", "TESTOTHER"].map { id in
            Merchant(
                id: try MerchantID(id),
                passwords: [Self.password, Self.otherPassword].map { APIPassword(digesting: SecretText(id + $0)) },
                applePay: applePay, currencies: id == "TESTOTHER" ? [.usd] : nil)
        }
        sessions = Sessions(store: sealedStore, keys: try .test())
        tokens = CardTokens(store: sealedStore, keys: try .test())
        api = MerchantAPI(
            gateway: try Gateway.test(store: store, acquirer: acquirer), sessions: sessions, tokens: tokens,
            merchants: MerchantDirectory(merchants), reports: reports, latestVersion: latestVersion,
            explainsUnauthorized: explainsUnauthorized, now: { clock.now })
    }

    /// The credentials of a merchant, by its first password.
    static func credentials(_ merchant: String = "TESTMERCHANT") -> String {
        "Basic " + Base64.encoded(Array("merchant.\(merchant):\(merchant)\(password)".utf8))
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String = path, body: String = "",
        authorization: [String] = [credentials()], contentType: String? = nil
    ) async -> Response {
        await send(
            method, path, bytes: Array(body.utf8), authorization: authorization, contentType: contentType)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String = path, bytes: [UInt8],
        authorization: [String] = [credentials()], contentType: String? = nil
    ) async -> Response {
        var fields = HTTPFields()
        fields[values: .authorization] = authorization
        fields[.contentType] = contentType
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        switch api.answer(Request(head: head, body: bytes)) {
        case .now(let response): return response
        case .later(let respond): return await respond()
        case .laterOrCut: preconditionFailure("this API answers every request")
        }
    }

    func put(_ body: JSONValue, _ path: String = path) async -> Response {
        await send(.put, path, bytes: body.serialized())
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) { self.instant = Mutex(instant) }

    var now: Instant { instant.withLock { $0 } }

    func advance(byMilliseconds milliseconds: Int64) {
        instant.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
    }
}

/// An acquirer that keeps what it was asked.
final class ObservedAcquirer: Acquirer {
    private let acquirer: any Acquirer
    private let asked = Mutex<[AcquirerCommand]>([])

    init(answers acquirer: any Acquirer) { self.acquirer = acquirer }

    var commands: [AcquirerCommand] { asked.withLock { $0 } }

    func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        asked.withLock { $0.append(command) }
        return await acquirer.answer(command)
    }
}

/// The seed's second example as printed, its X replaced by 0 as the page says.
enum Example {
    static let text = #"""
        { "apiOperation": "AUTHORIZE", "order": { "amount": "30.10", "currency": "USD", "walletProvider": "APPLE_PAY"
        }, "sourceOfFunds": { "provided": { "card": { "number": "5123450000000008", "expiry": { "month": "01", "year":
        "39" }, "devicePayment": { "cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram":
        "IA/8pdiWftSsxpFT6wABoDABhgA=", "eciIndicator": "20" } } }, "type": "CARD" }, "device": { "ani": "12341234" },
        "transaction": { "source": "INTERNET" } }
        """#

    /// The example as a value, changed at dotted paths; nil removes a member.
    static func changed(_ changes: KeyValuePairs<String, JSONValue?> = [:]) throws -> JSONValue {
        var value = try JSONValue(parsing: text)
        for (path, replacement) in changes { value.set(path.split(separator: ".").map(String.init)[...], replacement) }
        return value
    }

    /// A plain card's request.
    static func plain(_ changes: KeyValuePairs<String, JSONValue?> = [:]) throws -> JSONValue {
        var value = try changed([
            "order.walletProvider": .none, "sourceOfFunds.provided.card.devicePayment": .none,
            "sourceOfFunds.provided.card.securityCode": "100",
        ])
        for (path, replacement) in changes { value.set(path.split(separator: ".").map(String.init)[...], replacement) }
        return value
    }

    /// A request that pays with a token.
    static func token(_ token: JSONValue, _ changes: KeyValuePairs<String, JSONValue?> = [:]) throws -> JSONValue {
        var value = try changed([
            "sourceOfFunds.provided.card": ["devicePayment": ["paymentToken": token]]
        ])
        for (path, replacement) in changes { value.set(path.split(separator: ".").map(String.init)[...], replacement) }
        return value
    }
}

extension JSONValue {
    mutating func set(_ path: ArraySlice<String>, _ value: JSONValue?) {
        guard let name = path.first else { return }
        var members = JSONObject()
        if case .object(let present) = self { members = present }
        if path.count == 1 {
            members[name] = value
        } else {
            var inner = members[name] ?? .object(JSONObject())
            inner.set(path.dropFirst(), value)
            members[name] = inner
        }
        self = .object(members)
    }

    /// A number by its text.
    static func decimal(_ text: String) -> JSONValue {
        guard let number = JSONNumber(text) else { preconditionFailure("\(text) is a number") }
        return .number(number)
    }

    /// The value at a dotted path.
    func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension Response {
    var value: JSONValue? { try? JSONValue(parsing: body) }
    var text: String { String(decoding: body, as: UTF8.self) }
    func string(_ path: String) -> String? { value?.at(path)?.string }

    /// Status, field, validation type and explanation of an error, in one line.
    var refusal: String {
        let parts = [string("error.field"), string("error.validationType"), string("error.explanation")]
        return ([String(status)] + parts.map { $0 ?? "-" }).joined(separator: " | ")
    }

    var status: Int { head.status.code }
}
