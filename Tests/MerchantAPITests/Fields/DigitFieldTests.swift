import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

@testable import MerchantAPI

/// Digit strings that clients send as JSON numbers.
struct DigitFieldTests {
    private static let card = "sourceOfFunds.provided.card"

    @Test(arguments: [
        (card + ".number", "5123450000000008"), (card + ".securityCode", "100"), (card + ".nameOnCard", "7"),
        ("order.reference", "7"), ("customer.phone", "4930123456"), ("order.merchantCategoryCode", "5999"),
        ("order.custom.cart", "0"), ("billing.address.postcodeZip", "10115"), ("correlationId", "18446744073709551616"),
        ("order.id", "844205983"), ("transaction.id", "950596203"),
    ])
    func `a whole number is taken as its digits, and is the same request`(path: String, digits: String) async throws {
        let api = try TestAPI()
        let text = await api.put(try Example.plain([path: .string(digits)]))
        #expect(text.status == 201, "\(text.text)")
        let number = await api.put(try Example.plain([path: .decimal(digits)]))
        #expect(number == text)
        #expect(api.acquirer.commands.count == 1)
        let first = await (try TestAPI()).put(try Example.plain([path: .decimal(digits)]))
        #expect(first.value?.at(path) == text.value?.at(path))
    }

    @Test(
        arguments: ["1e2", "1E2", "7.0", "-7", "100.00"], [card + ".securityCode", "order.reference", card + ".number"])
    func `a number of another form is none`(number: String, path: String) async throws {
        let response = await (try TestAPI()).put(try Example.plain([path: .decimal(number)]))
        #expect(response.refusal.hasPrefix("400 | \(path) | INVALID | Value is invalid. Expected a string"))
    }

    @Test(arguments: ["order.id", "transaction.id"])
    func `another identifier than the path's is refused as a number, too`(path: String) async throws {
        let response = await (try TestAPI()).put(try Example.plain([path: 5]))
        #expect(response.refusal == "400 | \(path) | INVALID | Value '5' is invalid. The url path has another one")
    }

    @Test func `a number names a transaction, a session's version and a token`() async throws {
        let api = try TestAPI()
        #expect(
            await api.pay(
                "o",
                [
                    "sourceOfFunds": TestAPI.source(["expiry": ["month": 1, "year": 39], "number": "5123450000000008"])[
                        "sourceOfFunds"]
                ]
            ).status == 201)
        let path = TestAPI.base + "/order/o/transaction/"
        let refund = await api.put(
            [
                "apiOperation": "REFUND",
                "transaction": ["amount": "1.00", "currency": "USD", "targetTransactionId": 1],
            ], path + "2")
        #expect(refund.status == 201, "\(refund.text)")
        #expect(refund.string("transaction.targetTransactionId") == "1")
        let unmask = await api.put(
            [
                "apiOperation": "REFUND", "responseControls": ["sensitiveData": 1],
                "transaction": ["amount": "1.00", "currency": "USD"],
            ], path + "3")
        #expect(unmask.string("error.field") == "responseControls.sensitiveData")
        let session = try await api.createSession()
        let version = await api.update(session, ["order": ["reference": 7], "session": ["version": 1_234_567_890]])
        #expect(version.string("error.field") == "session.version")
        let token = await api.pay("p", ["sourceOfFunds.token": 1_234_567_890])
        #expect(token.refusal == "400 | - | - | Token not found")
    }

    @Test func `a session shows a number as the digits that it stands for`() async throws {
        let api = try TestAPI()
        let id = try await api.createSession()
        let reply = await api.update(
            id,
            [
                "airline": ["passenger": [["firstName": 7]]], "customer": ["phone": 30123],
                "order": ["custom": ["cart": 7], "reference": 7],
                "sourceOfFunds": [
                    "provided": [
                        "card": [
                            "expiry": ["month": "1", "year": "39"], "number": .decimal("5123450000000008"),
                            "securityCode": 100,
                        ]
                    ]
                ],
            ])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.value?.at("customer.phone") == "30123")
        #expect(reply.value?.at("order") == ["custom": ["cart": "7"], "reference": "7"])
        #expect(reply.value?.at("airline.passenger") == [["firstName": "7"]])
        #expect(reply.string(Self.card + ".number") == "512345xxxxxx0008")
        #expect(reply.string(Self.card + ".securityCode") == "xxx")
        let paid = await api.pay("o", ["session.id": .string(id)])
        #expect(
            paid.string("order.reference") == "7" && paid.string("response.cardSecurityCode.gatewayCode") == "MATCH")
    }

    @Test func `a token is made of numbers`() async throws {
        let reply = await (try TestAPI()).post(
            "/token",
            TestAPI.source([
                "expiry": ["month": 1, "year": 39], "number": .decimal("5123450000000008"), "securityCode": 100,
            ]))
        #expect(reply.string("sourceOfFunds.provided.card.number") == "512345xxxxxx0008")
    }

    @Test func `an amount keeps its rule, and months and other numbers their form`() async throws {
        #expect(
            await (try TestAPI()).put(try Example.plain(["order.amount": .decimal("1e2")])).string("error.field")
                == "order.amount")
        func canonical(_ text: String) throws -> String {
            CanonicalParameters.text(of: try JSONDocument(text), PaymentFields.of(.authorize)).revealed()
        }
        // Hashes of requests are kept, so what was written as a number before stays one.
        let month = #"{"sourceOfFunds":{"provided":{"card":{"expiry":{"month":1}}}}}"#
        #expect(try canonical(month) == month)
        let count = #"{"agreement":{"numberOfPayments":12}}"#
        #expect(try canonical(count) == count)
        #expect(
            try canonical(#"{"order":{"reference":7,"custom":{"a":0}}}"#)
                == #"{"order":{"custom":{"a":"0"},"reference":"7"}}"#)
        let items = (0..<200).map { _ in #"{"sku":1}"# }.joined(separator: ",")
        #expect(
            try canonical(#"{"order":{"item":[\#(items)]}}"#).utf8.count == #"{"order":{"item":[]}}"#.utf8.count + 199
                + 200 * 11)
    }
}
