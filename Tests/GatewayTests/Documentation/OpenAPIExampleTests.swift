import JSON
import TestSupport
import Testing

@testable import MerchantAPI
@testable import Payments

/// The examples of `openapi.yaml`, sent for real, and requests that have every member at once.
struct OpenAPIExampleTests {
    private let description: OpenAPIDescription

    init() throws { description = try OpenAPIDescription.ofRepository.get() }

    /// One example of a request.
    private struct Example {
        let name: String
        let method: String
        let path: String
        let schema: JSONValue
        let value: JSONValue
        let status: Int
    }

    @Test func `every example is lawful by its schema, and works against a fresh sandbox`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let examples = try description.operations.sorted { $0.path < $1.path }.flatMap(examples)
        #expect(examples.count > 30)
        for example in examples {
            #expect(try description.schemas.faults(of: example.value, by: example.schema) == [], "\(example.name)")
            let path = try example.path.contains("{") ? made(example.path, gateway) : example.path
            let reply = try gateway.send(example.method, path, example.value.serialized())
            #expect(reply.status == example.status, "\(example.name): \(reply.text)")
        }
    }

    @Test(arguments: PaymentOperation.allCases)
    func `a request with every member of its table is carried out, and its reply is as described`(
        operation: PaymentOperation
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let first = PaymentRequest.body(amount: "5656.00", wallet: nil, card: Self.card)
        var request = Self.sample(PaymentFields.of(operation), "")
        request.put(["apiOperation"], .string(operation.rawValue))
        request.put(["session"], nil)
        request.put(["responseControls"], nil)
        request.put(["order", "id"], "order-1")
        request.put(["transaction", "id"], "2")
        switch operation {
        case .authorize, .pay, .verify:
            request.put(["sourceOfFunds"], ["provided": ["card": Self.card], "type": "CARD"])
            request.put(["order", "walletProvider"], "GOOGLE_PAY")
        case .capture, .updateAuthorization, .void:
            #expect(try gateway.put(TransactionPath(), first).status == 201)
            request.put(["transaction", "targetTransactionId"], operation == .void ? "1" : nil)
        case .refund:
            let payment = PaymentRequest.body(amount: "5656.00", operation: "PAY", wallet: nil, card: Self.card)
            #expect(try gateway.put(TransactionPath(), payment).status == 201)
            request.put(["sourceOfFunds"], ["type": "CARD"])
            request.put(["transaction", "targetTransactionId"], "1")
        }
        let body = request.serialized()
        let schema = try description.schemas.resolved("#/components/schemas/TransactionRequest")
        #expect(try description.schemas.faults(of: request, by: schema) == [])
        // What `send` and `get` are answered is held to the description there.
        let reply = try gateway.put(TransactionPath(transaction: "2"), body)
        #expect(reply.status == 201, "\(reply.text)")
        #expect(try gateway.get(TransactionPath(transaction: "2")).status == 200)
        #expect(try gateway.send("GET", TransactionPath().ofOrder).status == 200)
        for version in [22, 30, 46, 49, 56, 57, 71] {
            let path = TransactionPath().ofOrder.replacing("version/100", with: "version/\(version)")
            #expect(try gateway.send("GET", path).status == 200)
        }
    }

    @Test func `a session with every member is shown as described`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let path = try made("/api/rest/version/100/merchant/TESTMERCHANT/session/{sessionId}", gateway)
        var content = Self.sample(PaymentFields.session, "")
        // What concerns the request itself is not stored.
        for name in ["apiOperation", "correlationId", "session"] { content.put([name], nil) }
        content.put(["sourceOfFunds", "token"], nil)
        content.put(["sourceOfFunds", "provided"], ["card": Self.card])
        let schema = try description.schemas.resolved("#/components/schemas/UpdateSessionRequest")
        #expect(try description.schemas.faults(of: content, by: schema) == [])
        let reply = try gateway.send("PUT", path, content.serialized())
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try gateway.send("GET", path).body == reply.body)
    }

    private static let card: JSONValue = [
        "expiry": ["month": "01", "year": "39"], "nameOnCard": "A. Payer", "number": "5123450000000008",
        "securityCode": "100", "storedOnFile": "TO_BE_STORED",
    ]

    private func examples(_ operation: OpenAPIDescription.Operation) throws -> [Example] {
        guard let content = operation.content["requestBody"]?["content"]?["application/json"],
            case .object(let examples) = content["examples"], let schema = content["schema"]
        else { return [] }
        let status = operation.status
        return try ordered(examples.map { ($0.name, $0.value) }).map { name, example in
            let parameters = description.document["components"]?["parameters"]
            var path = operation.path.replacing("{version}", with: "100")
                .replacing("{merchantId}", with: "TESTMERCHANT")
            for parameter in ["orderId", "transactionId"] where path.contains("{\(parameter)}") {
                let value = parameters?[parameter]?["examples"]?[name]?["value"]?.text
                path = path.replacing("{\(parameter)}", with: try #require(value, "\(name) has no \(parameter)"))
            }
            return Example(
                name: "\(operation.id) \(name)", method: operation.method, path: path, schema: schema,
                value: try #require(example["value"]), status: status)
        }
    }

    /// Examples in the order in which transactions follow each other.
    private func ordered(_ examples: [(String, JSONValue)]) -> [(String, JSONValue)] {
        let ids = description.document["components"]?["parameters"]?["transactionId"]?["examples"]
        return examples.sorted { (ids?[$0.0]?["value"]?.text ?? "") < (ids?[$1.0]?["value"]?.text ?? "") }
    }

    /// A path to a session or token that was made for it.
    private func made(_ path: String, _ gateway: RunningGateway) throws -> String {
        let base = "/api/rest/version/100/merchant/TESTMERCHANT"
        if path.hasSuffix("{sessionId}") {
            let id = try gateway.send("POST", base + "/session", Array("{}".utf8))["session.id"]
            return path.replacing("{sessionId}", with: try #require(id))
        }
        let card: JSONValue = ["sourceOfFunds": ["provided": ["card": Self.card]]]
        let token = try gateway.send("POST", base + "/token", card.serialized())["token"]
        return path.replacing("{tokenId}", with: try #require(token))
    }
}

extension OpenAPIDescription.Operation {
    /// The status of success.
    var status: Int {
        guard case .object(let responses) = content["responses"] else { return 0 }
        return responses.lazy.compactMap { Int($0.name) }.first { $0 < 300 } ?? 0
    }
}

extension OpenAPIExampleTests {
    /// An object with every member of a table but those that aren't served.
    fileprivate static func sample(_ table: RequestFields, _ path: String) -> JSONValue {
        var members = JSONObject()
        for (name, entry) in table.entries {
            switch entry {
            case .object(let fields):
                let inner = sample(fields, path + name + ".")
                if inner != [:] { members[name] = inner }
            case .array(let fields, _): members[name] = [sample(fields, path + name + "[].")]
            case .custom(let rule, _): members[name] = ["shop1": rule.sample(path)]
            case .field(let rule, _): members[name] = rule.sample(path + name)
            case .unsupported: break
            }
        }
        return .object(members)
    }
}

extension FieldRule {
    /// A value that the rule takes.
    fileprivate func sample(_ path: String) -> JSONValue {
        switch self {
        case .text(let length): .string(String(repeating: "a", count: min(length.upperBound, 60)))
        case .pattern(let length, let pattern): .string(pattern.sample(length, path))
        case .enumeration(let names, _): .string(names.first ?? "")
        case .amount: "12.50"
        case .signedAmount: "-0.50"
        case .decimal: "1.5"
        case .integer(let range): .number(JSONNumber(range.upperBound))
        case .boolean: true
        case .month: "05"
        case .year: "39"
        case .secret, .encryptedToken: "secret"
        }
    }
}

extension FieldPattern {
    fileprivate func sample(_ length: ClosedRange<Int>, _ path: String) -> String {
        switch self {
        case .alphabeticCode: path.hasSuffix("currency") ? "USD" : "NZL"
        case .alphanumeric: String(repeating: "7", count: length.upperBound)
        case .ascii: String(repeating: "~", count: length.upperBound)
        case .carrierCode: "ZZ/999"
        case .date: "2026-02-28"
        case .digits: String(repeating: "1", count: length.upperBound)
        case .email: "a@b.example"
        case .ipAddress: "2001:db8::1"
        case .postcode: "SW1A 1AA"
        case .time: "13:30+12:00"
        case .url: "https://shop.example/x"
        }
    }
}

extension JSONValue {
    /// Puts a value at a path of names, or removes what is there.
    fileprivate mutating func put(_ path: [String], _ value: JSONValue?) {
        guard let name = path.first, case .object(var members) = self else { return }
        if path.count == 1 {
            members[name] = value
        } else {
            var inner = members[name] ?? [:]
            inner.put(Array(path.dropFirst()), value)
            members[name] = inner
        }
        self = .object(members)
    }
}
