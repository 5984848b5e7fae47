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

    @Test func `the reset of one merchant forgets that merchant, and nothing else`() async throws {
        let control = try TestControl()
        #expect(await control.pay()?.status == 201)
        #expect(await control.send(.session(of: "TESTMERCHANT"))?.status == 201)
        let session = try #require(await control.send(.session(of: "OTHER")))
        #expect(session.status == 201)
        let token = try await control.control(
            .post, "tokens", #"{"amount":"1.00","currency":"USD","request":"PAY","defect":"tag-altered"}"#)
        var broken = Request.payment("2", order: "order-2")
        broken.body = try #require(token["request"]).serialized()
        #expect(await control.send(broken)?.status == 400)
        _ = try await control.control(.put, "clock", #"{"offsetSeconds":100}"#)
        for merchant in ["TESTMERCHANT", "OTHER"] {
            _ = try await control.control(.post, "outcomes", #"{"reply":"CUT","merchant":"\#(merchant)"}"#)
        }
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"TIMED_OUT"}"#)
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID("order-1"))

        // Another merchant's reset changes nothing here.
        #expect(try await control.control(.post, "reset", #"{"merchant":"OTHER"}"#).text == #"{"result":"SUCCESS"}"#)
        #expect(try await control.store.history(of: key) != nil)
        #expect(try await control.control(.get, "requests?merchant=TESTMERCHANT").elements("requests").count == 3)
        #expect(try await control.control(.get, "requests?merchant=OTHER").elements("requests").isEmpty)
        #expect(try await control.control(.get, "reports").elements("reports").count == 1)
        #expect(try await control.control(.get, "outcomes").elements("outcomes").count == 2)
        let id = try #require(session.string("session.id"))
        #expect(await control.send(.session(of: "OTHER", id))?.status == 400)

        #expect(try await control.control(.post, "reset", #"{"merchant":"TESTMERCHANT"}"#).status == 200)
        #expect(try await control.store.history(of: key) == nil)
        #expect(try await control.control(.get, "requests?merchant=TESTMERCHANT").elements("requests").isEmpty)
        #expect(try await control.control(.get, "reports").elements("reports").isEmpty)
        let outcomes = try await control.control(.get, "outcomes").elements("outcomes")
        #expect(outcomes.map { $0["gatewayCode"] } == [.string("TIMED_OUT")])
        #expect(control.clock.offsetMilliseconds == 100_000)
    }

    @Test(arguments: [
        (#"{"merchant":"NOBODY"}"#, "400 merchant"), (#"{"merchant":"a b"}"#, "400 merchant"),
        (#"{"merchant":7}"#, "400 merchant"), (#"{"merchant":"TESTMERCHANT","order":"1"}"#, "400 order"),
    ])
    func `a reset of an unknown merchant is refused`(body: String, refusal: String) async throws {
        let control = try TestControl()
        _ = await control.pay()
        #expect(try await control.control(.post, "reset", body).refusal == refusal)
        #expect(try await control.control(.get, "requests").elements("requests").count == 1)
    }

    @Test func `the reset of one merchant that the store can't do is refused`() async throws {
        let control = try TestControl(store: AwayStore())
        #expect(try await control.control(.post, "reset", #"{"merchant":"TESTMERCHANT"}"#).refusal == "503 -")
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
    func reset(_: MerchantID, groups _: [[UInt8]]) async throws(StoreFailure) { throw .unavailable(detail: "away") }
}

extension Request {
    /// Creates a merchant's session, or retrieves one.
    fileprivate static func session(of merchant: String, _ id: String? = nil) -> Request {
        let credentials = Base64.encoded(Array("merchant.\(merchant):\(TestControl.password)".utf8))
        let path = "/api/rest/version/100/merchant/\(merchant)/session" + (id.map { "/" + $0 } ?? "")
        return .to(id == nil ? .post : .get, path, fields: [("Authorization", "Basic " + credentials)])
    }
}
