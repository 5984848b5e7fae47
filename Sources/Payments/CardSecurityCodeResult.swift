/// `response.cardSecurityCode`: what the issuer makes of the card security code. The code itself is never kept.
public struct CardSecurityCodeResult: Equatable, Sendable {
    /// `gatewayCode` of it.
    public enum GatewayCode: String, CaseIterable, Sendable {
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

    /// The gateway's word.
    public let gatewayCode: GatewayCode
    /// The acquirer's, such as `M`.
    public let acquirerCode: String

    /// A result.
    public init(gatewayCode: GatewayCode, acquirerCode: String) {
        self.gatewayCode = gatewayCode
        self.acquirerCode = acquirerCode
    }
}
