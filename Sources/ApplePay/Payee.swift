internal import Values

/// The payee of a payment, which may be divided among several merchants. It selects the authentication response that
/// counts.
///
/// The identifiers are those by which the coordinating merchant named its submerchants in the payment request. Apple
/// documents the entries but not how a gateway selects one, so these rules are Tollgate's own.
public enum Payee: Equatable, Sendable {
    /// The whole payment counts, even if it is divided.
    case whole
    /// A submerchant. The token must have exactly one entry with this identifier.
    case submerchant(String)
    /// A merchant who may be a submerchant. If the token has entries, exactly one must have this identifier. If it has
    /// none, the whole payment counts for this merchant.
    case submerchantOfSeveral(String)
    /// A merchant who may coordinate payments for several. Its own entry counts if there is one, otherwise the whole
    /// payment.
    case coordinator(String)

    /// The entry that counts; nil if the whole payment counts.
    public func response(in paymentData: PaymentData) throws(TokenRefusal) -> AuthenticationResponse? {
        let entries = paymentData.authenticationResponses
        switch self {
        case .whole: return nil
        case .submerchant(let identifier):
            guard let entry = try Self.entry(of: identifier, among: entries) else {
                throw .authenticationResponseMissing(merchantIdentifier: Printable(identifier))
            }
            return entry
        case .submerchantOfSeveral(let identifier):
            return entries.isEmpty ? nil : try Payee.submerchant(identifier).response(in: paymentData)
        case .coordinator(let identifier): return try Self.entry(of: identifier, among: entries)
        }
    }

    private static func entry(
        of identifier: String, among entries: [AuthenticationResponse]
    ) throws(TokenRefusal) -> AuthenticationResponse? {
        let own = entries.filter { $0.merchantIdentifier == identifier }
        // Apple documents no rule for choosing between two entries.
        guard own.count <= 1 else {
            throw .authenticationResponseRepeated(merchantIdentifier: Printable(identifier))
        }
        return own.first
    }
}
