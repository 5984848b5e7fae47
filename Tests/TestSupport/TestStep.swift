public import Payments

/// One operation of a test on its order; amounts in units of the order's currency.
public enum TestStep: Sendable {
    case authorize(String)
    case pay(String)
    case verify
    case capture(String)
    case refund(String, of: String? = nil)
    /// A stand-alone refund.
    case refundToCard(String)
    case void(String)
    case update(String)
}

extension TestPayment {
    /// The command of a step, under this payment's names and in its currency, from or to its source of funds.
    public func command(of step: TestStep) throws -> Command {
        func amount(_ text: String) throws -> Amount { try Amount(text, currency) }
        let funds = try sourceOfFunds ?? .card(Self.deviceCard())
        switch step {
        case .authorize(let text), .pay(let text):
            let operation: Authorize.Operation = if case .pay = step { .pay } else { .authorize }
            return .authorize(
                Authorize(
                    operation: operation, instruction: try instruction, amount: try amount(text), sourceOfFunds: funds,
                    walletProvider: .applePay))
        case .verify:
            return .verify(
                Verify(
                    instruction: try instruction, currency: currency, sourceOfFunds: funds, walletProvider: .applePay))
        case .capture(let text):
            return .capture(Capture(instruction: try instruction, amount: try amount(text)))
        case .refund(let text, let target):
            return .refund(
                Refund(
                    instruction: try instruction, amount: try amount(text), target: try target.map(TransactionID.init)))
        case .refundToCard(let text):
            return .refund(
                Refund(
                    instruction: try instruction, amount: try amount(text), sourceOfFunds: funds,
                    walletProvider: .applePay))
        case .void(let target):
            return .void(VoidTransaction(instruction: try instruction, target: try TransactionID(target)))
        case .update(let text):
            return .updateAuthorization(UpdateAuthorization(instruction: try instruction, amount: try amount(text)))
        }
    }
}
