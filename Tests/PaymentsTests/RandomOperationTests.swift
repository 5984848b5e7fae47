import Payments
import TestSupport
import Testing
import Values

/// Random sequences of operations against a plain model of an order.
struct RandomOperationTests {
    static let currencies = ["JPY", "USD", "KWD"].compactMap { Currency(code: $0) }
    static let sequences = 500
    static let stepsMax = 24

    @Test(arguments: currencies) func `every answer is the one that a plain model predicts`(currency: Currency)
        async throws
    {
        var seen: [String: Int] = [:]
        for seed in 0..<Self.sequences {
            var generator = SeededGenerator(seed: UInt64(seed))
            for (answer, count) in try await run(currency, seed, &generator) { seen[answer, default: 0] += count }
        }
        // The sequences reach every status and every rule; otherwise they would show little.
        let statuses = OrderStatus.allCases.filter { $0 != .initiated }.map(\.rawValue)
        for expected in statuses + Self.rules { #expect(seen[expected, default: 0] > 5, "\(expected)") }
    }

    static let rules = [
        "amountNotPositive", "currencyDiffers", "exceedsAuthorized", "exceedsCaptured", "lessThanCaptured",
        "missingPrivilege", "noAuthorization", "nothingToRefund", "nothingToVoid", "orderNotAwaitingAuthorization",
        "severalToRefund", "sourceOfFundsNotAllowed", "targetNotRefundable", "unknownOrder", "unknownTarget",
        "voidedOutOfOrder",
    ]

    /// Runs one sequence, and counts the statuses and refusals that it came to.
    private func run(
        _ currency: Currency, _ seed: Int, _ generator: inout SeededGenerator
    ) async throws -> [String: Int] {
        var privileges = Set<Privilege>.usual
        if Bool.random(using: &generator) { privileges.insert(.excessiveRefund) }
        if Int.random(in: 0..<8, using: &generator) == 0 { privileges.remove(.refund) }
        if Int.random(in: 0..<8, using: &generator) == 0 { privileges.remove(.void) }
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: ChosenAcquirer.byName())
        var model = OrderModel()
        var answered: [(command: Command, transaction: Transaction)] = []
        var seen: [String: Int] = [:]
        for number in 0..<Int.random(in: 4...Self.stepsMax, using: &generator) {
            let step = randomStep(number, model, &generator)
            let isForeign = Int.random(in: 0..<24, using: &generator) == 0 && number > 0
            let payment = TestPayment {
                $0.transaction = step.name
                $0.currency = isForeign ? .bhd : currency
                $0.privileges = privileges
            }
            let command = try payment.command(of: step.testStep(payment.currency.exponent))
            let before = (model.authorized, model.captured, model.refunded)
            let expected = model.answer(step, isForeign: isForeign && model.kinds.count > 0, privileges)
            // A first operation makes the order's currency, whatever it is.
            guard !(isForeign && model.kinds.count == 1 && expected.contains(" ")) else { break }
            let (answer, transaction) = await Self.answer(gateway, command)
            #expect(answer == expected, "seed \(seed), step \(number): \(step)")
            guard answer == expected else { return seen }
            seen[String(answer.prefix { $0 != " " }), default: 0] += 1
            if let transaction {
                answered.append((command, transaction))
                check(transaction, before, step)
            }
            try await repeatOne(of: answered, gateway, &generator)
        }
        try await checkHistory(gateway, answered.map(\.transaction))
        return seen
    }

    private static func answer(_ gateway: Gateway, _ command: Command) async -> (String, Transaction?) {
        do throws(Refusal) {
            let transaction = try await gateway.perform(command, at: TestPayment.instant)
            let (order, totals) = (transaction.order, transaction.order.totals)
            let sums = "\(totals.authorizedMinorUnits)/\(totals.capturedMinorUnits)/\(totals.refundedMinorUnits)"
            return ("\(order.status.rawValue) \(order.amount.minorUnits) \(sums)", transaction)
        } catch {
            return ("\(error)".prefix { $0 != "(" }.description, nil)
        }
    }

    /// What holds whatever was done.
    private func check(_ transaction: Transaction, _ before: (Int64, Int64, Int64), _ step: ModelStep) {
        let (order, totals) = (transaction.order, transaction.order.totals)
        #expect(transaction.gatewayCode == step.gatewayCode)
        #expect((transaction.result == .success) == step.gatewayCode.isApproval)
        #expect(totals.capturedMinorUnits <= totals.authorizedMinorUnits)
        #expect((totals.refundedMinorUnits > totals.capturedMinorUnits) == (order.status == .excessivelyRefunded))
        #expect(totals.refundedMinorUnits >= 0 && totals.capturedMinorUnits >= 0 && totals.disbursedMinorUnits == 0)
        if !step.gatewayCode.isApproval {
            #expect(before == (totals.authorizedMinorUnits, totals.capturedMinorUnits, totals.refundedMinorUnits))
        }
    }

    /// A request that was answered has the same answer, however often and however late; with other parameters it has none.
    private func repeatOne(
        of answered: [(command: Command, transaction: Transaction)], _ gateway: Gateway,
        _ generator: inout SeededGenerator
    ) async throws {
        guard let (command, transaction) = answered.randomElement(using: &generator) else { return }
        let later = TestPayment.instant.advanced(byMilliseconds: .random(in: 0...10_000_000, using: &generator))
        #expect(try await gateway.perform(command, at: later) == transaction)
        let other = try TestPayment {
            $0.transaction = transaction.id.text
            $0.parameters = "other parameters"
            $0.privileges = Set(Privilege.allCases)
        }.command(of: .void("1"))
        #expect(await Self.answer(gateway, other).0 == "parametersDiffer")
    }

    /// The order keeps all that was answered, in its order, and shows each with its state now.
    private func checkHistory(_ gateway: Gateway, _ transactions: [Transaction]) async throws {
        guard let last = transactions.last else { return }
        let history = try await gateway.retrieve(last.order.key)
        #expect(history.transactions == transactions)
        #expect(history.order == last.order)
        for transaction in transactions {
            let found = try await gateway.retrieve(transaction.id, of: last.order.key)
            #expect(found.transaction == transaction && found.order == last.order)
        }
    }

    /// Captures and refunds are frequent, so that orders have several.
    private static let operations = ModelStep.Operation.allCases + [.capture, .capture, .refund, .refund]

    private func randomStep(_ number: Int, _ model: OrderModel, _ generator: inout SeededGenerator) -> ModelStep {
        let operation: ModelStep.Operation =
            model.kinds.isEmpty && Int.random(in: 0..<4, using: &generator) > 0
            ? .authorize : Self.operations.randomElement(using: &generator) ?? .authorize
        let gatewayCode: GatewayCode =
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: GatewayCode.allCases.randomElement(using: &generator) ?? .declined
            case 1: .declined
            case 2: .partiallyApproved
            default: .approved
            }
        // Often the very sum that is left, or one too many.
        let left = model.authorized - model.captured
        let interesting = [0, 1, left, left + 1, model.captured, max(0, model.captured - 1)] + model.taken.map(\.left)
        let minorUnits =
            Bool.random(using: &generator)
            ? interesting.randomElement(using: &generator) ?? 1
            : .random(in: 1...(number == 0 ? 150 : 60), using: &generator)
        let named = model.kinds.map(\.name) + ["none"]
        let target: String? =
            switch operation {
            case .void: named.randomElement(using: &generator)
            case .refund: Bool.random(using: &generator) ? nil : named.randomElement(using: &generator)
            default: nil
            }
        return ModelStep(
            operation: operation, name: "\(number)-\(gatewayCode.rawValue)",
            minorUnits: operation == .verify ? 0 : minorUnits, target: target, gatewayCode: gatewayCode)
    }
}
