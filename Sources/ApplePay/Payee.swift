internal import Values

/// Who asks for a payment that may be for several: of a token with authentication responses, whose part counts.
///
/// The identifiers are those by which the coordinating merchant named its submerchants in the payment request. Apple
/// documents the entries and not how a gateway chooses among them, so these are ours.
public enum Payee: Equatable, Sendable {
    /// The whole payment counts, whoever it is divided among.
    case whole
    /// A submerchant: a token must have exactly one entry of its identifier.
    case submerchant(String)
    /// A merchant who is a submerchant in payments for several: a token that has entries must have exactly one of its
    /// identifier; one without any is for this merchant alone.
    case submerchantOfSeveral(String)
    /// A merchant who may coordinate payments for several: its own entry counts if a token has one, and the whole payment
    /// otherwise.
    case coordinator(String)

    /// The entry that counts, or nothing if the whole payment does.
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
        // Apple has no rule by which one of two would count.
        guard own.count <= 1 else {
            throw .authenticationResponseRepeated(merchantIdentifier: Printable(identifier))
        }
        return own.first
    }
}
