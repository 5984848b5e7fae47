import Access
import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import OperationsAPI
import Payments
import Synchronization
import TestSupport
import Values
import Vault

/// A gateway that is watched, asked in memory. Its monotonic clock goes on by a millisecond whenever it is read.
struct TestGateway: Sendable {
    static let password = "5f4dcc3b5aa765d61d8327deb882cf99"
    static let peer = Peer(address: "192.0.2.7", isLoopback: false)

    let local: LocalMerchant
    let output = TestOutput()
    let log: AccessLog
    let metrics: GatewayMetrics
    private let observed: ObservedHandler
    private let api: MerchantAPI

    init(
        store: any PaymentStore = InMemoryStore(), explainsUnauthorized: Bool = false,
        form: AccessLogForm = .json
    ) throws {
        let local = try LocalMerchant()
        let merchant = Merchant(
            id: try MerchantID("TESTMERCHANT"), passwords: [APIPassword(digesting: SecretText(Self.password))],
            applePay: local.opener)
        let directory = MerchantDirectory([merchant])
        let references = ReferenceGenerator()
        api = MerchantAPI(
            gateway: Gateway(
                store: store, acquirer: try TestSimulator.acquirer(), keys: try .test(),
                references: ReferenceNumbers(references)),
            sessions: Sessions(store: InMemoryStore(), keys: try .test(), randomBytes: { references.bytes($0) }),
            tokens: CardTokens(store: InMemoryStore(), keys: try .test(), randomBytes: { references.bytes($0) }),
            merchants: directory, reports: ReportArchive(), explainsUnauthorized: explainsUnauthorized,
            now: { LocalMerchant.instant })
        let clock = TestClock()
        let output = output
        let log = AccessLog(
            form, monotonic: { clock.read() }, machine: { LocalMerchant.instant }, write: { output.write($0) })
        let requests = RequestMetrics(MerchantAPI.operations)
        metrics = GatewayMetrics(
            requests: requests, merchants: directory, now: { LocalMerchant.instant },
            serverCertificate: { nil },
            storeBatches: [("transactions", BatchSizes())], storeFailures: StoreFailureCounts(),
            connections: { [GatewayMetrics.Connections(listener: "merchants")] },
            droppedLogLines: { log.droppedCount }, version: "1.0.0")
        observed = ObservedHandler(requests, log: log, monotonic: { clock.read() })
        self.local = local
        self.log = log
    }

    /// Sends a request; nothing comes back if it is cut.
    @discardableResult
    func send(_ request: Request) async -> Response? {
        await Self.response(to: observed.answer(request) { api.answer($0, tracing: $1) })
    }

    /// Sends a request that another handler answers.
    func send(_ request: Request, by handler: (Request, RequestTrace) -> Answer) async -> Response? {
        await Self.response(to: observed.answer(request, by: handler))
    }

    private static func response(to answer: Answer) async -> Response? {
        switch answer {
        case .now(let response): response
        case .later(let operation): await operation()
        case .laterOrCut(let operation): await operation()
        }
    }

    /// The lines of the access log so far.
    func lines() throws -> [JSONValue] {
        log.begin()
        log.finish(withinMilliseconds: 60_000)
        return try output.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// What is counted.
    func counted() throws -> Exposition {
        try Exposition(String(decoding: metrics.response.body, as: UTF8.self))
    }
}

/// Keeps what a log writes, unless it is held back.
final class TestOutput: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func write(_ lines: [UInt8]) -> Int {
        bytes.withLock { $0 += lines }
        return 0
    }
}

/// A monotonic clock.
private final class TestClock: Sendable {
    private let reading = Mutex<UInt64>(1_000_000_000)

    func read() -> UInt64 {
        reading.withLock { reading in
            reading += 1_000_000
            return reading
        }
    }
}

extension Request {
    /// A request to the merchants' API.
    static func to(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", password: String? = TestGateway.password,
        scheme: String = "http", version: HTTPVersion = .http11
    ) -> Request {
        var fields = HTTPFields()
        if let password {
            fields[.authorization] = "Basic " + Base64.encoded(Array("merchant.TESTMERCHANT:\(password)".utf8))
        }
        return Request(
            head: HTTPRequest(
                method: method, scheme: scheme, authority: "127.0.0.1:8080", path: path, headerFields: fields),
            body: Array(body.utf8), peer: TestGateway.peer, version: version)
    }

    static let base = "/api/rest/version/100/"
    static let merchant = base + "merchant/TESTMERCHANT/"

    /// A payment with a plain card.
    static func payment(
        _ transaction: String = "1", order: String = "order-1", amount: String = "10.00",
        number: String = "4508750015741019", password: String = TestGateway.password
    ) -> Request {
        let body: JSONValue = [
            "apiOperation": "PAY", "order": ["amount": .string(amount), "currency": "USD"],
            "sourceOfFunds": [
                "provided": [
                    "card": [
                        "expiry": ["month": "07", "year": "31"], "nameOnCard": "Ada Payer", "number": .string(number),
                        "securityCode": "737",
                    ]
                ], "type": "CARD",
            ],
        ]
        return .to(
            .put, merchant + "order/\(order)/transaction/\(transaction)",
            String(decoding: body.serialized(), as: UTF8.self), password: password)
    }

    /// A payment with a token.
    static func token(_ token: String, amount: String, order: String = "order-1") -> Request {
        let body = """
            {"apiOperation":"AUTHORIZE","order":{"amount":"\(amount)","currency":"USD","walletProvider":"APPLE_PAY"},\
            "sourceOfFunds":{"type":"CARD","provided":{"card":{"devicePayment":{"paymentToken":\
            \(String(decoding: JSONValue.string(token).serialized(), as: UTF8.self))}}}}}
            """
        return .to(.put, merchant + "order/\(order)/transaction/1", body)
    }
}
