import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

/// Sessions that vouch for an update of themselves.
struct SessionVoucherTests {
    private static let refused =
        #"{"error":{"cause":"INVALID_REQUEST","explanation":"Invalid credentials."},"result":"ERROR"}"#
    private static let update: JSONValue = ["customer": ["firstName": "Ada"]]
    private static let payerData: JSONValue = ["apiOperation": "UPDATE_PAYER_DATA", "customer": ["firstName": "Ada"]]

    private static func gate() throws -> Gate {
        try Gate(
            ["M", "OTHER", "OFF"].map { id in
                Merchant(
                    id: try MerchantID(id), passwords: [APIPassword(digesting: SecretText("random"))], applePay: nil,
                    isEnabled: id != "OFF")
            })
    }

    private static func session(_ gate: Gate, of merchant: String = "M", limit: Int64? = nil) async throws -> String {
        try await gate.sessions.create(
            for: try MerchantID(merchant), authenticationLimit: limit, at: TestPayment.instant
        ).id
    }

    private static func put(
        _ gate: Gate, _ session: String, password: String?, _ body: JSONValue = update, merchant: String = "M",
        version: Int = 100
    ) async throws -> Response {
        try await gate.ask(
            Gate.Question(
                method: .put, merchant: merchant, version: version, path: "/session/\(session)", password: password,
                body: body.serialized()))
    }

    @Test(arguments: [50, 61, 100])
    func `a session's identifier is a password for its update, as often as its limit says`(version: Int) async throws {
        let gate = try Self.gate()
        let session = try await Self.session(gate, limit: 2)
        for _ in 0..<2 {
            let response = try await Self.put(gate, session, password: session, version: version)
            #expect(response.status == 200)
            #expect(response.string("session.updateStatus") == "SUCCESS")
            #expect(response.string("customer.firstName") == "Ada")
        }
        let response = try await Self.put(gate, session, password: session, version: version)
        #expect(response.status == 401)
        #expect(response.text == Self.refused)
        #expect(response.head.headerFields[.wwwAuthenticate] == nil)
        // The merchant's own updates don't count.
        #expect(try await Self.put(gate, session, password: "random", version: version).status == 200)
    }

    @Test func `a session vouches for nothing but an update of itself`() async throws {
        let gate = try Self.gate()
        let session = try await Self.session(gate)
        let other = try await Self.session(gate)
        #expect(try await Self.put(gate, other, password: session).text == Self.refused)
        #expect(try await Self.put(gate, session, password: session, merchant: "OTHER").text == Self.refused)
        #expect(try await Self.put(gate, session, password: session.lowercased()).text == Self.refused)
        for (method, path) in [
            (HTTPRequest.Method.get, "/session/\(session)"), (.post, "/session"), (.get, "/order/1"),
            (.put, "/order/1/transaction/1"), (.post, "/token"), (.post, "/paymentOptionsInquiry"),
        ] {
            let question = Gate.Question(method: method, path: path, password: session, body: Array("{}".utf8))
            #expect(try await gate.ask(question).text == Self.refused, "\(path)")
        }
    }

    @Test func `a session that doesn't exist vouches for nothing, nor one of a disabled merchant`() async throws {
        let gate = try Self.gate()
        let none = "SESSION0002" + String(repeating: "1", count: 20)
        #expect(try await Self.put(gate, none, password: none).text == Self.refused)
        #expect(try await Self.put(gate, none, password: none, merchant: "UNKNOWN").text == Self.refused)
        let disabled = try await Self.session(gate, of: "OFF")
        #expect(try await Self.put(gate, disabled, password: disabled, merchant: "OFF").text == Self.refused)
    }

    @Test(arguments: [39, 49])
    func `before version 50 a phone updates payer data without credentials`(version: Int) async throws {
        let gate = try Self.gate()
        let session = try await Self.session(gate, limit: 1)
        let first = try await Self.put(gate, session, password: nil, Self.payerData, version: version)
        #expect(first.status == 200)
        let second = try await Self.put(gate, session, password: nil, Self.payerData, version: version)
        #expect(second.text == Self.refused)
        #expect(try await Self.put(gate, session, password: "wrong", Self.payerData, version: version).status == 401)
        // Another update is challenged like everything else.
        let challenged = try await Self.put(gate, session, password: nil, version: version)
        #expect(challenged.status == 401)
        #expect(challenged.head.headerFields[.wwwAuthenticate] != nil)
    }

    @Test func `from version 50 on nothing goes without credentials`() async throws {
        let gate = try Self.gate()
        let session = try await Self.session(gate)
        let response = try await Self.put(gate, session, password: nil, Self.payerData, version: 50)
        #expect(response.status == 401)
        #expect(response.head.headerFields[.wwwAuthenticate] != nil)
    }
}
