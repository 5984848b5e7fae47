import Testing

@testable import tollgate_bench

/// What a client makes of an answer.
struct PaymentAnswerTests {
    private static let order = """
        "amount":30.10,"id":"o","status":"AUTHORIZED","totalAuthorizedAmount":30.10,"totalCapturedAmount":0.00,\
        "totalRefundedAmount":0.00
        """
    private static let transaction = """
        {"merchant":"M","order":{\(order)},"response":{"gatewayCode":"APPROVED"},"result":"SUCCESS",\
        "timeOfRecord":"2026-01-01T00:00:00.000Z",\
        "transaction":{"amount":30.10,"id":"1","reference":"r1","type":"AUTHORIZATION"}}
        """

    private static func answer(_ status: Int, _ text: String) -> PaymentAnswer {
        Array(text.utf8).withUnsafeBytes { PaymentAnswer(status: status, content: $0) }
    }

    private static func refusal(_ explanation: String) -> PaymentAnswer {
        answer(400, #"{"error":{"cause":"INVALID_REQUEST","explanation":"\#(explanation)"},"result":"ERROR"}"#)
    }

    @Test func `a transaction is read with its order's state`() throws {
        guard case .transaction(let shown) = Self.answer(201, Self.transaction) else {
            Issue.record("no transaction")
            return
        }
        #expect(shown.order == "o")
        #expect(shown.state == OrderState(status: "AUTHORIZED", cents: 3010, totals: (3010, 0, 0)))
        #expect((shown.id, shown.type, shown.cents, shown.reference) == ("1", "AUTHORIZATION", 3010, "r1"))
        #expect(shown.isApproved)
        #expect(shown.bytes == Array(Self.transaction.utf8))
        let lasting = String(decoding: shown.lasting, as: UTF8.self)
        #expect(lasting.contains(#""reference":"r1""#))
        #expect(!lasting.contains("totalCapturedAmount"))
    }

    @Test func `an order is read with its transactions`() throws {
        let text = #"{\#(Self.order),"result":"SUCCESS","transaction":[\#(Self.transaction),\#(Self.transaction)]}"#
        guard case .order(let shown) = Self.answer(200, text) else {
            Issue.record("no order")
            return
        }
        #expect(shown.id == "o")
        #expect(shown.state.authorizedCents == 3010)
        #expect(shown.transactions.map(\.bytes) == [Array(Self.transaction.utf8), Array(Self.transaction.utf8)])
    }

    @Test(arguments: [
        ("… but the transaction parameters do not match. …", PaymentAnswer.Refusal.otherParameters),
        ("Value is invalid. Apple Pay token refused at step 'replay': …", .tokenUsed),
        ("Unable to find order o for merchant M", .unknown), ("Unable to find transaction 1 of order o …", .unknown),
        ("There is no transaction to void.", .order("There is no transaction to void.")),
    ])
    func `a refusal is known by its words`(explanation: String, refusal: PaymentAnswer.Refusal) {
        #expect(Self.refusal(explanation) == .refused(refusal))
    }

    @Test func `busy is no answer`() {
        let text = #"{"error":{"cause":"SERVER_BUSY","explanation":"…"},"result":"ERROR"}"#
        #expect(Self.answer(503, text) == .busy)
    }

    @Test(arguments: [
        (500, #"{"error":{"cause":"SERVER_FAILED"},"result":"ERROR"}"#), (503, "busy"), (200, ""), (200, "{}"),
        (201, #"{"order":{},"transaction":{}}"#), (201, transaction.replacing("30.10", with: "30.1")),
        (201, transaction.replacing("SUCCESS\",", with: "SUCCESS\"")),
        (201, transaction.replacing(#""reference":"r1","#, with: "")), (204, transaction), (401, transaction),
    ])
    func `what no request of this program should be answered is unexpected`(status: Int, text: String) {
        guard case .unexpected = Self.answer(status, text) else {
            Issue.record("\(Self.answer(status, text))")
            return
        }
    }

    @Test(arguments: ["", "Missing parameter", "Apple Pay token refused at step 'signature': …"])
    func `a refusal in other words is unexpected`(explanation: String) {
        guard case .unexpected = Self.refusal(explanation) else {
            Issue.record("\(Self.refusal(explanation))")
            return
        }
    }
}
