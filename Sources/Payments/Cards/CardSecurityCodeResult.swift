/// `response.cardSecurityCode`: what the issuer makes of the card security code.
public typealias CardSecurityCodeResult = VerificationResult<CardSecurityCodeVerdict>

/// `gatewayCode` of the verification of a card security code.
public enum CardSecurityCodeVerdict: String, CaseIterable, Sendable {
    /// It is the card's.
    case match = "MATCH"
    /// It is not the card's.
    case noMatch = "NO_MATCH"
    /// The issuer did not look at it.
    case notProcessed = "NOT_PROCESSED"
    /// There is none on the card.
    case notPresent = "NOT_PRESENT"
    /// The issuer has no such check.
    case notSupported = "NOT_SUPPORTED"
}
