/// `order.status`.
public enum OrderStatus: String, CaseIterable, Sendable {
    /// Authorized, nothing captured.
    case authorized = "AUTHORIZED"
    /// The authorization or payment was voided.
    case cancelled = "CANCELLED"
    /// The authorized amount is captured in full.
    case captured = "CAPTURED"
    /// More was refunded than captured.
    case excessivelyRefunded = "EXCESSIVELY_REFUNDED"
    /// The last attempt failed; another attempt is possible.
    case failed = "FAILED"
    /// Begun, but not finally answered; another attempt is possible.
    case initiated = "INITIATED"
    /// A part of the authorized amount is captured.
    case partiallyCaptured = "PARTIALLY_CAPTURED"
    /// A part of the captured amount is refunded.
    case partiallyRefunded = "PARTIALLY_REFUNDED"
    /// The captured amount is refunded in full.
    case refunded = "REFUNDED"
    /// The card was verified; no payment has been requested yet.
    case verified = "VERIFIED"

    /// Whether an AUTHORIZE, PAY or VERIFY is possible in this status.
    ///
    /// It is possible after VERIFY: Mastercard describes VERIFIED as "No payment has yet been initiated or made". It is
    /// not possible for a cancelled order.
    public var awaitsAuthorization: Bool {
        switch self {
        case .failed, .initiated, .verified: true
        case .authorized, .cancelled, .captured, .excessivelyRefunded, .partiallyCaptured, .partiallyRefunded,
            .refunded:
            false
        }
    }
}
