import Access
import ApplePaySandbox
import ControlAPI
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Payments
import Synchronization
import TestSupport
import Values
import Vault

/// A gateway with its control, asked in memory: what is under `/_tollgate/` and the merchants' API behind it.
struct TestControl: Sendable {
    static let password = "5f4dcc3b5aa765d61d8327deb882cf99"
    static let loopback = Peer(address: "127.0.0.1", isLoopback: true)

    let local: LocalMerchant
    let store: any PaymentStore
    let clock: SettableClock
    let machine = Machine()
    let control: ControlAPI
    let controlled: ControlledGateway
    let merchants: ControlledHandler
    private let api: MerchantAPI

    init(
        access: ControlAccess = .loopback, origins: ControlOrigins = ControlOrigins(), hasSandbox: Bool = true,
        hasKeys: Bool = true,
        merchantPort: UInt16? = nil,
        store: any PaymentStore & OrderListing = InMemoryStore(), explainsUnauthorized: Bool = false,
        pause: @escaping Pause = ScriptedAcquirer.sleep
    ) throws {
        let local = try LocalMerchant()
        let machine = machine
        let clock = SettableClock(machine: { machine.now }, offsetMilliseconds: 0, didChange: { machine.note($0) })
        let merchant = Merchant(
            id: try MerchantID("TESTMERCHANT"), passwords: [APIPassword(digesting: SecretText(Self.password))],
            applePay: hasKeys ? local.opener : nil)
        let other = Merchant(
            id: try MerchantID("OTHER"), passwords: [APIPassword(digesting: SecretText(Self.password))], applePay: nil)
        let directory = MerchantDirectory([merchant, other])
        let outcomes = OutcomeRegister()
        let events = EventLog()
        let requests = RequestLog(events: events)
        let references = ReferenceGenerator()
        let reports = ReportArchive()
        let acquirer = try TestSimulator.acquirer()
        let sealed = store as? InMemoryStore ?? InMemoryStore()
        let api = MerchantAPI(
            gateway: Gateway(
                store: store, acquirer: ScriptedAcquirer(acquirer, outcomes: outcomes, pause: pause),
                keys: try .test(), references: ReferenceNumbers(references)),
            sessions: Sessions(
                store: sealed, keys: try .test(), randomBytes: { references.bytes($0) }),
            tokens: CardTokens(store: sealed, keys: try .test(), randomBytes: { references.bytes($0) }),
            merchants: directory, reports: reports, explainsUnauthorized: explainsUnauthorized,
            now: { clock.now() })
        let sandbox = Sandbox(
            authority: local.authority, merchant: merchant.id, password: Self.password,
            merchantIdentifier: LocalMerchant.merchantIdentifier, certificate: "PEM")
        let merchants = ControlledHandler(
            requests: requests, events: events, showing: KnownMembers(paths: MerchantAPI.fieldPaths),
            now: { clock.now() }, pause: pause)
        let operatorAPI = api.forOperator
        let operations = MerchantOperations(
            retrieve: { operatorAPI.answer(operatorAPI.request(for: $0)) },
            perform: { key, transaction, content, peer in
                let request = operatorAPI.request(for: key, transaction: (transaction, content), peer: peer)
                return merchants.answer(
                    request, tracing: RequestTrace(), isOperators: true, by: operatorAPI.answer)
            })
        let controlled = ControlledGateway(
            store: store,
            merchantReset: MerchantReset(
                store: store, keys: try .test(), purposes: [.session, .cardToken],
                outbox: Outbox(store: sealed, keys: try .test())),
            operations: operations, merchants: directory, sandbox: hasSandbox ? sandbox : nil, clock: clock,
            references: references, reports: reports, requests: requests, events: events, outcomes: outcomes,
            acquirer: acquirer, isRadialStore: { $0.id == other.id }, openAPI: { Array("openapi: 3.1.0\n".utf8) })
        self.local = local
        self.store = store
        self.clock = clock
        self.controlled = controlled
        control = ControlAPI(controlled, access: access, origins: origins, merchantPort: merchantPort, pause: pause)
        self.merchants = merchants
        self.api = api
    }

    /// Gives a request to control and, if it is not for control, to the merchants' API.
    func answer(_ request: Request) -> Answer {
        control.answer(request) ?? merchants.answer(request, tracing: RequestTrace(), by: api.answer)
    }

    /// Sends a request; nothing comes back if it is cut.
    func send(_ request: Request) async -> Response? { await Self.response(to: answer(request)) }

    static func response(to answer: Answer) async -> Response? {
        switch answer {
        case .now(let response): response
        case .later(let operation): await operation()
        case .laterOrCut(let operation): await operation()
        }
    }

    /// Sends a request to control from this machine.
    func control(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> Response {
        guard let response = await send(.to(method, "/_tollgate/" + path, body)) else { throw Cut() }
        return response
    }

    /// Sends a plain card's payment.
    func pay(
        _ transaction: String = "1", order: String = "order-1", amount: String = "10.00", password: String = password
    ) async -> Response? {
        await send(.payment(transaction, order: order, amount: amount, password: password))
    }

    /// A request got no response.
    struct Cut: Error {}
}

/// The machine's clock, which stands still, and what was written down of the gateway's.
final class Machine: Sendable {
    private let noted = Mutex<[Int64]>([])

    var now: Instant { LocalMerchant.instant }
    var notedOffsets: [Int64] { noted.withLock { $0 } }
    func note(_ offset: Int64) { noted.withLock { $0.append(offset) } }
}

extension Request {
    /// A request from this machine, unless something else is said.
    static func to(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", host: String? = "127.0.0.1:8080",
        peer: Peer? = TestControl.loopback, fields: [(String, String)] = []
    ) -> Request {
        var headerFields = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
        }
        return Request(
            head: HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headerFields),
            body: Array(body.utf8), peer: peer)
    }

    /// A plain card's payment.
    static func payment(
        _ transaction: String = "1", order: String = "order-1", amount: String = "10.00",
        password: String = TestControl.password
    ) -> Request {
        let card: JSONValue = [
            "expiry": ["month": "07", "year": "31"], "nameOnCard": "Ada Payer", "number": "4508750015741019",
            "securityCode": "737",
        ]
        let body: JSONValue = [
            "apiOperation": "PAY", "order": ["amount": .string(amount), "currency": "USD"],
            "sourceOfFunds": ["provided": ["card": card], "type": "CARD"],
        ]
        let credentials = Base64.encoded(Array("merchant.TESTMERCHANT:\(password)".utf8))
        return .to(
            .put, "/api/rest/version/100/merchant/TESTMERCHANT/order/\(order)/transaction/\(transaction)",
            String(decoding: body.serialized(), as: UTF8.self), fields: [("Authorization", "Basic " + credentials)])
    }
}

extension Response {
    var status: Int { head.status.code }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// As much as a whole log may hold.
    private static let limits = JSONLimits(bytesMax: 1 << 22, valuesMax: 1 << 20)

    /// The value at a dotted path of the content.
    subscript(path: String) -> JSONValue? {
        path.split(separator: ".").reduce(try? JSONValue(parsing: body, limits: Self.limits)) { $0?[String($1)] }
    }

    /// The text at a dotted path of the content.
    func string(_ path: String) -> String? {
        guard case .string(let text) = self[path] else { return nil }
        return text
    }

    /// The elements at a path of the content.
    func elements(_ path: String) -> [JSONValue] {
        guard case .array(let elements) = self[path] else { return [] }
        return elements
    }

    /// Status and field of an error, in one line.
    var refusal: String { "\(status) \(string("error.field") ?? "-")" }
}
