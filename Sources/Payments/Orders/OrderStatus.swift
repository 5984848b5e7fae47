/// `order.status`.
public enum OrderStatus: String, CaseIterable, Sendable {
    /// Authorized, nothing captured.
    case authorized = "AUTHORIZED"
    /// Its authorization or payment was voided.
    case cancelled = "CANCELLED"
    /// All that was authorized is captured.
    case captured = "CAPTURED"
    /// More was refunded than captured.
    case excessivelyRefunded = "EXCESSIVELY_REFUNDED"
    /// Its last attempt failed; another may be made.
    case failed = "FAILED"
    /// Begun, without an answer that settles it; another attempt may be made.
    case initiated = "INITIATED"
    /// A part of what was authorized is captured.
    case partiallyCaptured = "PARTIALLY_CAPTURED"
    /// A part of what was captured is refunded.
    case partiallyRefunded = "PARTIALLY_REFUNDED"
    /// All that was captured is refunded.
    case refunded = "REFUNDED"
    /// The card was found good; no payment was asked for yet.
    case verified = "VERIFIED"

    /// Whether an AUTHORIZE, PAY or VERIFY may still be tried.
    ///
    /// After VERIFY it may: Mastercard describes VERIFIED as "No payment has yet been initiated or made". A cancelled
    /// order stays so.
    public var awaitsAuthorization: Bool {
        switch self {
        case .failed, .initiated, .verified: true
        case .authorized, .cancelled, .captured, .excessivelyRefunded, .partiallyCaptured, .partiallyRefunded,
            .refunded:
            false
        }
    }
}
