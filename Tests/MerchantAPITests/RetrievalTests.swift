import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

struct RetrievalTests {
    private static let order = TestAPI.path.replacing("/transaction/950596203", with: "")

    @Test(arguments: ["5656", "5757", "5858", "6161"])
    func `a retrieved transaction has the bytes that it was answered with`(amount: String) async throws {
        let api = try TestAPI()
        let answered = await api.put(try Example.changed(["order.amount": .string(amount), "correlationId": "c"]))
        #expect(answered.status == 201)
        for method in [HTTPRequest.Method.get, .head] {
            let retrieved = await api.send(method)
            #expect(retrieved.status == 200)
            #expect(retrieved.body == answered.body)
            #expect(retrieved.head.headerFields == answered.head.headerFields)
        }
    }

    @Test func `an order has its members at the top and its transactions, oldest first`() async throws {
        let api = try TestAPI()
        _ = await api.put(
            try Example.changed(["order.amount": "5757", "order.reference": "r-1", "correlationId": "c-1"]))
        api.clock.advance(byMilliseconds: 60_000)
        _ = await api.put(
            try Example.changed(["apiOperation": "PAY", "order.description": "again", "transaction.reference": "t-2"]),
            TestAPI.path + "-2")
        let response = await api.send(.get, Self.order)
        #expect(response.status == 200)
        let value = try #require(response.value)
        guard case .object(let members) = value, case .array(let transactions)? = value["transaction"] else {
            Issue.record("an order is an object with an array of transactions")
            return
        }
        #expect(
            members.map(\.name) == [
                "amount", "authenticationStatus", "certainty", "chargeback", "creationTime", "currency", "description",
                "device", "id", "lastUpdatedTime", "merchant", "merchantAmount", "merchantCategoryCode",
                "merchantCurrency", "posTerminal", "reference", "result", "sourceOfFunds", "status",
                "totalAuthorizedAmount",
                "totalCapturedAmount", "totalDisbursedAmount", "totalRefundedAmount", "transaction", "walletProvider",
            ])
        #expect(response.string("result") == "SUCCESS")
        #expect(response.string("status") == "CAPTURED")
        #expect(value.at("totalCapturedAmount") == .decimal("30.10"))
        #expect(response.string("creationTime") == "2023-03-14T10:15:34.265Z")
        #expect(response.string("lastUpdatedTime") == "2023-03-14T10:16:34.265Z")
        #expect(transactions.map { $0.at("transaction.id")?.string } == ["950596203", "950596203-2"])
        #expect(transactions.map { $0.at("result")?.string } == ["FAILURE", "SUCCESS"])
        #expect(transactions.map { $0.at("order.status")?.string } == ["CAPTURED", "CAPTURED"])
        #expect(transactions.map { $0.at("version")?.string } == ["71", "71"])
        for (transaction, path) in zip(transactions, [TestAPI.path, TestAPI.path + "-2"]) {
            #expect(await api.send(.get, path).value == transaction)
        }
    }

    @Test func `what doesn't exist is a bad request in the real gateway's words`() async throws {
        let api = try TestAPI()
        let unknownOrder = "400 | - | - | Unable to find order 844205983 for merchant TESTMERCHANT"
        #expect(await api.send(.get, Self.order).refusal == unknownOrder)
        #expect(await api.send(.get).refusal == unknownOrder)
        _ = await api.put(try Example.changed())
        #expect(
            await api.send(.get, TestAPI.path + "-2").refusal
                == "400 | - | - | Unable to find transaction 950596203-2 of order 844205983 for merchant TESTMERCHANT")
    }

    @Test func `an order that is authorized is not authorized again`() async throws {
        let api = try TestAPI()
        _ = await api.put(try Example.changed())
        #expect(
            await api.put(try Example.changed(["apiOperation": "PAY"]), TestAPI.path + "-2").refusal
                == "400 | apiOperation | INVALID | Value 'PAY' is invalid. The order is already AUTHORIZED.")
    }

    @Test func `an order keeps its currency`() async throws {
        let api = try TestAPI()
        _ = await api.put(try Example.changed(["order.amount": "5757"]))
        #expect(
            await api.put(try Example.changed(["order.currency": "EUR"]), TestAPI.path + "-2").refusal
                == "400 | order.currency | INVALID | Value 'EUR' is invalid. The currency of the order is USD")
    }

    /// A store that is away or broken.
    private struct FailingStore: PaymentStore {
        let failure: StoreFailure

        func recall(_: TransactionID, of: OrderKey) async throws(StoreFailure) -> Recollection { throw failure }
        func history(of: OrderKey) async throws(StoreFailure) -> OrderHistory? { throw failure }
        func commit(_: Commit) async throws(StoreFailure) -> CommitOutcome { throw failure }
        func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int {
            throw failure
        }
        func reset() async throws(StoreFailure) { throw failure }
        func reset(_: MerchantID, groups _: [[UInt8]]) async throws(StoreFailure) { throw failure }
    }

    @Test func `a store that is away is SERVER_BUSY, and nothing of its trouble is told`() async throws {
        let api = try TestAPI(store: FailingStore(failure: .unavailable(detail: "disk I/O error in /srv/secret")))
        for response in [await api.put(try Example.changed()), await api.send(.get), await api.send(.get, Self.order)] {
            #expect(response.status == 503)
            #expect(
                response.text
                    == #"{"error":{"cause":"SERVER_BUSY","explanation":"The gateway is temporarily unable to process "#
                    + #"the request. Send the identical request later."},"result":"ERROR"}"#
            )
        }
    }

    @Test func `a store that is damaged is SERVER_FAILED`() async throws {
        let api = try TestAPI(store: FailingStore(failure: .damaged(detail: "order 1")))
        for response in [await api.put(try Example.changed()), await api.send(.get), await api.send(.get, Self.order)] {
            #expect(response.status == 500)
            #expect(
                response.text == #"{"error":{"cause":"SERVER_FAILED","supportCode":"STORE_DAMAGED"},"result":"ERROR"}"#)
        }
    }
}
