/// The issuer's verification of other data that the payer gave with the card: the gateway's code and the acquirer's
/// code. The verified data is never stored.
public struct VerificationResult<GatewayCode: RawRepresentable<String> & Equatable & Sendable>: Equatable, Sendable {
    /// The gateway's code.
    public let gatewayCode: GatewayCode
    /// The acquirer's code, such as `M` for a card security code or `A` for an address.
    public let acquirerCode: String

    /// A result.
    public init(gatewayCode: GatewayCode, acquirerCode: String) {
        self.gatewayCode = gatewayCode
        self.acquirerCode = acquirerCode
    }
}
