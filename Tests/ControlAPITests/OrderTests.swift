import Access
import ControlAPI
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

/// The lists of orders, and what the operator does with them.
struct OrderTests {
    @Test func `orders are listed with their state, the newest first, page by page`() async throws {
        let control = try TestControl()
        for (number, amount) in ["10.00", "57.57", "12.50"].enumerated() {
            _ = await control.pay(order: "order-\(number)", amount: amount)
        }
        let first = try await control.control(.get, "orders?limit=2")
        #expect(first.status == 200)
        #expect(first.elements("orders").map { $0["order"] } == ["order-2", "order-1"])
        let order = try #require(first.elements("orders").first)
        #expect(order["merchant"] == "TESTMERCHANT")
        #expect(order["amount"] == "12.50" && order["currency"] == "USD")
        #expect(order["status"] == "CAPTURED" && order["lastFour"] == "1019")
        #expect(order["totalAuthorizedAmount"] == "12.50" && order["totalCapturedAmount"] == "12.50")
        #expect(order["totalRefundedAmount"] == "0.00")
        let next = try #require(first.string("next"))
        let second = try await control.control(.get, "orders?limit=2&before=\(next)")
        #expect(second.elements("orders").map { $0["order"] } == ["order-0"])
        #expect(second["next"] == nil)
    }

    @Test(arguments: [
        ("merchant=TESTMERCHANT", 3), ("merchant=OTHER", 0), ("order=order-1", 1), ("order=order", 0),
        ("status=CAPTURED", 2), ("status=FAILED", 1), ("amount=12.5", 1), ("amount=12.500", 1), ("lastFour=1019", 3),
        ("lastFour=0000", 0), ("wallet=APPLE_PAY", 0), ("status=CAPTURED&amount=10&merchant=TESTMERCHANT", 1), ("", 3),
        ("merchant=&order=&amount=&lastFour=&before=", 3),
    ])
    func `a list is searched`(query: String, count: Int) async throws {
        let control = try TestControl()
        for (number, amount) in ["10.00", "5757.00", "12.50"].enumerated() {
            _ = await control.pay(order: "order-\(number)", amount: amount)
        }
        #expect(try await control.control(.get, "orders?\(query)").elements("orders").count == count)
    }

    @Test(arguments: [
        ("status=PAID", "status"), ("status=", "status"), ("wallet=", "wallet"), ("amount=a", "amount"),
        ("wallet=PAYPAL", "wallet"), ("lastFour=12", "lastFour"),
        ("lastFour=abcd", "lastFour"), ("limit=0", "limit"), ("limit=101", "limit"), ("before=x", "before"),
        ("merchant=a%00b", "merchant"), ("order=%zz", "order"), ("from=2", "-"), ("status=FAILED&status=FAILED", "-"),
        ("status", "-"),
    ])
    func `a search that can't be understood says which parameter is wrong`(query: String, field: String) async throws {
        let control = try TestControl()
        #expect(try await control.control(.get, "orders?\(query)").refusal == "400 \(field)")
    }

    @Test func `an order is shown as its merchant retrieves it, with its requests, masked`() async throws {
        let control = try TestControl()
        _ = await control.pay("t1")
        _ = await control.pay("t1", order: "another")
        let shown = try await control.control(.get, "orders/TESTMERCHANT/order-1")
        #expect(shown.status == 200)
        #expect(shown.string("order.id") == "order-1" && shown.string("order.status") == "CAPTURED")
        #expect(shown.elements("order.transaction").count == 1)
        #expect(shown.elements("requests").count == 1)
        for secret in ["4508750015741019", "737", "Ada Payer"] { #expect(!shown.text.contains(secret), "\(secret)") }
        #expect(try await control.control(.get, "requests").elements("requests").count == 2, "to look is no request")
    }

    @Test(arguments: ["TESTMERCHANT/none", "OTHER/order-1", "ABSENT/order-1"])
    func `an order that isn't there is not found`(path: String) async throws {
        let control = try TestControl()
        _ = await control.pay()
        #expect(try await control.control(.get, "orders/\(path)").refusal == "404 -")
    }

    @Test func `an operation is performed as the merchant, and marked in the journal`() async throws {
        let control = try TestControl()
        _ = await control.pay("t1")
        let refund = try await control.control(
            .post, "orders/TESTMERCHANT/order-1/operations",
            #"{"transactionId":"r1","request":{"apiOperation":"REFUND","transaction":{"amount":"4.00","currency":"USD"}}}"#
        )
        #expect(refund.status == 200)
        #expect(refund["status"] == 201 && refund.string("transactionId") == "r1")
        #expect(refund.string("reply.result") == "SUCCESS")
        #expect(refund.string("reply.order.status") == "PARTIALLY_REFUNDED")
        let entries = try await control.control(.get, "requests").elements("requests")
        #expect(entries.map { $0["performedBy"] } == [nil, "CONTROL"])
        #expect(entries.last?["path"] == "/api/rest/version/100/merchant/TESTMERCHANT/order/order-1/transaction/r1")
    }

    @Test func `an operation without an identifier gets one of its own`() async throws {
        let control = try TestControl()
        _ = await control.pay("t1")
        let path = "orders/TESTMERCHANT/order-1/operations"
        let refund = #"{"request":{"apiOperation":"REFUND","transaction":{"amount":"1.00","currency":"USD"}}}"#
        let replies = [
            try await control.control(.post, path, refund), try await control.control(.post, path, refund),
        ]
        #expect(replies.map { $0["status"] } == [201, 201])
        #expect(Set(replies.map { $0.string("transactionId") }).count == 2)
    }

    @Test func `a payment with a token is performed, whatever its depth`() async throws {
        let control = try TestControl()
        let minted = try await control.control(.post, "tokens", #"{"amount":"10.00","currency":"USD","request":"PAY"}"#)
        let request = try #require(minted["request"])
        let body: JSONValue = ["request": request]
        let reply = try await control.control(
            .post, "orders/TESTMERCHANT/order-1/operations", String(decoding: body.serialized(), as: UTF8.self))
        #expect(reply["status"] == 201 && reply.string("reply.response.gatewayCode") == "APPROVED")
    }

    @Test func `a refusal of the merchants' API is passed on`() async throws {
        let control = try TestControl()
        let reply = try await control.control(
            .post, "orders/TESTMERCHANT/none/operations", #"{"request":{"apiOperation":"VOID"}}"#)
        #expect(reply.status == 200)
        #expect(reply["status"] == 400 && reply.string("reply.result") == "ERROR")
        let unknown = try await control.control(
            .post, "orders/ABSENT/none/operations", #"{"request":{"apiOperation":"CAPTURE"}}"#)
        #expect(unknown["status"] == 401)
    }

    @Test(arguments: [
        ("{}", "request"), (#"{"request":"CAPTURE"}"#, "request"),
        (#"{"request":{},"transactionId":""}"#, "transactionId"),
        (#"{"request":{},"transactionId":7}"#, "transactionId"), (#"{"request":{},"order":"1"}"#, "order"), ("[]", "-"),
    ])
    func `an operation that can't be understood is refused`(body: String, field: String) async throws {
        let control = try TestControl()
        let reply = try await control.control(.post, "orders/TESTMERCHANT/order-1/operations", body)
        #expect(reply.refusal == "400 \(field)")
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "orders"), (.put, "orders/TESTMERCHANT/order-1"),
        (.get, "orders/TESTMERCHANT/order-1/operations"),
    ])
    func `other methods are refused with those that are allowed`(
        method: HTTPRequest.Method, path: String
    ) async throws {
        let response = try await TestControl().control(method, path)
        #expect(response.status == 405 && response.head.headerFields[.allow] != nil)
    }

    @Test func `requests are filtered by status and outcome, and those after one are listed`() async throws {
        let control = try TestControl()
        _ = await control.pay("t1")
        _ = await control.pay("t1", order: "declined", amount: "5757.00")
        _ = await control.pay("t1", order: "wrong", password: "0")
        func count(_ query: String) async throws -> Int {
            try await control.control(.get, "requests?\(query)").elements("requests").count
        }
        #expect(try await count("status=201") == 2)
        #expect(try await count("status=4xx") == 1)
        #expect(try await count("outcome=DECLINED") == 1)
        let first = try #require(try await control.control(.get, "requests").elements("requests").first?["id"])
        #expect(first == 1)
        #expect(try await count("after=1") == 2)
        for query in ["status=abc", "status=6xx", "status=99", "after=-1"] {
            #expect(try await control.control(.get, "requests?\(query)").status == 400, "\(query)")
        }
    }
}
