/// What the issuer makes of something that the payer gave besides the card: the gateway's word, and the acquirer's code. What
/// was given is never kept.
public struct VerificationResult<GatewayCode: RawRepresentable<String> & Equatable & Sendable>: Equatable, Sendable {
    /// The gateway's word.
    public let gatewayCode: GatewayCode
    /// The acquirer's code, such as `M` for a card security code or `A` for an address.
    public let acquirerCode: String

    /// A result.
    public init(gatewayCode: GatewayCode, acquirerCode: String) {
        self.gatewayCode = gatewayCode
        self.acquirerCode = acquirerCode
    }
}
