/// An operation on a transaction as a merchant asked for it, its fields checked one by one.
public enum Command: Sendable {
    /// AUTHORIZE or PAY.
    case authorize(Authorize)
    /// VERIFY.
    case verify(Verify)
    /// CAPTURE.
    case capture(Capture)
    /// REFUND.
    case refund(Refund)
    /// VOID.
    case void(VoidTransaction)
    /// UPDATE_AUTHORIZATION.
    case updateAuthorization(UpdateAuthorization)

    /// What all operations have in common.
    public var instruction: Instruction {
        switch self {
        case .authorize(let command): command.instruction
        case .verify(let command): command.instruction
        case .capture(let command): command.instruction
        case .refund(let command): command.instruction
        case .void(let command): command.instruction
        case .updateAuthorization(let command): command.instruction
        }
    }

    /// The operation's name.
    public var operation: PaymentOperation {
        switch self {
        case .authorize(let command): command.operation.paymentOperation
        case .verify: .verify
        case .capture: .capture
        case .refund: .refund
        case .void: .void
        case .updateAuthorization: .updateAuthorization
        }
    }

    /// The amount that the request names: of the order or of the transaction.
    public var amount: Amount? {
        switch self {
        case .authorize(let command): command.amount
        case .verify: nil
        case .capture(let command): command.amount
        case .refund(let command): command.amount
        case .void: nil
        case .updateAuthorization(let command): command.amount
        }
    }

    /// The currency that the request names.
    public var currency: Currency? {
        switch self {
        case .verify(let command): command.currency
        case .authorize, .capture, .refund, .void, .updateAuthorization: amount?.currency
        }
    }

    /// Where the money comes from or goes to, if the request says so.
    public var sourceOfFunds: SourceOfFunds? {
        switch self {
        case .authorize(let command): command.sourceOfFunds
        case .verify(let command): command.sourceOfFunds
        case .refund(let command): command.sourceOfFunds
        case .capture, .void, .updateAuthorization: nil
        }
    }
}

/// `apiOperation` of an operation that makes a transaction.
public enum PaymentOperation: String, CaseIterable, Sendable {
    /// Reserve an amount.
    case authorize = "AUTHORIZE"
    /// Take what was reserved, or a part of it.
    case capture = "CAPTURE"
    /// Reserve an amount and take it.
    case pay = "PAY"
    /// Refund a payment, or a part of it.
    case refund = "REFUND"
    /// Reserve another amount than before.
    case updateAuthorization = "UPDATE_AUTHORIZATION"
    /// Ask whether a card is good, without an amount.
    case verify = "VERIFY"
    /// Undo a transaction.
    case void = "VOID"

    /// Whether a payer presents a card for it. Any other operation builds on an earlier transaction of its order.
    public var isPaidByPayer: Bool {
        switch self {
        case .authorize, .pay, .verify: true
        case .capture, .refund, .updateAuthorization, .void: false
        }
    }
}
