import ControlAPI
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

@Suite(.timeLimit(.minutes(30)))
struct OutcomeTests {
    private func outcome(
        _ body: String, pause: @escaping Pause = ScriptedAcquirer.sleep
    ) async throws -> TestControl {
        let control = try TestControl(pause: pause)
        let response = try await control.control(.post, "outcomes", body)
        #expect(response.status == 201, "\(response.text)")
        return control
    }

    @Test(arguments: [
        ("APPROVED", "SUCCESS"), ("DECLINED", "FAILURE"), ("TIMED_OUT", "FAILURE"), ("PARTIALLY_APPROVED", "SUCCESS"),
        ("UNKNOWN", "UNKNOWN"), ("SYSTEM_ERROR", "FAILURE"), ("UNSPECIFIED_FAILURE", "FAILURE"),
    ])
    func `the next operation gets the outcome, whatever its amount, and the one after it doesn't`(
        gatewayCode: String, result: String
    ) async throws {
        let control = try await outcome(#"{"gatewayCode":"\#(gatewayCode)"}"#)
        let reply = try #require(await control.pay(order: "a", amount: "5757.00"))
        #expect(reply.status == 201)
        #expect(reply.string("response.gatewayCode") == gatewayCode)
        #expect(reply.string("result") == result)
        #expect(await control.pay(order: "b", amount: "10.00")?.string("response.gatewayCode") == "APPROVED")
    }

    @Test func `so many operations get it as were asked for`() async throws {
        let control = try await outcome(#"{"gatewayCode":"DECLINED","count":3}"#)
        var codes: [String?] = []
        for transaction in 1...5 { codes.append(await control.pay("\(transaction)")?.string("response.gatewayCode")) }
        #expect(codes == ["DECLINED", "DECLINED", "DECLINED", "APPROVED", nil])
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
    }

    @Test func `operations that come at once get it exactly as often as was asked for`() async throws {
        let control = try await outcome(#"{"gatewayCode":"DECLINED","count":7}"#)
        let codes = await withTaskGroup(of: String?.self) { group in
            for order in 0..<32 {
                group.addTask { await control.pay(order: "order-\(order)")?.string("response.gatewayCode") }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == "DECLINED" } == 7)
        #expect(codes.count { $0 == "APPROVED" } == 25)
    }

    @Test(arguments: [
        (#""order":"order-1""#, ["DECLINED", "APPROVED"]), (#""order":"order-2""#, ["APPROVED", "DECLINED"]),
        (#""order":"order-3""#, ["APPROVED", "APPROVED"]), (#""merchant":"TESTMERCHANT""#, ["DECLINED", "DECLINED"]),
        (#""merchant":"OTHER""#, ["APPROVED", "APPROVED"]),
        (#""merchant":"OTHER","order":"order-1""#, ["APPROVED", "APPROVED"]),
        (#""merchant":"TESTMERCHANT","order":"order-2""#, ["APPROVED", "DECLINED"]),
    ])
    func `an outcome is of an order, a merchant or all`(scope: String, codes: [String]) async throws {
        let control = try await outcome(#"{"gatewayCode":"DECLINED","count":9,\#(scope)}"#)
        for (order, code) in zip(["order-1", "order-2"], codes) {
            #expect(await control.pay(order: order)?.string("response.gatewayCode") == code)
        }
    }

    @Test func `outcomes are used in the order in which they came`() async throws {
        let control = try await outcome(#"{"gatewayCode":"DECLINED"}"#)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"TIMED_OUT","order":"b"}"#)
        #expect(await control.pay(order: "b")?.string("response.gatewayCode") == "DECLINED")
        #expect(await control.pay("2", order: "b")?.string("response.gatewayCode") == "TIMED_OUT")
    }

    @Test func `a refused request and a repeated one use nothing up`() async throws {
        let control = try TestControl()
        let first = try #require(await control.pay())
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED","reply":"CUT"}"#)
        let waiting = try await control.control(.get, "outcomes").text

        #expect(await control.pay()?.body == first.body)
        #expect(await control.pay(amount: "11.00")?.status == 400)
        #expect(await control.pay(order: "a", password: "wrong")?.status == 401)
        #expect(await control.pay(order: "a", amount: "0")?.status == 400)
        #expect(await control.pay(order: "a", amount: "x")?.status == 400)
        var retrieval = Request.payment()
        retrieval.head.method = .get
        #expect(await control.send(retrieval)?.status == 200)
        #expect(try await control.control(.get, "outcomes").text == waiting)

        #expect(await control.pay(order: "a") == nil)
    }

    @Test func `a gateway that has just started uses nothing up for what was answered before`() async throws {
        let store = InMemoryStore()
        let first = try #require(await TestControl(store: store).pay())
        let control = try TestControl(store: store)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED","reply":"CUT"}"#)
        let waiting = try await control.control(.get, "outcomes").text
        #expect(await control.pay()?.body == first.body)
        #expect(await control.pay("2")?.status == 400)
        #expect(try await control.control(.get, "outcomes").text == waiting)
        #expect(await control.pay(order: "a") == nil)
    }

    @Test func `a request takes no outcome before it is known to be lawful`() async throws {
        let control = try await outcome(#"{"gatewayCode":"DECLINED"}"#)
        let waiting = try await control.control(.get, "outcomes").text
        let answers = [control.answer(.payment(amount: "0")), control.answer(.payment(order: "a"))]
        #expect(try await control.control(.get, "outcomes").text == waiting)
        #expect(await TestControl.response(to: answers[1])?.string("response.gatewayCode") == "DECLINED")
        #expect(await TestControl.response(to: answers[0])?.status == 400)
    }

    @Test func `a reply that is cut was carried out, and the repeated request gets it`() async throws {
        let control = try await outcome(#"{"reply":"CUT"}"#)
        #expect(await control.pay() == nil)
        let again = try #require(await control.pay())
        #expect(again.status == 201)
        #expect(again.string("response.gatewayCode") == "APPROVED")
        let log = try await control.control(.get, "requests").elements("requests")
        #expect(log.map { $0["sent"] } == [.string("CUT"), nil])
        #expect(log.allSatisfy { $0["status"] == 201 })
    }

    @Test func `a late reply leaves after its transaction is there`() async throws {
        let pauses = Pauses()
        let control = try await outcome(
            #"{"gatewayCode":"DECLINED","reply":"LATE","latencyMilliseconds":120000}"#, pause: pauses.pause)
        let paying = Task { await control.pay() }
        await pauses.begun(1)
        #expect(try await control.transactionCount == 1)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
        #expect(await control.pay()?.string("response.gatewayCode") == "DECLINED")
        pauses.end()
        #expect(await paying.value?.string("response.gatewayCode") == "DECLINED")
    }

    @Test func `a slow acquirer's transaction is not there before its time`() async throws {
        let pauses = Pauses()
        let control = try await outcome(#"{"latencyMilliseconds":120000}"#, pause: pauses.pause)
        let paying = Task { await control.pay() }
        await pauses.begun(1)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
        #expect(try await control.transactionCount == 0)
        pauses.end()
        #expect(await paying.value?.string("response.gatewayCode") == "APPROVED")
        #expect(try await control.transactionCount == 1)
    }

    @Test func `a slow acquirer delays neither a repeated request nor a refused one`() async throws {
        let pauses = Pauses()
        let control = try TestControl(pause: pauses.pause)
        let first = try #require(await control.pay())
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED","latencyMilliseconds":3000}"#)
        #expect(await control.pay()?.body == first.body)
        #expect(await control.pay("2")?.status == 400)
        #expect(await control.pay(amount: "11.00")?.status == 400)
        #expect(await control.pay(order: "a", amount: "0")?.status == 400)
        // A pause would have no end before this.
        pauses.end()
        #expect(await control.pay(order: "a")?.string("response.gatewayCode") == "DECLINED")
        #expect(pauses.lengths == [3000])
    }

    @Test func `twins at a slow acquirer use one outcome and have one answer`() async throws {
        let pauses = Pauses()
        let control = try await outcome(
            #"{"gatewayCode":"DECLINED","latencyMilliseconds":120000,"count":2}"#, pause: pauses.pause)
        let paying = (0..<8).map { _ in Task { await control.pay() } }
        await pauses.begun(1)
        for _ in 0..<100 { await Task.yield() }
        // Another transaction of the order doesn't wait for them.
        let other = Task { await control.pay("2") }
        await pauses.begun(2)
        pauses.end()
        #expect(await other.value?.string("response.gatewayCode") == "DECLINED")
        for twin in paying { #expect(await twin.value?.string("response.gatewayCode") == "DECLINED") }
        #expect(pauses.lengths == [120_000, 120_000])
        #expect(try await control.transactionCount == 2)
    }

    @Test func `a token that is refused by the commit gives its outcome back, the first again`() async throws {
        let control = try TestControl()
        let minted = try await control.control(
            .post, "tokens", #"{"amount":"10.00","currency":"USD","request":"PAY"}"#)
        let content = try #require(minted["request"]).serialized()
        func pay(_ order: String) async -> Response? {
            var request = Request.payment(order: order)
            request.body = content
            return await control.send(request)
        }
        #expect(await pay("a")?.status == 201)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"TIMED_OUT"}"#)
        let waiting = try await control.control(.get, "outcomes").text
        #expect(await pay("b")?.status == 400)
        #expect(try await control.control(.get, "outcomes").text == waiting)
        #expect(await control.pay(order: "c")?.string("response.gatewayCode") == "DECLINED")
    }

    @Test func `outcomes that were removed while an operation was in flight don't come back`() async throws {
        let pauses = Pauses()
        let control = try await outcome(#"{"latencyMilliseconds":120000,"count":2}"#, pause: pauses.pause)
        let slow = Task { await control.pay("1") }
        await pauses.begun(1)
        #expect(try await control.control(.delete, "outcomes").text == #"{"outcomes":[]}"#)
        // The order is paid meanwhile, so the slow one is refused, and would give its claim back.
        #expect(await control.pay("2")?.status == 201)
        pauses.end()
        #expect(await slow.value?.status == 400)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
    }

    @Test func `an order that is paid while the acquirer is slow gives the slow one's outcome back`() async throws {
        let pauses = Pauses()
        let control = try await outcome(
            #"{"gatewayCode":"DECLINED","latencyMilliseconds":120000}"#, pause: pauses.pause)
        let waiting = #""gatewayCode":"DECLINED""#
        let slow = Task { await control.pay("1") }
        await pauses.begun(1)
        #expect(await control.pay("2")?.status == 201)
        #expect(try await !control.control(.get, "outcomes").text.contains(waiting))
        pauses.end()
        #expect(await slow.value?.status == 400)
        #expect(try await control.control(.get, "outcomes").text.contains(waiting))
    }

    @Test(arguments: [
        ("", "400 -"), ("{}", "400 -"), ("null", "400 -"), ("[]", "400 -"), ("{", "400 -"), (#"{"count":2}"#, "400 -"),
        (#"{"gatewayCode":"FINE"}"#, "400 gatewayCode"), (#"{"gatewayCode":"BLOCKED"}"#, "400 gatewayCode"),
        (#"{"gatewayCode":1}"#, "400 gatewayCode"), (#"{"gatewayCode":"DECLINED","count":-1}"#, "400 count"),
        (#"{"gatewayCode":"DECLINED","count":10001}"#, "400 count"),
        (#"{"gatewayCode":"DECLINED","count":"1"}"#, "400 count"),
        (#"{"latencyMilliseconds":-1}"#, "400 latencyMilliseconds"),
        (#"{"latencyMilliseconds":120001}"#, "400 latencyMilliseconds"), (#"{"latencyMilliseconds":0}"#, "400 -"),
        (#"{"latencyMilliseconds":1.5}"#, "400 latencyMilliseconds"), (#"{"reply":"LATE"}"#, "400 latencyMilliseconds"),
        (#"{"reply":"cut"}"#, "400 reply"), (#"{"reply":"SENT"}"#, "400 -"),
        (#"{"reply":"CUT","merchant":"a b"}"#, "400 merchant"),
        (#"{"reply":"CUT","merchant":""}"#, "400 merchant"),
        (#"{"reply":"CUT","order":"\#(String(repeating: "a", count: 41))"}"#, "400 order"),
        (#"{"reply":"CUT","ordr":"1"}"#, "400 ordr"),
    ])
    func `the error for an impossible outcome names it`(body: String, refusal: String) async throws {
        let control = try TestControl()
        #expect(try await control.control(.post, "outcomes", body).refusal == refusal)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
    }

    @Test func `so many outcomes wait and no more`() async throws {
        let control = try TestControl()
        for _ in 0..<OutcomeRegister.countMax {
            #expect(try await control.control(.post, "outcomes", #"{"reply":"CUT"}"#).status == 201)
        }
        #expect(try await control.control(.post, "outcomes", #"{"reply":"CUT"}"#).refusal == "409 -")
        #expect(try await control.control(.delete, "outcomes").status == 200)
        #expect(try await control.control(.post, "outcomes", #"{"reply":"CUT"}"#).status == 201)
    }
}

extension TestControl {
    /// How many transactions the order of the tests has.
    fileprivate var transactionCount: Int {
        get async throws {
            let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID("order-1"))
            return try await store.history(of: key)?.transactions.count ?? 0
        }
    }
}
