/// A merchant's request for an operation, with fields that have been validated individually.
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

    /// The members that all operations have.
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

    /// The amount in the request: `order.amount` or `transaction.amount`.
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

    /// The currency in the request.
    public var currency: Currency? {
        switch self {
        case .verify(let command): command.currency
        case .authorize, .capture, .refund, .void, .updateAuthorization: amount?.currency
        }
    }

    /// The source of funds in the request, if there is one.
    public var sourceOfFunds: SourceOfFunds? {
        switch self {
        case .authorize(let command): command.sourceOfFunds
        case .verify(let command): command.sourceOfFunds
        case .refund(let command): command.sourceOfFunds
        case .capture, .void, .updateAuthorization: nil
        }
    }
}

/// The `apiOperation` of an operation that creates a transaction.
public enum PaymentOperation: String, CaseIterable, Sendable {
    /// Reserves an amount.
    case authorize = "AUTHORIZE"
    /// Captures the authorized amount, or a part of it.
    case capture = "CAPTURE"
    /// Authorizes and captures an amount.
    case pay = "PAY"
    /// Refunds a payment, or a part of it.
    case refund = "REFUND"
    /// Changes the authorized amount.
    case updateAuthorization = "UPDATE_AUTHORIZATION"
    /// Verifies a card without an amount.
    case verify = "VERIFY"
    /// Cancels a transaction.
    case void = "VOID"

    /// Whether a payer presents a card for the operation. Any other operation refers to an earlier transaction of its
    /// order.
    public var isPaidByPayer: Bool {
        switch self {
        case .authorize, .pay, .verify: true
        case .capture, .refund, .updateAuthorization, .void: false
        }
    }
}
