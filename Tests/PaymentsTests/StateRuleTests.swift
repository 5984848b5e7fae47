import JSON
import Payments
import TestSupport
import Testing

/// What lawful operations make of an order (Mastercard's order statuses and totals).
struct StateRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [(TestStep, String)]

        init(_ testDescription: String, _ steps: [(TestStep, String)]) {
            self.testDescription = testDescription
            self.steps = steps
        }
    }

    static let rows = [
        Row(
            "captured whole and refunded whole",
            [
                (.authorize("100.00"), "AUTHORIZED 100.00/0.00/0.00"),
                (.capture("100.00"), "CAPTURED 100.00/100.00/0.00"),
                (.refund("100.00"), "REFUNDED 100.00/100.00/100.00"),
            ]),
        Row(
            "captured in parts and refunded in parts, by name",
            [
                (.authorize("100.00"), "AUTHORIZED 100.00/0.00/0.00"),
                (.capture("0.01"), "PARTIALLY_CAPTURED 100.00/0.01/0.00"),
                (.capture("60.00"), "PARTIALLY_CAPTURED 100.00/60.01/0.00"),
                (.capture("39.99"), "CAPTURED 100.00/100.00/0.00"),
                (.refund("0.01", of: "2"), "PARTIALLY_REFUNDED 100.00/100.00/0.01"),
                (.refund("59.99", of: "3"), "PARTIALLY_REFUNDED 100.00/100.00/60.00"),
                (.refund("0.01", of: "3"), "PARTIALLY_REFUNDED 100.00/100.00/60.01"),
                // Only one capture is left that can be meant.
                (.refund("39.99"), "REFUNDED 100.00/100.00/100.00"),
            ]),
        Row(
            "paid and refunded in parts without a name",
            [
                (.pay("10.00"), "CAPTURED 10.00/10.00/0.00"), (.refund("4.00"), "PARTIALLY_REFUNDED 10.00/10.00/4.00"),
                (.refund("6.00"), "REFUNDED 10.00/10.00/10.00"),
            ]),
        Row(
            "captured after a refund of an earlier capture",
            [
                (.authorize("100.00"), "AUTHORIZED 100.00/0.00/0.00"),
                (.capture("50.00"), "PARTIALLY_CAPTURED 100.00/50.00/0.00"),
                (.refund("50.00"), "REFUNDED 100.00/50.00/50.00"),
                (.capture("50.00"), "PARTIALLY_REFUNDED 100.00/100.00/50.00"),
            ]),
        Row(
            "an authorization voided",
            [(.authorize("5.00"), "AUTHORIZED 5.00/0.00/0.00"), (.void("1"), "CANCELLED 0.00/0.00/0.00")]),
        Row(
            "a payment voided",
            [(.pay("5.00"), "CAPTURED 5.00/5.00/0.00"), (.void("1"), "CANCELLED 0.00/0.00/0.00")]),
        Row(
            "captures voided, back to the authorization and over",
            [
                (.authorize("9.00"), "AUTHORIZED 9.00/0.00/0.00"),
                (.capture("5.00"), "PARTIALLY_CAPTURED 9.00/5.00/0.00"),
                (.capture("4.00"), "CAPTURED 9.00/9.00/0.00"), (.void("2"), "PARTIALLY_CAPTURED 9.00/4.00/0.00"),
                (.void("3"), "AUTHORIZED 9.00/0.00/0.00"), (.capture("9.00"), "CAPTURED 9.00/9.00/0.00"),
                (.void("6"), "AUTHORIZED 9.00/0.00/0.00"), (.void("1"), "CANCELLED 0.00/0.00/0.00"),
            ]),
        Row(
            "refunds voided, back to the payment and over",
            [
                (.pay("9.00"), "CAPTURED 9.00/9.00/0.00"), (.refund("9.00"), "REFUNDED 9.00/9.00/9.00"),
                (.void("2"), "CAPTURED 9.00/9.00/0.00"), (.refund("4.00"), "PARTIALLY_REFUNDED 9.00/9.00/4.00"),
                (.refund("5.00"), "REFUNDED 9.00/9.00/9.00"), (.void("4"), "PARTIALLY_REFUNDED 9.00/9.00/5.00"),
                (.void("5"), "CAPTURED 9.00/9.00/0.00"), (.void("1"), "CANCELLED 0.00/0.00/0.00"),
            ]),
        Row(
            "an authorization raised, lowered and captured",
            [
                (.authorize("10.00"), "AUTHORIZED 10.00/0.00/0.00"), (.update("20.00"), "AUTHORIZED 20.00/0.00/0.00"),
                (.capture("12.00"), "PARTIALLY_CAPTURED 20.00/12.00/0.00"),
                (.update("15.00"), "PARTIALLY_CAPTURED 15.00/12.00/0.00"),
                (.update("12.00"), "CAPTURED 12.00/12.00/0.00"),
                (.update("13.00"), "PARTIALLY_CAPTURED 13.00/12.00/0.00"),
                (.capture("1.00"), "CAPTURED 13.00/13.00/0.00"),
            ]),
        Row(
            "an updated authorization voided",
            [
                (.authorize("10.00"), "AUTHORIZED 10.00/0.00/0.00"), (.update("20.00"), "AUTHORIZED 20.00/0.00/0.00"),
                (.void("1"), "CANCELLED 0.00/0.00/0.00"),
            ]),
        Row(
            "verified, and then paid",
            [(.verify, "VERIFIED 0.00/0.00/0.00"), (.pay("3.00"), "CAPTURED 3.00/3.00/0.00")]),
        Row(
            "verified twice, and then authorized",
            [
                (.verify, "VERIFIED 0.00/0.00/0.00"), (.verify, "VERIFIED 0.00/0.00/0.00"),
                (.authorize("3.00"), "AUTHORIZED 3.00/0.00/0.00"),
            ]),
        Row(
            "refunded stand-alone",
            [(.refundToCard("7.00"), "EXCESSIVELY_REFUNDED 0.00/0.00/7.00"), (.void("1"), "CANCELLED 0.00/0.00/0.00")]),
        Row(
            "refunded beyond what was captured",
            [
                (.pay("7.00"), "CAPTURED 7.00/7.00/0.00"), (.refund("7.00"), "REFUNDED 7.00/7.00/7.00"),
                (.refund("0.01"), "EXCESSIVELY_REFUNDED 7.00/7.00/7.01"),
                (.refund("1.00", of: "1"), "EXCESSIVELY_REFUNDED 7.00/7.00/8.01"),
                (.void("3"), "EXCESSIVELY_REFUNDED 7.00/7.00/8.00"),
                (.void("4"), "REFUNDED 7.00/7.00/7.00"),
            ]),
        Row(
            "one capture refunded beyond itself",
            [
                (.authorize("9.00"), "AUTHORIZED 9.00/0.00/0.00"),
                (.capture("4.00"), "PARTIALLY_CAPTURED 9.00/4.00/0.00"),
                (.capture("5.00"), "CAPTURED 9.00/9.00/0.00"),
                (.refund("6.00", of: "2"), "PARTIALLY_REFUNDED 9.00/9.00/6.00"),
                (.void("3"), "EXCESSIVELY_REFUNDED 9.00/4.00/6.00"),
            ]),
    ]

    @Test(arguments: rows)
    func `an order's status and totals follow from what was done`(row: Row) async throws {
        let journey = try Journey { $0.privileges = Set(Privilege.allCases) }
        for (index, (step, expected)) in row.steps.enumerated() {
            #expect(try await journey.outcome(step, "\(index + 1)") == expected)
        }
        let history = try await journey.history()
        #expect(history.transactions.map(\.id.text) == (1...row.steps.count).map { "\($0)" })
        #expect(history.order.version == Int64(row.steps.count))
    }

    static let failures: [GatewayCode] = GatewayCode.allCases.filter { !$0.isApproval }

    @Test(arguments: failures) func `what the acquirer declines changes neither status nor totals`(code: GatewayCode)
        async throws
    {
        let journey = try Journey()
        let captured = "PARTIALLY_CAPTURED 10.00/6.00/0.00"
        _ = try await journey.outcome(.authorize("10.00"), "1")
        #expect(try await journey.outcome(.capture("6.00"), "2") == captured)
        let declined: [TestStep] = [.capture("4.00"), .refund("6.00"), .void("2"), .update("20.00")]
        for (index, step) in declined.enumerated() {
            #expect(try await journey.outcome(step, "\(index)-\(code.rawValue)") == captured)
        }
        #expect(try await journey.history().order.amount.minorUnits == 1000)
        // Nor is any of it in the way of the next attempt.
        #expect(try await journey.outcome(.refund("6.00"), "3") == "REFUNDED 10.00/6.00/6.00")
    }

    @Test(arguments: failures) func `a failed first operation can be tried again, as the same or another`(
        code: GatewayCode
    ) async throws {
        let journey = try Journey { $0.privileges = Set(Privilege.allCases) }
        let first: [TestStep] = [.authorize("1.00"), .pay("1.00"), .verify, .refundToCard("1.00")]
        for (index, step) in first.enumerated() {
            #expect(try await journey.outcome(step, "\(index)-\(code.rawValue)") == "FAILED 0.00/0.00/0.00")
        }
        #expect(try await journey.outcome(.authorize("1.00"), "5") == "AUTHORIZED 1.00/0.00/0.00")
    }

    @Test func `of a partial approval only the approved part counts`() async throws {
        let journey = try Journey()
        #expect(try await journey.outcome(.authorize("10.00"), "1-PARTIALLY_APPROVED") == "AUTHORIZED 5.00/0.00/0.00")
        #expect(try await journey.outcome(.capture("5.01"), "2") == "exceedsAuthorized(available: 5.00)")
        #expect(
            try await journey.outcome(.capture("4.00"), "3-PARTIALLY_APPROVED") == "PARTIALLY_CAPTURED 5.00/2.00/0.00")
        #expect(try await journey.outcome(.refund("2.01"), "4") == "exceedsCaptured(available: 2.00)")
        #expect(
            try await journey.outcome(.refund("2.00"), "5-PARTIALLY_APPROVED") == "PARTIALLY_REFUNDED 5.00/2.00/1.00")
        // A void undoes all of its target, and an update never less than what is captured.
        #expect(
            try await journey.outcome(.void("5-PARTIALLY_APPROVED"), "6-PARTIALLY_APPROVED")
                == "PARTIALLY_CAPTURED 5.00/2.00/0.00")
        #expect(try await journey.outcome(.update("3.00"), "7-PARTIALLY_APPROVED") == "CAPTURED 2.00/2.00/0.00")
        let history = try await journey.history()
        #expect(history.transactions.map(\.approvedMinorUnits) == [500, 200, 100, 100, 150])
        #expect(history.transactions.map(\.amount.minorUnits) == [1000, 400, 200, 100, 300])
        #expect(history.order.amount.minorUnits == 300)
    }

    @Test func `each operation makes a transaction of its type, on its target, with its amount`() async throws {
        let journey = try Journey()
        let steps: [(TestStep, TransactionType, target: String?, Int64)] = [
            (.verify, .verification, nil, 0), (.authorize("9.00"), .authorization, nil, 900),
            (.update("8.00"), .authorizationUpdate, "2", 800), (.capture("8.00"), .capture, "2", 800),
            (.refund("1.00"), .refund, "4", 100), (.void("5"), .voidRefund, "5", 100),
            (.void("4"), .voidCapture, "4", 800), (.void("2"), .voidAuthorization, "2", 800),
        ]
        for (index, (step, type, target, minorUnits)) in steps.enumerated() {
            let transaction = try await journey.perform(step, "\(index + 1)")
            #expect(transaction.type == type)
            #expect(transaction.targetTransactionID?.text == target)
            #expect(transaction.amount.minorUnits == minorUnits)
            #expect(transaction.approvedMinorUnits == minorUnits)
        }
        let other = try Journey { $0.order = "order-2" }
        _ = try await other.perform(.pay("9.00"), "1")
        let void = try await other.perform(.void("1"), "2")
        #expect(void.type == .voidPayment && void.targetTransactionID?.text == "1" && void.amount.minorUnits == 900)
    }

    @Test func `a later transaction has the card, source and wallet of the first, and the acquirer's part of its own`()
        async throws
    {
        var journey = try Journey()
        let authorized = try await journey.perform(.authorize("9.00"), "1")
        journey.payment.particulars = ["order": ["reference": "later"]]
        var previous = authorized
        for step in [TestStep.update("8.00"), .capture("7.00"), .refund("1.00"), .void("4")] {
            let transaction = try await journey.perform(step, "\(previous.order.version + 1)")
            #expect(transaction.card == authorized.card)
            #expect(transaction.source == authorized.source)
            #expect(transaction.authenticationStatus == authorized.authenticationStatus)
            #expect(transaction.order.walletProvider == .applePay)
            #expect(transaction.order.creationTime == authorized.order.creationTime)
            #expect(transaction.particulars == ["order": ["reference": "later"]])
            #expect(transaction.references.receipt == "307310046465")
            #expect(transaction.references.systemTraceAuditNumber == 46_465)
            #expect(transaction.acquirer == authorized.acquirer)
            #expect(transaction.references.authorizationCode == "046465")
            #expect(transaction.authorizationResponse != nil)
            previous = transaction
        }
        let declined = try await journey.perform(.capture("0.01"), "6-DECLINED")
        #expect(declined.references.authorizationCode == nil)
        #expect(declined.authorizationResponse != nil)
    }

    @Test func `what was said of the order and its payer stays with it, and the rest with one transaction`()
        async throws
    {
        var journey = try Journey()
        journey.payment.particulars = [
            "billing": ["address": ["city": "Ottawa", "country": "CAN"]], "correlationId": "1", "device": ["ani": "1"],
            "order": ["reference": "first"], "transaction": ["reference": "1"],
        ]
        _ = try await journey.perform(.authorize("9.00"), "1")
        journey.payment.particulars = ["billing": ["address": ["city": "Berlin"]]]
        let capture = try await journey.perform(.capture("7.00"), "2")
        #expect(
            capture.particulars == [
                "billing": ["address": ["city": "Berlin", "country": "CAN"]], "order": ["reference": "first"],
            ])
        journey.payment.particulars = ["order": ["description": "later"]]
        let refund = try await journey.perform(.refund("1.00"), "3")
        #expect(
            refund.particulars == [
                "billing": ["address": ["city": "Berlin", "country": "CAN"]],
                "order": ["description": "later", "reference": "first"],
            ])
    }

    @Test func `the order's amount is its last first attempt's, or an approved update's`() async throws {
        let journey = try Journey()
        for (step, name, minorUnits) in [
            (TestStep.verify, "1", 0), (.authorize("3.00"), "2-DECLINED", 300), (.authorize("9.00"), "3", 900),
            (.update("7.00"), "4-DECLINED", 900), (.update("8.00"), "5", 800), (.capture("2.00"), "6", 800),
            (.refund("1.00"), "7", 800), (.void("7"), "8", 800), (.void("6"), "9", 800), (.void("3"), "10", 800),
        ] as [(TestStep, String, Int64)] {
            #expect(try await journey.perform(step, name).order.amount.minorUnits == minorUnits)
        }
    }
}
