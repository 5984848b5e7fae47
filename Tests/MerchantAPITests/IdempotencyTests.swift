import HTTP
import HTTPTypes
import JSON
import Testing

struct IdempotencyTests {
    private static let conflict =
        "400 | - | - | Transaction or Order ID supplied already exists, but the transaction parameters do not match. "
        + "To retry a transaction, the parameters must be the same. For new transactions, order.id must be unique and "
        + "transaction.id must be unique for the order."

    /// The first request's body, and ones with the same parameters.
    static let same: [(first: String, again: String)] = {
        let amounts = ["5656", "5656.0", "5656.00", "05656"].map { "\"\($0)\"" } + ["5656", "5656.0", "5656.00"]
        return amounts.map { (request(amount: amounts[0]), request(amount: $0)) } + [
            (request(), request().replacing(" ", with: "\r\n\t ")),
            (request(), request().replacing("USD", with: #"\u0055\u0053D"#)),
            (request(), request().replacing(#""currency""#, with: #""curren\u0063y""#)),
            (request(), request(also: #""session": null, "device": {"ani": null}, "#)),
            (request(), request(also: #""device": {}, "#)),
            (
                request(also: #""device": {"ani": "1", "ipAddress": "::1"}, "#),
                request(also: #""device": {"ipAddress": "::1", "ani": "1"}, "#)
            ),
            (
                request(also: #""correlationId": "a/\n\té\"\\", "#),
                request(also: #""correlationId": "\u0061\/\u000a\u0009\u00e9\u0022\u005c", "#)
            ),
        ]
    }()

    /// The first request's body, and ones with other parameters.
    static let different: [(first: String, again: String)] = [
        (request(), request(amount: #""5656.01""#)),
        (request(), request(amount: #""56560""#)),
        (request(amount: #""100""#), request(amount: #""1""#)),
        (request(), request(operation: "PAY")),
        (request(), request().replacing("USD", with: "EUR")),
        (request(), request().replacing("5123450000000008", with: "2223000000000007")),
        (request(), request().replacing("\"01\"", with: "\"02\"")),
        (request(), request().replacing("IA/8", with: "JA/8")),
        (request(), request(also: #""correlationId": "1", "#)),
        (request(also: #""correlationId": "1", "#), request(also: #""correlationId": "1.0", "#)),
        (request(also: #""device": {"ani": "1"}, "#), request(also: #""device": {"ani": "1", "ipAddress": "::1"}, "#)),
        (request(also: #""device": {"ani": "1"}, "#), request(also: #""customer": {"phone": "1"}, "#)),
        (request(also: #""correlationId": "é", "#), request(also: #""correlationId": "e\u0301", "#)),
    ]

    private static func request(amount: String = #""5656""#, operation: String = "AUTHORIZE", also: String = "")
        -> String
    {
        let card =
            #"{"number": "5123450000000008", "expiry": {"month": "01", "year": "39"}, "devicePayment": {"#
            + #""cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram": "IA/8pdiWftSsxpFT6wABoDABhgA=" } }"#
        return
            #"{ \#(also)"apiOperation": "\#(operation)", "order": { "amount": \#(amount), "currency": "USD", "walletProvider": "APPLE_PAY" }, "#
            + #""sourceOfFunds": { "provided": { "card": \#(card) } } }"#
    }

    @Test(arguments: same.indices)
    func `the same parameters have the same answer, byte for byte, and reach the acquirer once`(row: Int) async throws {
        let api = try TestAPI()
        let first = await api.send(.put, body: Self.same[row].first)
        #expect(first.status == 201)
        api.clock.advance(byMilliseconds: 86_400_000)
        #expect(await api.send(.put, body: Self.same[row].again) == first)
        #expect(api.acquirer.commands.count == 1)
    }

    @Test(arguments: different.indices)
    func `other parameters are refused, and the first answer stays`(row: Int) async throws {
        let api = try TestAPI()
        let first = await api.send(.put, body: Self.different[row].first)
        #expect(first.status == 201)
        #expect(await api.send(.put, body: Self.different[row].again).refusal == Self.conflict)
        #expect(await api.send(.put, body: Self.different[row].first) == first)
        #expect(api.acquirer.commands.count == 1)
    }

    @Test func `a repeated request shows the order as it was, and a retrieval as it is`() async throws {
        let api = try TestAPI()
        let declined = try Example.changed(["order.amount": "5757"])
        let first = await api.put(declined)
        #expect(first.string("order.status") == "FAILED")
        api.clock.advance(byMilliseconds: 1_500)
        let retried = await api.put(try Example.changed(), TestAPI.path + "-2")
        #expect(retried.string("order.status") == "AUTHORIZED")
        #expect(retried.string("order.creationTime") == "2023-03-14T10:15:34.265Z")
        #expect(retried.string("order.lastUpdatedTime") == "2023-03-14T10:15:35.765Z")

        #expect(await api.put(declined) == first)
        let retrieved = await api.send(.get)
        #expect(retrieved.string("order.status") == "AUTHORIZED")
        #expect(retrieved.string("order.lastUpdatedTime") == "2023-03-14T10:15:35.765Z")
        #expect(retrieved.string("timeOfLastUpdate") == "2023-03-14T10:15:35.765Z")
        #expect(retrieved.string("timeOfRecord") == "2023-03-14T10:15:34.265Z")
        #expect(retrieved.string("result") == "FAILURE")
    }

    @Test func `each operation keeps its answer, byte for byte, whatever came later`() async throws {
        let api = try TestAPI()
        let steps: [(id: String, body: JSONValue)] = [
            ("0", try Example.plain(["apiOperation": "VERIFY", "order.amount": .none])),
            ("1", try Example.plain(["billing.address.city": "Berlin"])),
            ("2", ["apiOperation": "UPDATE_AUTHORIZATION", "transaction": ["amount": "40.00", "currency": "USD"]]),
            ("3", ["apiOperation": "CAPTURE", "transaction": ["amount": 30, "currency": "USD"]]),
            ("4", ["apiOperation": "REFUND", "transaction": ["amount": "10.00", "currency": "USD"]]),
            ("5", ["apiOperation": "VOID", "transaction": ["targetTransactionId": "4"]]),
        ]
        func send(_ step: (id: String, body: JSONValue)) async -> Response {
            await api.put(step.body, TestAPI.path.replacing("950596203", with: step.id))
        }
        var answers: [Response] = []
        for step in steps {
            answers.append(await send(step))
            api.clock.advance(byMilliseconds: 1_000)
        }
        #expect(answers.map(\.status) == [201, 201, 201, 201, 201, 201])
        #expect(
            answers.map { $0.string("order.status") } == [
                "VERIFIED", "AUTHORIZED", "AUTHORIZED", "PARTIALLY_CAPTURED", "PARTIALLY_REFUNDED",
                "PARTIALLY_CAPTURED",
            ])
        for (step, answer) in zip(steps, answers) { #expect(await send(step) == answer) }
        #expect(api.acquirer.commands.count == steps.count)
        // Amounts are compared as numbers here too.
        var capture = steps[3]
        capture.body.set(["transaction", "amount"], "30.00")
        #expect(await send(capture) == answers[3])
        capture.body.set(["transaction", "amount"], "30.01")
        #expect(await send(capture).refusal == Self.conflict)
    }

    @Test func `a refused request leaves its identifiers free`() async throws {
        let api = try TestAPI()
        #expect(await api.put(try Example.changed(["order.amount": "0"])).status == 400)
        #expect(await api.put(try Example.changed(["order.x": "0"])).status == 400)
        #expect(await api.put(try Example.changed()).status == 201)
    }
}
