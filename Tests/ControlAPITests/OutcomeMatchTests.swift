import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

/// Which operations an outcome fits, and for how long it waits.
struct OutcomeMatchTests {
    /// Makes an order's authorization, a capture of a part, and a refund, and returns the gateway codes.
    private func codes(_ control: TestControl, order: String = "order-1") async throws -> [String?] {
        let authorize = await control.pay("1", order: order, amount: "58.57", operation: "AUTHORIZE")
        let capture = await control.later("2", order: order, #"{"apiOperation":"CAPTURE",\#(Self.amount("20.00"))}"#)
        let refund = await control.later("3", order: order, #"{"apiOperation":"REFUND",\#(Self.amount("5.00"))}"#)
        return [authorize, capture, refund].map { $0?.string("response.gatewayCode") }
    }

    private static func amount(_ text: String) -> String { #""transaction":{"amount":"\#(text)","currency":"USD"}"# }

    @Test(arguments: [
        (#""operation":"AUTHORIZE""#, 0), (#""operation":"CAPTURE""#, 1), (#""operation":"REFUND""#, 2),
        (#""amount":"58.57""#, 0), (#""amount":"20""#, 1), (#""amount":5.000"#, 2),
        (#""amount":"20.00","operation":"CAPTURE""#, 1), (#""lastFour":"1019","operation":"REFUND""#, 2),
        (#""lastFour":"1019","amount":"58.57""#, 0), (#""order":"order-1","amount":"20""#, 1),
    ])
    func `an outcome fits the operation, the amount and the card`(scope: String, index: Int) async throws {
        let control = try TestControl()
        // A decline leaves no order to capture, so the codes are of approvals.
        let code = index == 0 ? "PARTIALLY_APPROVED" : "DECLINED"
        let added = try await control.control(.post, "outcomes", #"{"gatewayCode":"\#(code)",\#(scope)}"#)
        #expect(added.status == 201, "\(added.text)")
        var expected = ["APPROVED", "APPROVED", "APPROVED"]
        expected[index] = code
        if expected[1] == "DECLINED" { expected[2] = "-" }
        #expect(try await codes(control).map { $0 ?? "-" } == expected)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
    }

    @Test(arguments: [
        #""operation":"VERIFY""#, #""amount":"58.58""#, #""lastFour":"1018""#,
        #""operation":"CAPTURE","amount":"58.57""#, #""operation":"REFUND","order":"order-2""#,
    ])
    func `an outcome that fits nothing waits`(scope: String) async throws {
        let control = try TestControl()
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED",\#(scope)}"#)
        #expect(try await codes(control) == ["APPROVED", "APPROVED", "APPROVED"])
        #expect(try await control.control(.get, "outcomes").elements("outcomes").count == 1)
    }

    @Test func `a device's account number is the one whose last digits count`() async throws {
        let control = try TestControl()
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED","lastFour":"0008"}"#)
        let token = try await control.control(
            .post, "tokens", #"{"amount":"1.00","currency":"USD","request":"PAY","pan":"5123450000000008"}"#)
        var request = Request.payment()
        request.body = try #require(token["request"]).serialized()
        #expect(await control.send(request)?.string("response.gatewayCode") == "DECLINED")
    }

    @Test func `a persistent outcome waits until it is removed, and lets earlier ones pass`() async throws {
        let control = try TestControl()
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"TIMED_OUT"}"#)
        let added = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED","count":0}"#)
        #expect(added["count"] == 0)
        let id = try #require(added["id"])
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"UNKNOWN","order":"order-9"}"#)
        var codes: [String?] = []
        for order in 1...4 { codes.append(await control.pay(order: "order-\(order)")?.string("response.gatewayCode")) }
        #expect(codes == ["TIMED_OUT", "DECLINED", "DECLINED", "DECLINED"])

        let text = String(decoding: id.serialized(), as: UTF8.self)
        let left = try await control.control(.delete, "outcomes/\(text)")
        #expect(left.status == 200)
        #expect(left.elements("outcomes").map { $0["gatewayCode"] } == [.string("UNKNOWN")])
        #expect(try await control.control(.delete, "outcomes/\(text)").status == 404)
        #expect(await control.pay(order: "a")?.string("response.gatewayCode") == "APPROVED")
    }

    @Test func `a persistent outcome is not added to by an operation that is refused after all`() async throws {
        let pauses = Pauses()
        let control = try TestControl(pause: pauses.pause)
        _ = try await control.control(
            .post, "outcomes", #"{"gatewayCode":"DECLINED","latencyMilliseconds":3000,"count":0,"amount":"10"}"#)
        let waiting = try await control.control(.get, "outcomes").text
        let slow = Task { await control.pay("1") }
        await pauses.begun(1)
        #expect(await control.pay("2", amount: "11.00")?.status == 201)
        pauses.end()
        #expect(await slow.value?.status == 400)
        #expect(try await control.control(.get, "outcomes").text == waiting)
    }

    @Test func `an outcome that was removed while its operation was in flight doesn't come back`() async throws {
        let pauses = Pauses()
        let control = try TestControl(pause: pauses.pause)
        let added = try await control.control(
            .post, "outcomes", #"{"latencyMilliseconds":120000,"order":"order-1","amount":"10.00"}"#)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED","order":"order-2"}"#)
        let slow = Task { await control.pay("1") }
        await pauses.begun(1)
        let id = String(decoding: try #require(added["id"]).serialized(), as: UTF8.self)
        #expect(try await control.control(.delete, "outcomes/\(id)").status == 200)
        #expect(await control.pay("2", amount: "11.00")?.status == 201)
        pauses.end()
        #expect(await slow.value?.status == 400)
        #expect(try await control.control(.get, "outcomes").elements("outcomes").count == 1)
    }

    @Test(arguments: [
        (#"{"gatewayCode":"DECLINED","amount":"1,00"}"#, "400 amount"),
        (#"{"gatewayCode":"DECLINED","amount":true}"#, "400 amount"),
        (#"{"gatewayCode":"DECLINED","amount":"-1"}"#, "400 amount"),
        (#"{"gatewayCode":"DECLINED","operation":"SETTLE"}"#, "400 operation"),
        (#"{"gatewayCode":"DECLINED","lastFour":"101"}"#, "400 lastFour"),
        (#"{"gatewayCode":"DECLINED","lastFour":"10l9"}"#, "400 lastFour"),
        (#"{"gatewayCode":"DECLINED","lastFour":1019}"#, "400 lastFour"), (#"{"amount":"1.00"}"#, "400 -"),
        (#"{"gatewayCode":"DECLINED","id":1}"#, "400 id"),
    ])
    func `what fits no operation is refused`(body: String, refusal: String) async throws {
        let control = try TestControl()
        #expect(try await control.control(.post, "outcomes", body).refusal == refusal)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
    }

    @Test(arguments: ["0", "1", "x", "-1", "99999999999999999999"])
    func `an id under which nothing waits is not found`(id: String) async throws {
        #expect(try await TestControl().control(.delete, "outcomes/\(id)").status == 404)
    }
}

extension TestControl {
    /// Sends an operation on an order that has been paid or authorized.
    fileprivate func later(_ transaction: String, order: String, _ body: String) async -> Response? {
        var request = Request.payment(transaction, order: order)
        request.body = Array(body.utf8)
        return await send(request)
    }

    /// Sends a plain card's AUTHORIZE or PAY.
    fileprivate func pay(
        _ transaction: String, order: String, amount: String, operation: String
    ) async -> Response? {
        var request = Request.payment(transaction, order: order, amount: amount)
        request.body = Array(request.text.replacing(#""PAY""#, with: #""\#(operation)""#).utf8)
        return await send(request)
    }
}

extension Request {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
