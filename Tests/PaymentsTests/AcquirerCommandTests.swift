import Payments
import Synchronization
import TestSupport
import Testing
import Values

/// What reaches an acquirer, and when.
struct AcquirerCommandTests {
    let acquirer: ListeningAcquirer
    let gateway: Gateway

    init() throws {
        acquirer = ListeningAcquirer(simulator: try TestSimulator.acquirer())
        gateway = try Gateway.test(store: InMemoryStore(), acquirer: acquirer)
    }

    @Test func `each operation is asked for with its amount, its target, and its card where there is one`() async throws
    {
        let steps: [(TestStep, PaymentOperation, target: String?, Int64, hasCard: Bool)] = [
            (.verify, .verify, nil, 0, true), (.authorize("9.00"), .authorize, nil, 900, true),
            (.update("8.00"), .updateAuthorization, "2", 800, false), (.capture("8.00"), .capture, "2", 800, false),
            (.refund("1.00"), .refund, "4", 100, false), (.void("5"), .void, "5", 100, false),
        ]
        for (index, (step, operation, target, minorUnits, hasCard)) in steps.enumerated() {
            try await perform(step, "\(index + 1)")
            let command = try #require(acquirer.commands.last)
            #expect(acquirer.commands.count == index + 1)
            #expect(command.operation == operation)
            #expect(command.order == (try TestPayment().key))
            #expect(command.transaction.text == "\(index + 1)")
            #expect(command.target?.text == target)
            #expect(command.amount == Amount(minorUnits: minorUnits, currency: .usd))
            #expect(command.brand == .mastercard)
            #expect(command.lastFour == String(try TestPayment.deviceCard().accountNumber.revealed().suffix(4)))
            #expect(command.card == (hasCard ? try TestPayment.deviceCard() : nil))
        }
    }

    @Test func `a stand-alone refund goes to the card of its request`() async throws {
        try await perform(.refundToCard("2.00"), "1") { $0.privileges = Set(Privilege.allCases) }
        let command = try #require(acquirer.commands.last)
        #expect(command.operation == .refund && command.target == nil)
        #expect(command.card == (try TestPayment.deviceCard()))
    }

    @Test func `nobody is asked for what is refused, or was answered`() async throws {
        try await perform(.authorize("9.00"), "1")
        for step in [TestStep.capture("9.01"), .refund("1.00"), .void("9"), .update("0"), .authorize("1.00"), .verify] {
            await #expect(throws: Refusal.self) { try await perform(step, "2") }
        }
        for _ in 0..<3 { try await perform(.capture("9.00"), "3") }
        #expect(acquirer.commands.map(\.operation) == [.authorize, .capture])
    }

    @Test(arguments: ["5757.00", "5858.00", "6161.00", "6363.00"])
    func `the amounts that steer a payment steer no later operation`(amount: String) async throws {
        let authorized = try await perform(.authorize("10000.00"), "1")
        #expect(authorized.gatewayCode == .approved)
        let later: [TestStep] = [.update(amount), .capture(amount), .refund(amount), .void("4")]
        for (index, step) in later.enumerated() {
            let transaction = try await perform(step, "\(index + 2)")
            #expect(transaction.gatewayCode == .approved && transaction.result == .success)
            #expect(transaction.acquirer.code == "00" && transaction.acquirer.message == "Approved")
        }
    }

    @Test func `a card that no device is behind needs no privilege`() async throws {
        let funds = SourceOfFunds.card(try TestPayment.plainCard())
        let authorized = try await perform(.authorize("1.00"), "1") {
            $0.privileges = []
            $0.sourceOfFunds = funds
        }
        #expect(authorized.card.device == nil)
        let lastFour = String(try TestPayment.plainCard().accountNumber.revealed().suffix(4))
        #expect(acquirer.commands.map(\.lastFour) == [lastFour])
        #expect(try await perform(.capture("1.00"), "2") { $0.privileges = [] }.card == authorized.card)
    }

    @discardableResult
    private func perform(
        _ step: TestStep, _ name: String, _ change: (inout TestPayment) -> Void = { _ in }
    ) async throws -> Transaction {
        var payment = TestPayment()
        payment.transaction = name
        change(&payment)
        return try await gateway.perform(payment.command(of: step), at: TestPayment.instant)
    }
}

/// An acquirer that remembers what it was asked.
final class ListeningAcquirer: Acquirer {
    private let simulator: SimulatedAcquirer
    private let whenAsked: @Sendable () -> Void
    private let asked = Mutex<[AcquirerCommand]>([])

    init(simulator: SimulatedAcquirer, whenAsked: @escaping @Sendable () -> Void = {}) {
        self.simulator = simulator
        self.whenAsked = whenAsked
    }

    var commands: [AcquirerCommand] { asked.withLock { $0 } }

    func answer(_ command: AcquirerCommand) -> AcquirerReply {
        whenAsked()
        asked.withLock { $0.append(command) }
        return simulator.answer(command)
    }
}
