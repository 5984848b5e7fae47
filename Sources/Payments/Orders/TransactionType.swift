/// `transaction.type`.
public enum TransactionType: String, CaseIterable, Sendable {
    /// The type of an AUTHORIZE.
    case authorization = "AUTHORIZATION"
    /// The type of an UPDATE_AUTHORIZATION.
    case authorizationUpdate = "AUTHORIZATION_UPDATE"
    /// The type of a CAPTURE.
    case capture = "CAPTURE"
    /// The type of a PAY.
    case payment = "PAYMENT"
    /// The type of a REFUND.
    case refund = "REFUND"
    /// The type of a VERIFY.
    case verification = "VERIFICATION"
    /// The type of a VOID of an authorization.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// The type of a VOID of a capture.
    case voidCapture = "VOID_CAPTURE"
    /// The type of a VOID of a payment.
    case voidPayment = "VOID_PAYMENT"
    /// The type of a VOID of a refund.
    case voidRefund = "VOID_REFUND"
}

extension TransactionType {
    /// Whether the transaction reverses another one.
    var isVoid: Bool {
        switch self {
        case .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: true
        case .authorization, .authorizationUpdate, .capture, .payment, .refund, .verification: false
        }
    }

    /// Whether the transaction always builds on another one; a refund may be stand-alone.
    var needsTarget: Bool {
        switch self {
        case .authorizationUpdate, .capture, .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: true
        case .authorization, .payment, .refund, .verification: false
        }
    }

    /// The type of a VOID of a transaction of this type; nil if it can't be voided.
    var void: TransactionType? {
        switch self {
        case .authorization: .voidAuthorization
        case .capture: .voidCapture
        case .payment: .voidPayment
        case .refund: .voidRefund
        case .authorizationUpdate, .verification, .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: nil
        }
    }
}
