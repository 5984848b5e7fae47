/// `response.cardSecurityCode`: the issuer's verification of the card security code.
public typealias CardSecurityCodeResult = VerificationResult<CardSecurityCodeVerdict>

/// `gatewayCode` of a card security code verification.
public enum CardSecurityCodeVerdict: String, CaseIterable, Sendable {
    /// The code matches.
    case match = "MATCH"
    /// The code doesn't match.
    case noMatch = "NO_MATCH"
    /// The issuer did not verify the code.
    case notProcessed = "NOT_PROCESSED"
    /// The card has no security code.
    case notPresent = "NOT_PRESENT"
    /// The issuer doesn't support this verification.
    case notSupported = "NOT_SUPPORTED"
}
