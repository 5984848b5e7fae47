import ApplePay
import Foundation
import HTTP
import HTTPTypes
import JSON
import Payments
import Testing
import TestSupport
import Values

/// The documentation's sample request, whose token Apple really signed.
struct RecordedTokenTests {
    /// Ten seconds after the token was signed.
    private static let instant = Instant(rfc3339: "2015-12-10T17:44:20Z")

    private static func message() throws -> Message {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/WalletPaymentInformation.xml")
        let wallet = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return Message(
            text: """
                <CreditCardAuthRequest xmlns="\(Message.namespace)" requestId="1234567">
                \(wallet)<OrderId>1</OrderId>
                \(Message.payer)
                </CreditCardAuthRequest>
                """)
    }

    private static func opener() throws -> TokenOpener {
        TokenOpener(keys: [try LocalMerchant().key], trust: try TestTrust.apple())
    }

    private func steps(of reply: Response, in store: TestStore) throws -> [String: String] {
        let id = try #require(reply.head.headerFields[HTTPField.Name("Tollgate-Report") ?? .accept])
        let text = try #require(store.reports.report(id: id))
        guard case .array(let steps)? = try JSONValue(parsing: String(decoding: text, as: UTF8.self))["steps"] else {
            throw Message.NoSuchElement(name: "steps")
        }
        var outcomes: [String: String] = [:]
        for step in steps {
            guard case .string(let name)? = step["step"], case .string(let outcome)? = step["outcome"] else { continue }
            outcomes[name] = outcome
        }
        return outcomes
    }

    @Test func `its signature is verified, and it is refused because it is too old and its key is unknown`()
        async throws
    {
        let store = try TestStore(applePay: try Self.opener())
        let reply = await store.send("creditcard/auth/DW.xml", try Self.message().text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == "ApplePayTokenException")
        #expect(reply.faultDescription?.contains("signingTime") == true)
        let steps = try steps(of: reply, in: store)
        for passed in ["parse", "certificates", "chain", "signature"] { #expect(steps[passed] == "passed") }
        #expect(steps["signingTime"] == "failed")
        #expect(steps["publicKeyHash"] == "failed")
    }

    @Test func `at the time of its signature only the unknown key remains`() async throws {
        let store = try TestStore(applePay: try Self.opener(), at: try #require(Self.instant))
        let reply = await store.send("creditcard/auth/DW.xml", try Self.message().text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultDescription?.contains("publicKeyHash") == true)
        let steps = try steps(of: reply, in: store)
        #expect(steps.filter { $0.value == "failed" }.keys.sorted() == ["publicKeyHash"])
        #expect(steps["signature"] == "passed")
    }

    @Test func `an octet of its data changed is a wrong signature`() async throws {
        let store = try TestStore(applePay: try Self.opener(), at: try #require(Self.instant))
        var message = try Self.message()
        let start = try #require(message.text.firstRange(of: "<Data>")).upperBound
        let other = message.text[start] == "A" ? "B" : "A"
        message.text.replaceSubrange(start...start, with: other)
        let steps = try steps(of: await store.send("creditcard/auth/DW.xml", message.text), in: store)
        #expect(steps["signature"] == "failed")
    }
}
