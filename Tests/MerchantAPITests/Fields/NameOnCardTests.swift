import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

/// The name on a card in clear: repeated by replies, and kept nowhere in clear.
struct NameOnCardTests {
    private static let path = "sourceOfFunds.provided.card.nameOnCard"
    private static let name = "Ada Secret-Lovelace"

    private static func records(in store: InMemoryStore, order: String = "844205983") async throws -> [[UInt8]] {
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID(order))
        return try #require(try await store.history(of: key)).transactions.map(\.record)
    }

    @Test(
        arguments: [
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

    private static let order = "/api/rest/version/71/merchant/TESTMERCHANT/order/844205983"

    private static func nameInOrder(_ response: Response) -> [String?] {
        guard case .array(let transactions)? = response.value?["transaction"] else { return [] }
        return [response.string(path)] + transactions.map { $0.at(path)?.string }
    }

    @Test(arguments: [1, 49, 57, 71, 100], ["AUTHORIZE", "PAY"])
    func `the name is in the reply, in its repeat to the byte, and in retrievals`(version: Int, operation: String)
        async throws
    {
        let api = try TestAPI()
        let path = TestAPI.path.replacing("/version/71/", with: "/version/\(version)/")
        let request = try Example.plain(["apiOperation": .string(operation), Self.path: .string(Self.name)])
        let first = await api.put(request, path)
        #expect(first.status == 201)
        #expect(first.string(Self.path) == Self.name)
        api.clock.advance(byMilliseconds: 3_600_000)
        #expect(await api.put(request, path) == first)
        #expect(api.acquirer.commands.count == 1)
        #expect(await api.send(.get, path).string(Self.path) == Self.name)
        let order = await api.send(.get, Self.order.replacing("/version/71/", with: "/version/\(version)/"))
        #expect(Self.nameInOrder(order) == [Self.name, Self.name])
    }

    @Test func `what builds on a payment has its name`() async throws {
        let store = InMemoryStore()
        let api = try TestAPI(store: store)
        #expect(await api.put(try Example.plain([Self.path: .string(Self.name)])).status == 201)
        let money: JSONValue = ["amount": "30.10", "currency": "USD"]
        let steps: [JSONValue] = [
            ["apiOperation": "UPDATE_AUTHORIZATION", "transaction": money],
            ["apiOperation": "CAPTURE", "transaction": money], ["apiOperation": "REFUND", "transaction": money],
            ["apiOperation": "VOID", "transaction": ["targetTransactionId": "later-2"]],
        ]
        for (number, step) in steps.enumerated() {
            let path = Self.order + "/transaction/later-\(number)"
            let response = await api.put(step, path)
            #expect(response.status == 201, "\(response.text)")
            #expect(response.string(Self.path) == Self.name)
            #expect(await api.put(step, path) == response)
            #expect(await api.send(.get, path).string(Self.path) == Self.name)
        }
        #expect(Self.nameInOrder(await api.send(.get, Self.order)) == Array(repeating: Self.name, count: 6))
        for record in try await Self.records(in: store) { #expect(!record.contains(Array(Self.name.utf8))) }
    }

    @Test func `every attempt to pay an order has its own name`() async throws {
        let api = try TestAPI()
        let expiry = "sourceOfFunds.provided.card.expiry.month"
        let declined = try Example.plain([expiry: "05", Self.path: "First"])
        #expect(await api.put(declined, Self.order + "/transaction/1").string("result") == "FAILURE")
        let nameless = try Example.plain([expiry: "05"])
        #expect(await api.put(nameless, Self.order + "/transaction/2").string(Self.path) == nil)
        #expect(Self.nameInOrder(await api.send(.get, Self.order)) == [nil, "First", nil])
        let last = try Example.plain([Self.path: "Last"])
        #expect(await api.put(last, Self.order + "/transaction/3").string(Self.path) == "Last")
        #expect(Self.nameInOrder(await api.send(.get, Self.order)) == ["Last", "First", nil, "Last"])
    }

    @Test func `a name from a session or a token is repeated and sealed alike`() async throws {
        let store = InMemoryStore()
        let api = try TestAPI(store: store)
        let card: JSONValue = [
            "expiry": ["month": "1", "year": "31"], "nameOnCard": .string(Self.name), "number": "4508750015741019",
        ]
        let session = try await api.session(TestAPI.source(card))
        let token = try await api.token(card)
        for (order, source) in [
            ("s", ["session.id": .string(session)]), ("t", ["sourceOfFunds.token": .string(token)]),
        ]
            as [(String, KeyValuePairs<String, JSONValue?>)]
        {
            let response = await api.pay(order, source)
            #expect(response.status == 201 && response.string(Self.path) == Self.name)
            #expect(await api.pay(order, source) == response)
            for record in try await Self.records(in: store, order: order) {
                for coding in Codings.all(of: Self.name) { #expect(!record.contains(coding)) }
            }
        }
    }

    @Test func `no account number in a name is shown, now or later`() async throws {
        let api = try TestAPI()
        let request = try Example.plain([Self.path: "A 4508750015741019 B"])
        for response in [await api.put(request), await api.put(request), await api.send(.get)] {
            #expect(response.string(Self.path) == "A xxxxxxxxxxxx1019 B")
        }
    }

    @Test func `the name on a device's card is repeated, and kept sealed`() async throws {
        let store = InMemoryStore()
        let response = await (try TestAPI(store: store)).put(try Example.changed([Self.path: .string(Self.name)]))
        #expect(response.string(Self.path) == Self.name)
        let record = try #require(try await Self.records(in: store).first)
        #expect(record.contains(Array("sealedName".utf8)))
        for coding in Codings.all(of: Self.name) { #expect(!record.contains(coding)) }
    }
}
