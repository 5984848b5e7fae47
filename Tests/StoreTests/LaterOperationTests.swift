import GRDB
import Payments
import SQLiteStore
import TestSupport
import Testing
import Values

/// Operations that build on others, over every store and with many at once.
@Suite(.serialized)
struct LaterOperationTests {
    static let journey: [(TestStep, String)] = [
        (.verify, "1"), (.authorize("100.00"), "2-DECLINED"), (.authorize("100.00"), "3"), (.update("120.00"), "4"),
        (.capture("70.00"), "5"), (.capture("50.00"), "6-PARTIALLY_APPROVED"), (.refund("10.00", of: "5"), "7"),
        (.refund("10.00", of: "5"), "8-TIMED_OUT"), (.void("7"), "9"), (.void("6-PARTIALLY_APPROVED"), "10"),
    ]

    @Test(arguments: StoreUnderTest.allCases)
    func `every kind of transaction is recalled as it was answered`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let gateway = try Gateway.test(store: store, acquirer: ChosenAcquirer.byName())
        var answered: [Transaction] = []
        for (step, name) in Self.journey {
            answered.append(try await gateway.perform(Self.command(step, name), at: TestPayment.instant))
        }
        let key = try TestPayment().key
        #expect(try await store.history(of: key)?.transactions == answered)
        for ((step, name), transaction) in zip(Self.journey, answered) {
            let recalled = try await store.recall(transaction.id, of: key)
            #expect(recalled.transaction?.transaction == transaction)
            #expect(recalled.order == answered.last?.order)
            let later = TestPayment.instant.advanced(byMilliseconds: 1_000_000)
            #expect(try await gateway.perform(Self.command(step, name), at: later) == transaction)
        }
        #expect(answered.last?.order.totals == OrderTotals(authorizedMinorUnits: 12_000, capturedMinorUnits: 7000))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of two captures at once only one is within what was authorized`(kind: StoreUnderTest) async throws {
        for round in 0..<8 {
            let outcomes = try await raced(kind, after: [.authorize("100.00")], 2) { number in
                .capture(number == round % 2 ? "60.00" : "60.01")
            }
            #expect(outcomes.answers.count { $0 == "PARTIALLY_CAPTURED" } == 1)
            #expect(outcomes.answers.count { $0 == "exceedsAuthorized" } == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `fifty captures take no more than was authorized`(kind: StoreUnderTest) async throws {
        let outcomes = try await raced(kind, after: [.authorize("100.00")], 50) { _ in .capture("10.00") }
        #expect(outcomes.answers.count { $0 == "exceedsAuthorized" } == 40)
        #expect(outcomes.totals == OrderTotals(authorizedMinorUnits: 10_000, capturedMinorUnits: 10_000))
        #expect(outcomes.transactions == 11)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `fifty refunds refund no more than was captured`(kind: StoreUnderTest) async throws {
        let outcomes = try await raced(kind, after: [.pay("100.00")], 50) { _ in .refund("10.00") }
        #expect(outcomes.answers.count { $0 == "exceedsCaptured" } == 40)
        #expect(
            outcomes.totals
                == OrderTotals(
                    authorizedMinorUnits: 10_000, capturedMinorUnits: 10_000, refundedMinorUnits: 10_000))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of fifty voids one undoes the payment`(kind: StoreUnderTest) async throws {
        let outcomes = try await raced(kind, after: [.pay("100.00")], 50) { _ in .void("before-0") }
        #expect(outcomes.answers.count { $0 == "CANCELLED" } == 1)
        #expect(outcomes.answers.count { $0 == "nothingToVoid" } == 49)
        #expect(outcomes.totals == OrderTotals())
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an authorization is either captured or voided`(kind: StoreUnderTest) async throws {
        for _ in 0..<8 {
            let outcomes = try await raced(kind, after: [.authorize("5.00")], 2) { number in
                number == 0 ? .capture("5.00") : .void("before-0")
            }
            let answers = Set(outcomes.answers)
            let isCaptured = answers == ["CAPTURED", "voidedOutOfOrder"]
            #expect(isCaptured || answers == ["noAuthorization", "CANCELLED"])
            #expect(outcomes.totals.capturedMinorUnits == (isCaptured ? 500 : 0))
        }
    }

    static let onceOnly: [TestStep] = [
        .capture("100.00"), .refund("100.00", of: "captured"), .void("authorized"), .void("captured"),
        .update("120.00"),
    ]

    /// Each could not be done twice: later requests get the first one's answer, and not a refusal.
    @Test(arguments: StoreUnderTest.allCases, onceOnly)
    func `fifty requests alike make one transaction and have one answer`(kind: StoreUnderTest, step: TestStep)
        async throws
    {
        for round in 0..<2 {
            let gateway = try Gateway.test(store: try await kind.opened(), acquirer: ChosenAcquirer.byName())
            _ = try await gateway.perform(Self.command(.authorize("100.00"), "authorized"), at: TestPayment.instant)
            switch step {
            case .refund, .void("captured"):
                _ = try await gateway.perform(Self.command(.capture("100.00"), "captured"), at: TestPayment.instant)
            default: break
            }
            let command = try Self.command(step, "once")
            let answers = try await race(50) { number in
                try await gateway.perform(command, at: TestPayment.instant.advanced(byMilliseconds: Int64(number)))
            }
            #expect(answers.allSatisfy { $0 == answers[0] }, "round \(round)")
            #expect(try await gateway.retrieve(TestPayment().key).transactions.last == answers[0])
        }
    }

    @Test func `an order of a file of the first form is captured and refunded`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        let first = try Gateway.test(store: store, acquirer: ChosenAcquirer.byName())
        let authorize = try Self.command(.authorize("10.00"), "1-PARTIALLY_APPROVED")
        let authorized = try await first.perform(authorize, at: TestPayment.instant)
        try store.close()
        let writer = try DatabaseQueue(path: path)
        try await writer.write { database in
            for table in ["orders", "transactions"] {
                try database.execute(
                    sql: """
                        UPDATE \(table) SET document = CAST(
                            json_remove(json_set(CAST(document AS TEXT), '$.format', 1), '$.approved') AS BLOB)
                        """)
            }
        }
        try writer.close()

        let reopened = try SQLiteStore(path: path)
        let second = try Gateway.test(store: reopened, acquirer: ChosenAcquirer.byName())
        #expect(try await second.perform(authorize, at: TestPayment.instant) == authorized)
        let captured = try await second.perform(Self.command(.capture("5.00"), "2"), at: TestPayment.instant)
        #expect(captured.order.status == .captured && captured.card == authorized.card)
        let refunded = try await second.perform(Self.command(.refund("5.00"), "3"), at: TestPayment.instant)
        #expect(refunded.order.status == .refunded)
        #expect(try await second.retrieve(TestPayment().key).transactions == [authorized, captured, refunded])
        try reopened.close()
    }

    private static func command(_ step: TestStep, _ name: String) throws -> Command {
        try TestPayment { $0.transaction = name }.command(of: step)
    }

    /// Performs some steps one after the other, as `before-0` and so on, and then others all at once.
    private func raced(
        _ kind: StoreUnderTest, after steps: [TestStep], _ count: Int,
        _ step: @escaping @Sendable (Int) -> TestStep
    ) async throws -> (answers: [String], totals: OrderTotals, transactions: Int) {
        let gateway = try Gateway.test(store: try await kind.opened(), acquirer: ChosenAcquirer.byName())
        for (number, step) in steps.enumerated() {
            _ = try await gateway.perform(Self.command(step, "before-\(number)"), at: TestPayment.instant)
        }
        let answers = try await race(count) { number in
            let command = try Self.command(step(number), "\(number)")
            do throws(Refusal) {
                return try await gateway.perform(command, at: TestPayment.instant).order.status.rawValue
            } catch { return "\(error)".prefix { $0 != "(" }.description }
        }
        let history = try await gateway.retrieve(TestPayment().key)
        #expect(history.order.version == Int64(history.transactions.count))
        return (answers, history.order.totals, history.transactions.count)
    }
}
