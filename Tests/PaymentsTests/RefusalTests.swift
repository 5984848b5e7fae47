import Payments
import TestSupport
import Testing
import Values
import Vault

/// The refusals stand in the order in which they take precedence.
struct RefusalTests {
    let gateway: Gateway

    init() throws { gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer()) }

    @Test(arguments: [
        TestPayment { $0.parameters = "another request" }, TestPayment { $0.parameters = "" },
        TestPayment {
            $0.parameters = "another request"
            $0.amount = "0"
            $0.currencies = []
        },
    ])
    func `a transaction is not carried out with other parameters`(other: TestPayment) async throws {
        let first = try await gateway.perform(TestPayment().command, at: TestPayment.instant)
        await expect(other, isRefusedAs: "parametersDiffer")
        #expect(try await gateway.retrieve(TestPayment().key).transactions == [first])
    }

    @Test func `a token needs a merchant with keys`() async {
        await expect(
            TestPayment { $0.sourceOfFunds = .applePayToken(SecretText("{}")) }, isRefusedAs: "applePayNotConfigured")
    }

    @Test func `a merchant's other currencies are refused`() async {
        await expect(
            TestPayment {
                $0.currencies = [.eur]
                $0.amount = "0"
            }, isRefusedAs: "currencyNotAccepted")
    }

    @Test(arguments: ["0", "0.00"])
    func `nothing is not an amount to pay`(amount: String) async {
        await expect(TestPayment { $0.amount = amount }, isRefusedAs: "amountNotPositive")
    }

    @Test(arguments: Authorize.Operation.allCases, Authorize.Operation.allCases)
    func `an order is authorized once`(first: Authorize.Operation, second: Authorize.Operation) async throws {
        _ = try await gateway.perform(TestPayment { $0.operation = first }.command, at: TestPayment.instant)
        await expect(
            TestPayment {
                $0.operation = second
                $0.transaction = "2"
                $0.currency = .eur
            }, isRefusedAs: "orderNotAwaitingAuthorization")
    }

    @Test func `a failed order stays in its currency`() async throws {
        _ = try await gateway.perform(TestPayment { $0.amount = "5757.00" }.command, at: TestPayment.instant)
        await expect(
            TestPayment {
                $0.transaction = "2"
                $0.currency = .eur
            }, isRefusedAs: "currencyDiffers")
    }

    @Test(arguments: ["5757.00", "5858.00", "5959.00", "6262.00", "6363.00"])
    func `a failed order may be tried again for another amount`(amount: String) async throws {
        let failed = try await gateway.perform(TestPayment { $0.amount = amount }.command, at: TestPayment.instant)
        let retried = try await gateway.perform(TestPayment { $0.transaction = "2" }.command, at: TestPayment.instant)
        #expect(retried.order.status == .authorized)
        #expect(retried.order.amount == (try Amount("30.10", .usd)))

        let (earlier, current) = try await gateway.retrieve(failed.id, of: TestPayment().key)
        #expect(earlier == failed)
        #expect(current == retried.order)
        #expect(try await gateway.retrieve(TestPayment().key).transactions == [failed, retried])
    }

    @Test func `a repeated request has its first answer, though the order has moved on`() async throws {
        let declined = TestPayment { $0.amount = "5757.00" }
        let first = try await gateway.perform(declined.command, at: TestPayment.instant)
        _ = try await gateway.perform(TestPayment { $0.transaction = "2" }.command, at: TestPayment.instant)
        let later = TestPayment.instant.advanced(byMilliseconds: 400 * 86_400_000)
        #expect(try await gateway.perform(declined.command, at: later) == first)
        #expect(try await gateway.retrieve(first.id, of: declined.key).order.status == .authorized)
    }

    @Test func `what isn't there is not retrieved`() async throws {
        let key = try TestPayment().key
        await #expect { try await gateway.retrieve(key) } throws: { "\($0)" == "unknownOrder" }
        let transaction = try TransactionID("1")
        await #expect { try await gateway.retrieve(transaction, of: key) } throws: { "\($0)" == "unknownOrder" }
        _ = try await gateway.perform(TestPayment().command, at: TestPayment.instant)
        let other = try TransactionID("2")
        await #expect { try await gateway.retrieve(other, of: key) } throws: { "\($0)" == "unknownTransaction" }
    }

    @Test func `no merchant sees another's order`() async throws {
        _ = try await gateway.perform(TestPayment().command, at: TestPayment.instant)
        let key = try TestPayment { $0.merchant = "OTHER" }.key
        await #expect { try await gateway.retrieve(key) } throws: { "\($0)" == "unknownOrder" }
    }

    @Test func `a store that is away refuses everything`() async throws {
        let gateway = try Gateway.test(store: AwayStore(), acquirer: TestSimulator.acquirer())
        let (command, key, transaction) = try (TestPayment().command, TestPayment().key, TransactionID("1"))
        let away = "storeUnavailable(the store can't be used: away)"
        await #expect { try await gateway.perform(command, at: TestPayment.instant) } throws: { "\($0)" == away }
        await #expect { try await gateway.retrieve(key) } throws: { "\($0)" == away }
        await #expect { try await gateway.retrieve(transaction, of: key) } throws: { "\($0)" == away }
    }

    @Test func `an order that never holds still is refused in the end`() async throws {
        let gateway = try Gateway.test(store: RestlessStore(), acquirer: TestSimulator.acquirer())
        let command = try TestPayment().command
        await #expect { try await gateway.perform(command, at: TestPayment.instant) } throws: { "\($0)" == "orderBusy" }
    }

    private func expect(
        _ payment: TestPayment, isRefusedAs name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await gateway.perform(payment.command, at: TestPayment.instant)
        } throws: { error in
            guard let refusal = error as? Refusal else { return false }
            return "\(refusal)".prefix { $0 != "(" } == name
        }
    }
}

/// A store whose server doesn't answer.
private struct AwayStore: PaymentStore {
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

/// A store in which another instance is always first.
private struct RestlessStore: PaymentStore {
    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        Recollection(order: nil, transaction: nil)
    }
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { nil }
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome { .orderMoved }
    func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int { 0 }
    func reset() async throws(StoreFailure) {}
    func reset(_: MerchantID, groups _: [[UInt8]]) async throws(StoreFailure) {}
}
