/// `response.gatewayCode`: the outcome of a transaction. Codes of operations that the gateway lacks are left out.
public enum GatewayCode: String, CaseIterable, Sendable {
    /// Aborted by the payer.
    case aborted = "ABORTED"
    /// An error at the acquirer.
    case acquirerSystemError = "ACQUIRER_SYSTEM_ERROR"
    /// The acquirer approved.
    case approved = "APPROVED"
    /// Blocked by the risk rules.
    case blocked = "BLOCKED"
    /// Cancelled by the payer.
    case cancelled = "CANCELLED"
    /// The acquirer or issuer declined.
    case declined = "DECLINED"
    /// Declined: the address doesn't match.
    case declinedAVS = "DECLINED_AVS"
    /// Declined: neither the address nor the card security code matches.
    case declinedAVSCSC = "DECLINED_AVS_CSC"
    /// Declined: the card security code doesn't match.
    case declinedCSC = "DECLINED_CSC"
    /// Declined; the issuer wants no further request.
    case declinedDoNotContact = "DECLINED_DO_NOT_CONTACT"
    /// Declined: the PIN is wrong.
    case declinedInvalidPIN = "DECLINED_INVALID_PIN"
    /// Declined: a PIN is wanted.
    case declinedPINRequired = "DECLINED_PIN_REQUIRED"
    /// Asked for too often.
    case exceededRetryLimit = "EXCEEDED_RETRY_LIMIT"
    /// The card has expired.
    case expiredCard = "EXPIRED_CARD"
    /// The account doesn't hold the amount.
    case insufficientFunds = "INSUFFICIENT_FUNDS"
    /// The card security code has a wrong form.
    case invalidCSC = "INVALID_CSC"
    /// The acquirer doesn't do this.
    case notSupported = "NOT_SUPPORTED"
    /// The acquirer approved a part of the amount.
    case partiallyApproved = "PARTIALLY_APPROVED"
    /// Sent, and not answered yet.
    case pending = "PENDING"
    /// The issuer wants to be called.
    case referred = "REFERRED"
    /// Sent to the acquirer, who has not answered yet.
    case submitted = "SUBMITTED"
    /// An error within the gateway.
    case systemError = "SYSTEM_ERROR"
    /// The acquirer didn't respond in time.
    case timedOut = "TIMED_OUT"
    /// The acquirer has the transaction, and its outcome is unknown.
    case unknown = "UNKNOWN"
    /// A failure that the acquirer gave no reason for.
    case unspecifiedFailure = "UNSPECIFIED_FAILURE"

    /// Whether the acquirer approved all of the amount or a part.
    public var isApproval: Bool {
        switch self {
        case .approved, .partiallyApproved: true
        case .aborted, .acquirerSystemError, .blocked, .cancelled, .declined, .declinedAVS, .declinedAVSCSC,
            .declinedCSC, .declinedDoNotContact, .declinedInvalidPIN, .declinedPINRequired, .exceededRetryLimit,
            .expiredCard, .insufficientFunds, .invalidCSC, .notSupported, .pending, .referred, .submitted, .systemError,
            .timedOut, .unknown, .unspecifiedFailure:
            false
        }
    }

    /// Whether money may have moved, so that the token that paid must never pay again.
    public var mayHaveMovedMoney: Bool {
        switch self {
        case .approved, .partiallyApproved, .pending, .submitted, .timedOut, .unknown: true
        case .aborted, .acquirerSystemError, .blocked, .cancelled, .declined, .declinedAVS, .declinedAVSCSC,
            .declinedCSC, .declinedDoNotContact, .declinedInvalidPIN, .declinedPINRequired, .exceededRetryLimit,
            .expiredCard, .insufficientFunds, .invalidCSC, .notSupported, .referred, .systemError, .unspecifiedFailure:
            false
        }
    }
}
