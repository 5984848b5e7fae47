import HTTP
import JSON
import Payments
import TestSupport
import Testing

/// The name on a card in clear: repeated by replies, and kept nowhere in clear.
struct NameOnCardTests {
    private static let path = "sourceOfFunds.provided.card.nameOnCard"
    private static let name = "Ada Secret-Lovelace"

    private static func records(in store: InMemoryStore, order: String = "844205983") async throws -> [[UInt8]] {
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID(order))
        return try #require(try await store.history(of: key)).transactions.map(\.record)
    }

    @Test(arguments: [
        ("AUTHORIZE", "30.10"), ("AUTHORIZE", "5757"), ("PAY", "30.10"), ("PAY", "6363"), ("VERIFY", nil),
    ] as [(String, String?)])
    func `the records of a payment have no name in clear, in no coding`(operation: String, amount: String?) async throws
    {
        let store = InMemoryStore()
        let api = try TestAPI(store: store)
        let request = try Example.plain([
            "apiOperation": .string(operation), "order.amount": amount.map(JSONValue.string),
            Self.path: .string(Self.name),
        ])
        #expect(await api.put(request).status == 201)
        let later: JSONValue = ["apiOperation": "CAPTURE", "transaction": ["amount": "30.10", "currency": "USD"]]
        let captures = operation == "AUTHORIZE" && amount == "30.10"
        if captures { #expect(await api.put(later, TestAPI.path + "-2").status == 201) }

        let records = try await Self.records(in: store)
        #expect(records.count == (captures ? 2 : 1))
        for record in records {
            // The search looks where the name would be.
            #expect(record.contains(Array("512345xxxxxx0008".utf8)))
            for coding in Codings.all(of: Self.name) + Codings.all(of: "Lovelace") {
                #expect(!record.contains(coding), "\(String(decoding: coding, as: UTF8.self))")
            }
        }
    }
}
