import Testing

@testable import tollgate_bench

/// The rules that answers are held to.
struct ModelOrderTests {
    /// An order after some commands, each under its number, which must all be lawful.
    private static func order(_ commands: ModelOrder.Command...) throws -> ModelOrder {
        try commands.enumerated().reduce(into: ModelOrder()) { order, step in
            order.add(try #require(order.entry(for: step.element, as: "\(step.offset + 1)")))
        }
    }

    private static let authorize = ModelOrder.Command.begin(isPayment: false, cents: 1000, token: 1)
    private static let pay = ModelOrder.Command.begin(isPayment: true, cents: 1000, token: 1)
    private static let declined = ModelOrder.Command.begin(isPayment: true, cents: 575_700, token: 1)

    @Test func `totals and status follow the transactions`() throws {
        let steps: [(ModelOrder.Command, String, (Int, Int, Int))] = [
            (Self.declined, "FAILED", (0, 0, 0)), (Self.authorize, "AUTHORIZED", (1000, 0, 0)),
            (.capture(cents: 400), "PARTIALLY_CAPTURED", (1000, 400, 0)),
            (.capture(cents: 600), "CAPTURED", (1000, 1000, 0)),
            (.refund(cents: 100, target: "3"), "PARTIALLY_REFUNDED", (1000, 1000, 100)),
            (.refund(cents: 300, target: "3"), "PARTIALLY_REFUNDED", (1000, 1000, 400)),
            (.refund(cents: 600, target: nil), "REFUNDED", (1000, 1000, 1000)),
            (.void(target: "7"), "PARTIALLY_REFUNDED", (1000, 1000, 400)),
            (.void(target: "4"), "REFUNDED", (1000, 400, 400)),
        ]
        var order = ModelOrder()
        for (number, step) in steps.enumerated() {
            let state = order.add(try #require(order.entry(for: step.0, as: "\(number + 1)")))
            #expect(state.status == step.1, "\(step.0)")
            #expect((state.authorizedCents, state.capturedCents, state.refundedCents) == step.2, "\(step.0)")
        }
    }

    @Test func `a voided authorization or payment cancels its order`() throws {
        for begin in [Self.authorize, Self.pay] {
            let order = try Self.order(begin, .void(target: "1"))
            #expect(order.state == OrderState(status: "CANCELLED", cents: 1000, totals: (0, 0, 0)))
        }
    }

    @Test func `what the rules forbid is refused`() throws {
        let cases: [([ModelOrder.Command], ModelOrder.Command)] = [
            ([], .capture(cents: 1)), ([], .refund(cents: 1, target: nil)), ([], .void(target: "1")),
            ([Self.authorize], Self.authorize), ([Self.authorize, .void(target: "1")], Self.authorize),
            ([Self.authorize], .capture(cents: 1001)), ([Self.authorize], .refund(cents: 1, target: nil)),
            ([Self.authorize], .refund(cents: 1, target: "1")), ([Self.authorize], .void(target: "2")),
            ([Self.authorize, .capture(cents: 600)], .capture(cents: 401)),
            ([Self.authorize, .capture(cents: 600)], .void(target: "1")),
            ([Self.authorize, .capture(cents: 600)], .refund(cents: 601, target: nil)),
            ([Self.authorize, .capture(cents: 600), .capture(cents: 1)], .refund(cents: 1, target: nil)),
            ([Self.authorize, .capture(cents: 600), .void(target: "2")], .void(target: "2")),
            ([Self.authorize, .capture(cents: 600), .refund(cents: 1, target: nil)], .void(target: "2")),
            ([Self.pay], .capture(cents: 1)), ([Self.pay, .void(target: "1")], .refund(cents: 1, target: nil)),
            ([Self.pay, .void(target: "1")], .void(target: "2")), ([Self.declined], .capture(cents: 1)),
            ([Self.declined], .void(target: "1")),
        ]
        for (before, command) in cases {
            var order = ModelOrder()
            for (number, step) in before.enumerated() {
                order.add(try #require(order.entry(for: step, as: "\(number + 1)")))
            }
            #expect(order.entry(for: command, as: "9") == nil, "\(before), then \(command)")
        }
    }
}
