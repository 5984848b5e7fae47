import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

/// Refusals are logged by those who get them, so they never repeat card data, wherever it was put.
struct SecrecyTests {
    private static let fields = [
        "apiOperation", "order.amount", "order.currency", "order.walletProvider", "order.certainty",
        "order.notificationUrl", "transaction.source", "device.ani", "device.ipAddress", "posTerminal.location",
        "billing.address.country", "billing.address.postcodeZip", "customer.email", "sourceOfFunds.type",
        "sourceOfFunds.provided.card.number", "sourceOfFunds.provided.card.securityCode",
        "sourceOfFunds.provided.card.expiry.month", "sourceOfFunds.provided.card.expiry.year",
        "sourceOfFunds.provided.card.storedOnFile", "sourceOfFunds.provided.card.devicePayment.eciIndicator",
        "sourceOfFunds.provided.card.devicePayment.cryptogramFormat", "sourceOfFunds.token", "session.id", "order.item",
        "order.taxAmount", "order.custom", "transaction.frequency", "agreement.numberOfPayments", "agreement.startDate",
        "airline.itinerary.leg", "3DSecureId", "sourceOfFunds.provided.card.track2", "unknown", "order.unknown",
        "order",
        "sourceOfFunds.provided.card", "sourceOfFunds.provided.card.devicePayment",
    ]

    private static let accountNumbers = [
        "4508750015741019", "4508 7500 1574 1019", "4508-7500-1574-1019", "x4508750015741019y", "345678901234564",
    ]
    private static let cryptogram = "AgAAAAAABk4DWZ4C28yUQAAAAAA="
    private static let token = #"{"version":"EC_v1","data":"b29yb3RoZXI=","signature":"MIAG"}"#

    private static func leaks(_ text: String, _ secret: String) -> Bool {
        text.filter { $0 != " " && $0 != "-" }.contains(secret.filter(\.isNumber)) && secret.contains(where: \.isNumber)
    }

    @Test(arguments: fields, accountNumbers)
    func `an account number in any field is never repeated`(field: String, number: String) async throws {
        for value in [JSONValue.string(number), ["a": .string(number)], [.string(number)]] {
            let response = await (try TestAPI()).put(try Example.changed([field: value]))
            if response.status == 201 { continue }
            #expect(response.status == 400)
            #expect(!Self.leaks(response.text, number))
        }
    }

    @Test(arguments: fields, [cryptogram, token])
    func `a cryptogram or token in any field is never repeated`(field: String, secret: String) async throws {
        let response = await (try TestAPI()).put(try Example.changed([field: .string(secret)]))
        #expect(response.status == 400)
        let escaped = String(decoding: JSONValue.string(secret).serialized(), as: UTF8.self).dropFirst().dropLast()
        #expect(!response.text.contains(escaped))
    }

    @Test(arguments: [
        "4508750015741019", "4508-7500-1574-1019", "4508750015741019-2026", "2026 4508750015741019 7",
    ])
    func `an account number as a name or in the path is never repeated`(number: String) async throws {
        let api = try TestAPI()
        let order = "/api/rest/version/71/merchant/TESTMERCHANT/order/\(number)"
        let responses = [
            await api.put(["apiOperation": "PAY", "order": .object([(name: number, value: "1")].object)]),
            await api.send(.put, body: #"{"\#(number)":1,"\#(number)":2}"#),
            await api.send(.get, order),
            await api.send(.get, order + "/x"),
            await api.send(.get, "/api/rest/version/\(number)/information"),
            await api.send(.get, order + String(repeating: "x", count: 40)),
            await api.put(try Example.changed([:]), order + "/transaction/1" + String(repeating: "x", count: 40)),
        ]
        for response in responses {
            #expect((400...404).contains(response.status))
            #expect(!Self.leaks(response.text, number))
            #expect(!Self.leaks(response.text, "4508750015741019"))
        }
    }

    @Test(arguments: ["version", "data", "signature", "header", "x"])
    func `an account number in place of a token's member is never repeated`(member: String) async throws {
        let number = Self.accountNumbers[0]
        let api = try TestAPI(applePay: LocalMerchant().opener)
        let response = await api.put(try Example.token(.string(#"{"\#(member)":"\#(number)","\#(number)":1}"#)))
        #expect(response.status == 400)
        #expect(!Self.leaks(response.text, number))
    }

    @Test func `the card of a refused request is not in the refusal`() async throws {
        for field in ["order.amount", "order.currency", "transaction.source"] {
            let response = await (try TestAPI()).put(try Example.changed([field: "?"]))
            #expect(response.status == 400)
            for secret in ["5123450000000008", "IA/8pdiWftSsxpFT6wABoDABhgA=", "IA\\/8pdiWftSsxpFT6wABoDABhgA="] {
                #expect(!response.text.contains(secret))
            }
        }
    }

    @Test func `numbers that are no account numbers are shown as they are`() async throws {
        for shown in ["4508750015741018", "123456789012", "2026-11-21"] {
            let response = await (try TestAPI()).put(try Example.changed(["transaction.source": .string(shown)]))
            #expect(response.string("error.explanation")?.hasPrefix("Value '\(shown)' is invalid.") == true)
        }
    }

    @Test func `an accepted reply holds masks and nothing that was masked`() async throws {
        for request in [try Example.changed(), try Example.plain(["sourceOfFunds.provided.card.securityCode": "9172"])]
        {
            let text = await (try TestAPI()).put(request).text
            #expect(text.contains("512345xxxxxx0008"))
            for secret in ["5123450000000008", "IA/8pdiWftSsxpFT6wABoDABhgA=", "9172"] {
                #expect(!text.contains(secret))
            }
        }
    }
}

extension [(name: String, value: JSONValue)] {
    fileprivate var object: JSONObject { JSONObject(self) }
}
