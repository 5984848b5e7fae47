import Payments
import TestSupport
import Testing
import Values
import Vault

/// Every state rule by what it refuses. A refused operation leaves no trace.
struct RefusedOperationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let before: [TestStep]
        let step: TestStep
        let refusal: String
        let privileges: Set<Privilege>
        var testDescription: String { "\(step) after \(before)" }

        init(_ before: [TestStep], _ step: TestStep, _ refusal: String, _ privileges: Set<Privilege> = .usual) {
            self.before = before
            self.step = step
            self.refusal = refusal
            self.privileges = privileges
        }
    }

    static let every = Set(Privilege.allCases)

    static let captures = [
        Row([], .capture("1.00"), "unknownOrder"),
        Row([.authorize("5.00")], .capture("0"), "amountNotPositive"),
        Row([.authorize("5.00")], .capture("5.01"), "exceedsAuthorized(available: 5.00)"),
        Row([.authorize("5.00"), .capture("2.00")], .capture("3.01"), "exceedsAuthorized(available: 3.00)"),
        Row([.authorize("5.00"), .capture("5.00")], .capture("0.01"), "exceedsAuthorized(available: 0.00)"),
        // A refund gives nothing back to the authorization.
        Row(
            [.authorize("5.00"), .capture("5.00"), .refund("5.00")], .capture("0.01"),
            "exceedsAuthorized(available: 0.00)"),
        Row(
            [.authorize("5.00"), .capture("5.00"), .update("6.00")], .capture("1.01"),
            "exceedsAuthorized(available: 1.00)"),
        Row([.pay("5.00")], .capture("5.00"), "noAuthorization(.captured)"),
        Row([.verify], .capture("5.00"), "noAuthorization(.verified)"),
        Row([.authorize("5.00"), .void("1")], .capture("5.00"), "noAuthorization(.cancelled)"),
        Row([.refundToCard("5.00")], .capture("5.00"), "noAuthorization(.excessivelyRefunded)", every),
    ]

    static let updates = [
        Row([], .update("1.00"), "unknownOrder"),
        Row([.authorize("5.00")], .update("0.00"), "amountNotPositive"),
        Row([.authorize("5.00"), .capture("2.00")], .update("1.99"), "lessThanCaptured(captured: 2.00)"),
        Row([.pay("5.00")], .update("6.00"), "noAuthorization(.captured)"),
        Row([.authorize("5.00"), .void("1")], .update("6.00"), "noAuthorization(.cancelled)"),
        Row([.verify], .update("6.00"), "noAuthorization(.verified)"),
    ]

    static let refunds = [
        Row([], .refund("1.00"), "unknownOrder"),
        Row([.pay("5.00")], .refund("0.00"), "amountNotPositive"),
        Row([.authorize("5.00")], .refund("5.00"), "nothingToRefund(.authorized)"),
        Row([.verify], .refund("5.00"), "nothingToRefund(.verified)"),
        Row([.pay("5.00"), .void("1")], .refund("5.00"), "nothingToRefund(.cancelled)"),
        Row([.refundToCard("5.00")], .refund("5.00"), "nothingToRefund(.excessivelyRefunded)", every),
        Row([.authorize("5.00"), .capture("2.00"), .void("2")], .refund("2.00"), "nothingToRefund(.authorized)"),
        Row([.authorize("5.00"), .capture("2.00"), .capture("2.00")], .refund("1.00"), "severalToRefund"),
        Row(
            [
                .authorize("5.00"), .capture("2.00"), .capture("2.00"), .refund("2.00", of: "2"),
                .refund("2.00", of: "3"),
            ], .refund("1.00"), "severalToRefund", every),
        Row(
            [
                .authorize("5.00"), .capture("2.00"), .capture("2.00"), .refund("2.00", of: "2"),
                .refund("2.00", of: "3"),
            ], .refund("1.00"), "exceedsCaptured(available: 0.00)"),
        Row([.pay("5.00")], .refund("5.00", of: "9"), "unknownTarget(9)"),
        Row([.pay("5.00")], .refund("5.00", of: "refused"), "unknownTarget(refused)"),
        Row([.authorize("5.00")], .refund("5.00", of: "1"), "targetNotRefundable(.authorization)"),
        Row([.verify], .refund("5.00", of: "1"), "targetNotRefundable(.verification)"),
        Row([.pay("5.00"), .refund("1.00")], .refund("1.00", of: "2"), "targetNotRefundable(.refund)"),
        Row([.pay("5.00"), .void("1")], .refund("5.00", of: "1"), "targetNotRefundable(.payment)"),
        Row(
            [.authorize("5.00"), .capture("5.00"), .void("2")], .refund("5.00", of: "2"),
            "targetNotRefundable(.capture)"),
        Row([.pay("5.00")], .refund("5.01"), "exceedsCaptured(available: 5.00)"),
        Row([.pay("5.00"), .refund("2.00")], .refund("3.01"), "exceedsCaptured(available: 3.00)"),
        Row([.pay("5.00"), .refund("5.00")], .refund("0.01"), "exceedsCaptured(available: 0.00)"),
        Row([.pay("5.00"), .refund("5.00")], .refund("0.01", of: "1"), "exceedsCaptured(available: 0.00)"),
        // This capture's refunds can't use the amounts of other captures.
        Row(
            [.authorize("9.00"), .capture("4.00"), .capture("5.00")], .refund("4.01", of: "2"),
            "exceedsCaptured(available: 4.00)"),
        Row([.pay("5.00")], .refundToCard("5.00"), "sourceOfFundsNotAllowed", every),
        Row([.authorize("5.00")], .refundToCard("5.00"), "sourceOfFundsNotAllowed", every),
        Row([.refundToCard("5.00")], .refundToCard("5.00"), "sourceOfFundsNotAllowed", every),
        Row([], .refundToCard("0.00"), "amountNotPositive", every),
        Row(
            [.refundToCard("1.00"), .void("1")], .refundToCard("1.00"), "sourceOfFundsNotAllowed", every),
        Row(
            [.pay("1.00"), .refund("99999999999.99"), .refund("900000000000"), .refund("0.01", of: "1")],
            .refund("1.01"), "totalExceedsMaximum", every),
    ]

    static let voids = [
        Row([], .void("1"), "unknownOrder"),
        Row([.authorize("5.00")], .void("2"), "nothingToVoid"),
        Row([.authorize("5.00"), .void("1")], .void("1"), "nothingToVoid"),
        Row([.authorize("5.00"), .void("1")], .void("2"), "nothingToVoid"),
        Row([.pay("5.00"), .void("1")], .void("1"), "nothingToVoid"),
        Row([.authorize("5.00"), .capture("1.00"), .void("2")], .void("2"), "nothingToVoid"),
        Row([.pay("5.00"), .refund("1.00"), .void("2")], .void("2"), "nothingToVoid"),
        Row([.pay("5.00"), .refund("1.00"), .void("2")], .void("3"), "nothingToVoid"),
        Row([.verify], .void("1"), "nothingToVoid"),
        Row([.authorize("5.00"), .update("6.00")], .void("2"), "nothingToVoid"),
        Row([.authorize("5.00"), .capture("1.00")], .void("1"), "voidedOutOfOrder(first: .capture)"),
        Row([.authorize("5.00"), .capture("5.00")], .void("1"), "voidedOutOfOrder(first: .capture)"),
        Row(
            [.authorize("5.00"), .capture("1.00"), .capture("1.00"), .void("2")], .void("1"),
            "voidedOutOfOrder(first: .capture)"),
        Row(
            [.authorize("5.00"), .capture("5.00"), .refund("1.00")], .void("2"), "voidedOutOfOrder(first: .refund)"),
        Row([.pay("5.00"), .refund("0.01")], .void("1"), "voidedOutOfOrder(first: .refund)"),
        Row(
            [.pay("5.00"), .refund("1.00"), .refund("1.00"), .void("2")], .void("1"),
            "voidedOutOfOrder(first: .refund)"),
    ]

    static let firsts = [
        Row([.authorize("5.00")], .verify, "orderNotAwaitingAuthorization(.authorized)"),
        Row([.pay("5.00")], .verify, "orderNotAwaitingAuthorization(.captured)"),
        Row([.authorize("5.00"), .void("1")], .authorize("5.00"), "orderNotAwaitingAuthorization(.cancelled)"),
        Row([.pay("5.00"), .void("1")], .pay("5.00"), "orderNotAwaitingAuthorization(.cancelled)"),
        Row(
            [.authorize("5.00"), .capture("1.00")], .pay("5.00"), "orderNotAwaitingAuthorization(.partiallyCaptured)"),
        Row([.pay("5.00"), .refund("1.00")], .pay("5.00"), "orderNotAwaitingAuthorization(.partiallyRefunded)"),
        Row([.pay("5.00"), .refund("5.00")], .pay("5.00"), "orderNotAwaitingAuthorization(.refunded)"),
        Row(
            [.refundToCard("5.00")], .authorize("5.00"), "orderNotAwaitingAuthorization(.excessivelyRefunded)", every),
        Row([.verify], .authorize("0"), "amountNotPositive"),
    ]

    static let privileged = [
        Row([.pay("5.00")], .refund("1.00"), "missingPrivilege(.refund)", every.subtracting([.refund])),
        Row([.pay("5.00")], .void("1"), "missingPrivilege(.void)", every.subtracting([.void])),
        Row([], .refundToCard("1.00"), "missingPrivilege(.excessiveRefund)"),
        Row([], .refundToCard("1.00"), "missingPrivilege(.refund)", every.subtracting([.refund])),
        Row([], .authorize("1.00"), "missingPrivilege(.devicePayments)", []),
        Row([], .pay("1.00"), "missingPrivilege(.devicePayments)", every.subtracting([.devicePayments])),
        Row([], .verify, "missingPrivilege(.devicePayments)", every.subtracting([.devicePayments])),
        // A privilege is missed before it is found that there is nothing to do.
        Row([], .refund("0"), "missingPrivilege(.refund)", []),
        Row([], .void("1"), "missingPrivilege(.void)", []),
    ]

    @Test(arguments: captures + updates + refunds + voids + firsts + privileged)
    func `an operation that is not lawful is refused`(row: Row) async throws {
        let store = InMemoryStore()
        let before = try Journey(store) { $0.privileges = Self.every }
        for (index, step) in row.before.enumerated() { _ = try await before.perform(step, "\(index + 1)") }
        let history = try await store.history(of: before.payment.key)

        let journey = try Journey(store) { $0.privileges = row.privileges }
        #expect(try await journey.outcome(row.step, "refused") == row.refusal)
        #expect(try await store.history(of: before.payment.key) == history)
    }

    static let otherCurrency: [TestStep] = [
        .authorize("1.00"), .pay("1.00"), .verify, .capture("1.00"), .refund("1.00"), .update("1.00"),
    ]

    @Test(arguments: otherCurrency) func `an order stays in its currency`(step: TestStep) async throws {
        let store = InMemoryStore()
        let dollars = try Journey(store)
        let begun: [(TestStep, String)] =
            switch step {
            case .authorize, .pay, .verify: [(.authorize("5.00"), "1-DECLINED")]
            default: [(.authorize("5.00"), "1"), (.capture("1.00"), "2")]
            }
        for (begun, name) in begun { _ = try await dollars.perform(begun, name) }
        let euros = try Journey(store) { $0.currency = .eur }
        #expect(try await euros.outcome(step, "3") == "currencyDiffers(order: USD)")
    }

    @Test func `a merchant's other currencies are refused for a verification and a stand-alone refund`() async throws {
        let journey = try Journey {
            $0.currencies = [.eur]
            $0.privileges = Self.every
        }
        #expect(try await journey.outcome(.verify, "1") == "currencyNotAccepted(USD)")
        #expect(try await journey.outcome(.refundToCard("1.00"), "1") == "currencyNotAccepted(USD)")
    }

    static let declinedFirst: [(TestStep, TestStep, String)] = [
        (.authorize("5.00"), .capture("5.00"), "noAuthorization(.failed)"),
        (.authorize("5.00"), .update("5.00"), "noAuthorization(.failed)"),
        (.pay("5.00"), .refund("5.00"), "nothingToRefund(.failed)"),
        (.pay("5.00"), .refund("5.00", of: "1-DECLINED"), "targetNotRefundable(.payment)"),
        (.authorize("5.00"), .void("1-DECLINED"), "nothingToVoid"),
        (.pay("5.00"), .void("1-DECLINED"), "nothingToVoid"),
    ]

    @Test(arguments: declinedFirst)
    func `nothing builds on what was declined`(first: TestStep, later: TestStep, refusal: String) async throws {
        let journey = try Journey()
        _ = try await journey.perform(first, "1-DECLINED")
        #expect(try await journey.outcome(later, "2") == refusal)
    }

    @Test func `nor on a later transaction that was declined`() async throws {
        let journey = try Journey()
        _ = try await journey.perform(.authorize("5.00"), "1")
        _ = try await journey.perform(.capture("5.00"), "2-UNKNOWN")
        #expect(try await journey.outcome(.refund("5.00"), "3") == "nothingToRefund(.authorized)")
        #expect(try await journey.outcome(.void("2-UNKNOWN"), "4") == "nothingToVoid")
        // Nor does it stand in the way of what comes before it.
        #expect(try await journey.outcome(.void("1"), "5") == "CANCELLED 0.00/0.00/0.00")
    }

    static let everyStep: [TestStep] = [
        .authorize("1.00"), .pay("1.00"), .verify, .refundToCard("1.00"), .capture("0.01"), .refund("0.01"),
        .update("9.00"), .void("1"),
    ]

    @Test func `an order has a bounded number of transactions`() async throws {
        let journey = try Journey { $0.privileges = Self.every }
        for number in 1..<Order.transactionsMax { _ = try await journey.perform(.verify, "\(number)") }
        #expect(try await journey.outcome(.authorize("6.00"), "last") == "AUTHORIZED 6.00/0.00/0.00")
        #expect(try await journey.history().transactions.count == Order.transactionsMax)
        for step in [TestStep.authorize("1.00"), .pay("1.00"), .verify, .refundToCard("1.00"), .capture("0.01")] {
            #expect(try await journey.outcome(step, "one more") == "orderFull(transactionsMax: 500)")
        }
        #expect(try await journey.outcome(.update("9.00"), "one more") == "orderFull(transactionsMax: 500)")
        // What was answered is answered still.
        #expect(try await journey.outcome(.authorize("6.00"), "last") == "AUTHORIZED 6.00/0.00/0.00")
        #expect(try await journey.outcome(.void("last"), "void") == "CANCELLED 0.00/0.00/0.00")
    }

    @Test func `an order that is full can be refunded and voided, a bounded number of times`() async throws {
        let journey = try Journey { $0.privileges = Self.every }
        for number in 3...500 { _ = try await journey.perform(.verify, "\(number)") }
        _ = try await journey.perform(.authorize("6.00"), "1")
        _ = try await journey.perform(.capture("6.00"), "2")
        #expect(try await journey.outcome(.capture("0.01"), "one more") == "orderFull(transactionsMax: 500)")
        for number in 501...998 { _ = try await journey.perform(.refund("0.01"), "\(number)") }
        #expect(try await journey.outcome(.refund("0.01"), "999") == "PARTIALLY_REFUNDED 6.00/6.00/4.99")
        #expect(try await journey.outcome(.void("999"), "1000") == "PARTIALLY_REFUNDED 6.00/6.00/4.98")
        for step in [TestStep.refund("0.01"), .void("998")] {
            #expect(try await journey.outcome(step, "one more") == "orderFull(transactionsMax: 1000)")
        }
        #expect(try await journey.history().transactions.count == 1000)
    }

    @Test func `a history that doesn't add up is decided on by nobody`() async throws {
        let store = InMemoryStore()
        let journey = try Journey(store)
        let authorized = try await journey.perform(.authorize("5.00"), "1")
        let damaged = try Journey(MiscountingStore(store: store, order: authorized.order))
        for step in [TestStep.capture("1.00"), .refund("1.00"), .update("6.00"), .void("1")] {
            #expect(try await damaged.outcome(step, "2").hasPrefix("storeUnavailable(what the store holds is damaged"))
        }
    }
}

/// A store whose order says that more was captured than its transactions do.
private struct MiscountingStore: PaymentStore {
    let store: InMemoryStore
    let order: Order

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await store.recall(transaction, of: order)
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        let miscounted = Order(
            key: self.order.key, amount: self.order.amount, status: .partiallyCaptured,
            totals: OrderTotals(authorizedMinorUnits: 500, capturedMinorUnits: 1),
            creationTime: self.order.creationTime,
            lastUpdatedTime: self.order.lastUpdatedTime, walletProvider: nil, authenticationStatus: nil, version: 1)
        return try await store.history(of: order).map {
            OrderHistory(order: miscounted, transactions: $0.transactions)
        }
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome { .orderMoved }

    func prune(_: OrderRetention, at _: Instant, countMax _: Int) async throws(StoreFailure) -> Int { 0 }

    func reset() async throws(StoreFailure) { try await store.reset() }
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        try await store.reset(merchant, groups: groups)
    }
}
