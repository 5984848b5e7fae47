import HTTP
import HTTPTypes
import JSON
import OpenSSL
import Payments
import TestSupport
import Testing
import Values

/// Identifiers that would be mistaken for something else, in paths and in fields.
struct IdentifierTests {
    /// Percent-encoded; the whole of `.` and `..`, and characters that no text shows or that turn what follows around.
    static let refused = [
        "%2E", "%2E%2E", ".", "..", "a%C2%85b", "a%D8%9Cb", "a%E2%80%8Eb", "a%E2%80%8Fb",
        "a%E2%80%AAb", "a%E2%80%ABb", "a%E2%80%ACb", "a%E2%80%ADb", "a%E2%80%AEb", "a%E2%81%A6b", "a%E2%81%A7b",
        "a%E2%81%A8b", "a%E2%81%A9b", "a%E2%80%A8b", "a%E2%80%A9b",
    ]

    @Test(arguments: refused)
    func `such an identifier in the path is refused by its field`(text: String) async throws {
        let api = try TestAPI()
        let body = String(decoding: try Example.plain().serialized(), as: UTF8.self)
        for (method, path, field) in [
            (HTTPRequest.Method.put, "/order/\(text)/transaction/1", "order.id"),
            (.get, "/order/\(text)", "order.id"), (.get, "/order/\(text)/transaction/1", "order.id"),
            (.put, "/order/1/transaction/\(text)", "transaction.id"),
            (.get, "/order/1/transaction/\(text)", "transaction.id"),
            (.get, "/session/\(text)", "session.id"), (.put, "/session/\(text)", "session.id"),
            (.get, "/token/\(text)", "token"), (.put, "/token/\(text)", "token"), (.delete, "/token/\(text)", "token"),
        ] {
            let response = await api.send(method, TestAPI.base + path, body: method == .put ? body : "")
            #expect(response.status == 400, "\(path)")
            #expect(response.string("error.field") == field, "\(method) \(path): \(response.text)")
            #expect(response.string("error.validationType") == "INVALID")
        }
        #expect(api.acquirer.commands.isEmpty)
    }

    @Test(arguments: [".", "..", "a\u{202E}b", "a\u{2066}b", "a\u{61C}b", "a\u{200F}b", "a\nb"])
    func `such an identifier in a field is refused by its name`(text: String) async throws {
        let api = try TestAPI()
        let void = await api.put(["apiOperation": "VOID", "transaction": ["targetTransactionId": .string(text)]])
        #expect(void.string("error.field") == "transaction.targetTransactionId")
        let session = await api.put(["apiOperation": "PAY", "session": ["id": .string(text)]])
        #expect(session.string("error.field") == "session.id", "\(session.text)")
    }

    @Test(arguments: ["a.b", "...", ".a", "ÄÖ-1", "注文1", "a b", "שלום"])
    func `any other identifier is one`(text: String) async throws {
        let encoded = text.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
        let path = "\(TestAPI.base)/order/\(encoded)/transaction/\(encoded)"
        let response = await (try TestAPI()).put(try Example.plain(), path)
        #expect(response.status == 201)
        #expect(response.string("order.id") == text && response.string("transaction.id") == text)
    }

    @Test(arguments: [
        "responseControls%2EsensitiveData=UNMASK", "responseControls.sensitiveData=UNM%41SK",
        "a=1&%72esponseControls.sensitiveData=UNMASK&b",
    ])
    func `a query is read as what it stands for`(query: String) async throws {
        let certificate = SHA256.hash(Array("a certificate".utf8))
        let gate = try Gate([
            Merchant(
                id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))], applePay: nil,
                privileges: Set(Privilege.allCases), certificateFingerprints: [certificate])
        ])
        #expect(try await gate.put(try Example.plain()).status == 201)
        let shown = try await gate.ask(Gate.Question(path: "/order/1?\(query)", certificate: certificate))
        #expect(shown.string("sourceOfFunds.provided.card.number") == "5123450000000008")
        let refused = try await gate.ask(Gate.Question(path: "/order/1?\(query)"))
        #expect(refused.string("error.field") == "responseControls.sensitiveData")
    }

    @Test func `a query that can't be decoded asks for nothing`() async throws {
        let api = try TestAPI()
        #expect(await api.put(try Example.plain()).status == 201)
        let path = TestAPI.path.split(separator: "/transaction").first.map(String.init) ?? ""
        #expect(await api.send(.get, path + "?responseControls%2sensitiveData=UNMASK").status == 200)
    }
}
