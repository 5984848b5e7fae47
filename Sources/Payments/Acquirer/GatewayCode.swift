/// `response.gatewayCode`: the outcome of a transaction. Without the codes of operations that this gateway doesn't
/// support.
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
    /// Declined; the issuer asks the merchant not to retry.
    case declinedDoNotContact = "DECLINED_DO_NOT_CONTACT"
    /// Declined: the PIN is wrong.
    case declinedInvalidPIN = "DECLINED_INVALID_PIN"
    /// Declined: a PIN is required.
    case declinedPINRequired = "DECLINED_PIN_REQUIRED"
    /// The maximum number of retries was exceeded.
    case exceededRetryLimit = "EXCEEDED_RETRY_LIMIT"
    /// The card has expired.
    case expiredCard = "EXPIRED_CARD"
    /// The account has insufficient funds.
    case insufficientFunds = "INSUFFICIENT_FUNDS"
    /// The card security code has a wrong form.
    case invalidCSC = "INVALID_CSC"
    /// The acquirer doesn't support the operation.
    case notSupported = "NOT_SUPPORTED"
    /// The acquirer approved a part of the amount.
    case partiallyApproved = "PARTIALLY_APPROVED"
    /// Sent; the answer is pending.
    case pending = "PENDING"
    /// The issuer requires a telephone call.
    case referred = "REFERRED"
    /// Sent to the acquirer, who has not answered yet.
    case submitted = "SUBMITTED"
    /// An error within the gateway.
    case systemError = "SYSTEM_ERROR"
    /// The acquirer didn't respond in time.
    case timedOut = "TIMED_OUT"
    /// The acquirer has the transaction, and its outcome is unknown.
    case unknown = "UNKNOWN"
    /// A failure for which the acquirer gave no reason.
    case unspecifiedFailure = "UNSPECIFIED_FAILURE"

    /// Whether the acquirer approved all or a part of the amount.
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

    /// Whether money may have moved, so that the token must never be used for another payment.
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
