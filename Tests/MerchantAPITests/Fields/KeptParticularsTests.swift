import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

/// How much of what requests say an order keeps.
struct KeptParticularsTests {
    private static let order = TestAPI.path.replacing("/transaction/950596203", with: "")

    private static func path(_ transaction: String) -> String { "\(order)/transaction/\(transaction)" }

    @Test(arguments: [(200 << 10, 201), (300 << 10, 400)])
    func `a request of which too much would be kept is refused by its largest group`(
        byteCount: Int, status: Int
    ) async throws {
        let api = try TestAPI()
        let response = await api.put(
            try Example.changed([
                "airline.passenger": Self.longPassengers(byteCount), "order.description": "of less",
            ]))
        #expect(response.status == status)
        guard status == 400 else { return }
        #expect(response.string("error.field") == "airline")
        #expect(try #require(response.string("error.explanation")).contains("at most 262144 bytes"))
        #expect(api.acquirer.commands.isEmpty)
        #expect(await api.send(.get).status == 400)
    }

    /// At most a thousand passengers, whose texts are as long as they may be.
    private static func longPassengers(_ byteCount: Int) -> JSONValue {
        let name = String(repeating: "\u{1F600}", count: 50)
        let passenger: JSONValue = [
            "firstName": .string(name), "lastName": .string(String(name.prefix(20))), "middleName": .string(name),
        ]
        return .array(Array(repeating: passenger, count: byteCount / (passenger.serialized().count + 1)))
    }

    @Test func `an order keeps so much, and then captures, refunds and voids that say little go on`() async throws {
        let api = try TestAPI()
        var number = 0
        var last = await api.put(try Example.changed(["apiOperation": "VERIFY"]))
        repeat {
            number += 1
            last = await api.put(
                try Example.changed([
                    "order.amount": "5757", "airline.passenger": Self.longPassengers(200 << 10),
                ]), Self.path("\(number)"))
        } while last.status == 201 && number < 100
        #expect(last.status == 400 && last.string("error.field") == "order.id")
        #expect(try #require(last.string("error.explanation")).contains("at most 2097152 bytes"))
        // What a card pays now says nothing more.
        var example = try Example.changed(["order.description": nil])
        if case .object(var members) = example {
            members["device"] = nil
            example = .object(members)
        }
        #expect(await api.put(example, Self.path("authorization")).status == 201)
        let amount: JSONValue = ["amount": "1.00", "currency": "USD"]
        #expect(
            await api.put(["apiOperation": "CAPTURE", "transaction": amount], Self.path("capture")).status == 201)
        let reference = String(repeating: "r", count: 40)
        for number in 0..<2 {
            let refund = await api.put(
                [
                    "apiOperation": "REFUND",
                    "transaction": ["amount": "0.10", "currency": "USD", "reference": .string(reference)],
                ], Self.path("refund-\(number)"))
            #expect(refund.status == 201)
            #expect(refund.string("transaction.reference") == reference)
            let void = await api.put(
                ["apiOperation": "VOID", "transaction": ["targetTransactionId": .string("refund-\(number)")]],
                Self.path("void-\(number)"))
            #expect(void.status == 201)
        }
        let whole = await api.send(.get, Self.order)
        #expect(whole.status == 200 && whole.body.count < 6 << 20)
    }

    @Test func `what a capture repeats of its authorization counts, and is left out where there is no room`()
        async throws
    {
        let api = try TestAPI()
        var custom = JSONObject()
        for number in 10..<60 { custom["name\(number)"] = .string(String(repeating: "\u{1F600}", count: 250)) }
        let authorized = await api.put(try Example.changed(["order.custom": .object(custom)]), Self.path("1"))
        #expect(authorized.status == 201, "\(String(decoding: authorized.body, as: UTF8.self))")
        var captures: [Response] = []
        for number in 2...60 {
            captures.append(
                await api.put(
                    ["apiOperation": "CAPTURE", "transaction": ["amount": "0.01", "currency": "USD"]],
                    Self.path("\(number)")))
        }
        #expect(captures.allSatisfy { $0.status == 201 })
        #expect(captures[0].value?.at("order.custom") != nil)
        #expect(captures[captures.count - 1].value?.at("order.custom") == nil)
        #expect(await api.send(.get, Self.order).body.count < 6 << 20)
    }
}
