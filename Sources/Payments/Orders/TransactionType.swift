/// `transaction.type`.
public enum TransactionType: String, CaseIterable, Sendable {
    /// What AUTHORIZE makes.
    case authorization = "AUTHORIZATION"
    /// What UPDATE_AUTHORIZATION makes.
    case authorizationUpdate = "AUTHORIZATION_UPDATE"
    /// What CAPTURE makes.
    case capture = "CAPTURE"
    /// What PAY makes.
    case payment = "PAYMENT"
    /// What REFUND makes.
    case refund = "REFUND"
    /// What VERIFY makes.
    case verification = "VERIFICATION"
    /// What VOID of an authorization makes.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// What VOID of a capture makes.
    case voidCapture = "VOID_CAPTURE"
    /// What VOID of a payment makes.
    case voidPayment = "VOID_PAYMENT"
    /// What VOID of a refund makes.
    case voidRefund = "VOID_REFUND"
}

extension TransactionType {
    /// Whether it undoes another transaction.
    var isVoid: Bool {
        switch self {
        case .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: true
        case .authorization, .authorizationUpdate, .capture, .payment, .refund, .verification: false
        }
    }

    /// Whether it always builds on another transaction; a refund may stand alone.
    var needsTarget: Bool {
        switch self {
        case .authorizationUpdate, .capture, .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: true
        case .authorization, .payment, .refund, .verification: false
        }
    }

    /// What a VOID of a transaction of this type makes, or nil if it can't be voided.
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
