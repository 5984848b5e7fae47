import ControlAPI
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

struct ResetTests {
    @Test func `a reset forgets everything and goes back to the start`() async throws {
        let control = try TestControl()
        let first = try #require(await control.pay())
        #expect(first.status == 201)
        let token = try await control.control(
            .post, "tokens", #"{"amount":"1.00","currency":"USD","request":"PAY","defect":"tag-altered"}"#)
        var broken = Request.payment("2")
        broken.body = try #require(token["request"]).serialized()
        _ = await control.send(broken)
        let log = try await control.control(.get, "requests").elements("requests")
        guard case .string(let report) = log.last?["report"] else { throw TestControl.Cut() }
        _ = try await control.control(.put, "clock", #"{"offsetSeconds":100}"#)
        _ = try await control.control(.put, "seed", #"{"seed":1}"#)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)

        let reset = try await control.control(.post, "reset")
        #expect(reset.text == #"{"result":"SUCCESS"}"#)
        #expect(try await control.control(.get, "requests").text == #"{"requests":[]}"#)
        #expect(try await control.control(.get, "outcomes").text == #"{"outcomes":[]}"#)
        #expect(try await control.control(.get, "reports/\(report)").status == 404)
        #expect(control.clock.offsetMilliseconds == 0)
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID("order-1"))
        #expect(try await control.store.history(of: key) == nil)
        // The same ids with another amount: nobody remembers the first.
        let again = try #require(await control.pay(amount: "11.00"))
        #expect(again.status == 201)
        #expect(again.string("response.gatewayCode") == "APPROVED")
    }

    @Test func `a token pays again after a reset`() async throws {
        let control = try TestControl()
        let token = try await control.control(.post, "tokens", #"{"amount":"1.00","currency":"USD","request":"PAY"}"#)
        func pay(_ transaction: String) async throws -> Int {
            var request = Request.payment(transaction, order: "order-\(transaction)")
            request.body = try #require(token["request"]).serialized()
            return try #require(await control.send(request)).status
        }
        #expect(try await pay("1") == 201)
        #expect(try await pay("2") == 400)
        _ = try await control.control(.post, "reset", "{}")
        #expect(try await pay("2") == 201)
    }

    @Test func `a reset that the store can't do is refused, and health reports it`() async throws {
        let control = try TestControl(store: AwayStore())
        #expect(try await control.control(.post, "reset").refusal == "503 -")
        #expect(try await control.control(.get, "health").refusal == "503 -")
        #expect(try await TestControl().control(.get, "health").text == #"{"status":"READY"}"#)
    }

    @Test(arguments: ["{\"orders\":true}", "[]", "x"])
    func `a reset takes no words`(body: String) async throws {
        let control = try TestControl()
        _ = await control.pay()
        #expect(try await control.control(.post, "reset", body).status == 400)
        #expect(try await control.control(.get, "requests").elements("requests").count == 1)
    }
}

/// A store whose server doesn't answer.
private struct AwayStore: PaymentStore, OrderListing {
    func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage? { throw .unavailable(detail: "away") }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        throw .unavailable(detail: "away")
    }
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { throw .unavailable(detail: "away") }
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome { throw .unavailable(detail: "away") }
    func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int {
        throw .unavailable(detail: "away")
    }
    func reset() async throws(StoreFailure) { throw .unavailable(detail: "away") }
}
