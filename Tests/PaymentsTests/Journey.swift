import Payments
import TestSupport

/// An order in the making: its steps are its transactions `1`, `2` and so on, each with the acquirer's chosen answer.
struct Journey: Sendable {
    var payment = TestPayment()
    let store: any PaymentStore
    private let gateway: Gateway

    init(_ store: any PaymentStore = InMemoryStore(), _ change: (inout TestPayment) -> Void = { _ in }) throws {
        self.store = store
        gateway = try Gateway.test(store: store, acquirer: ChosenAcquirer.byName())
        change(&payment)
    }

    /// What becomes of a step: `STATUS authorized/captured/refunded`, or the refusal.
    func outcome(_ step: TestStep, _ transaction: String) async throws -> String {
        do throws(Refusal) {
            return Self.text(
                of: try await gateway.perform(try command(step, transaction), at: TestPayment.instant).order)
        } catch {
            return Self.text(of: error)
        }
    }

    /// The transaction that a step makes.
    func perform(_ step: TestStep, _ transaction: String) async throws -> Transaction {
        try await gateway.perform(try command(step, transaction), at: TestPayment.instant)
    }

    /// The order's present state with its transactions.
    func history() async throws -> OrderHistory { try await gateway.retrieve(payment.key) }

    private func command(_ step: TestStep, _ transaction: String) throws(Refusal) -> Command {
        var payment = payment
        payment.transaction = transaction
        do { return try payment.command(of: step) } catch { preconditionFailure("the step of a test is well formed") }
    }

    static func text(of order: Order) -> String {
        let totals = [
            order.totals.authorizedMinorUnits, order.totals.capturedMinorUnits, order.totals.refundedMinorUnits,
        ]
        let shown = totals.map { Amount.decimal($0, exponent: order.currency.exponent) }
        return order.status.rawValue + " " + shown.joined(separator: "/")
    }

    static func text(of refusal: Refusal) -> String {
        "\(refusal)".replacing("Payments.OrderStatus.", with: ".").replacing("Payments.TransactionType.", with: ".")
            .replacing("Payments.Privilege.", with: ".")
    }
}
