internal import JSON
internal import Values
internal import Vault

/// A session that may vouch for an update of itself: a browser or a phone has its identifier, and no API password.
///
/// From version 50 on the identifier is sent as the password; before that, released phones' clients send an
/// UPDATE_PAYER_DATA without credentials, and the identifier in the path must do. Either way each update that a session
/// vouches for counts against its `authenticationLimit`.
struct SessionVoucher: Sendable {
    /// From this version on the identifier is a password.
    private static let passwordVersion = 50

    /// The identifier in the path, which is the password if one is sent.
    let session: SecretText
    /// Whether the request is one that is sent without credentials.
    let needsNoPassword: Bool
    private let authenticates: @Sendable (SecretText, MerchantID) async throws(SessionRefusal) -> Bool

    /// The session that may vouch for a request, if one may.
    ///
    /// - Parameter authenticates: whether a merchant's session authenticates one more request, which it counts.
    init?(
        _ operation: MerchantOperation, _ request: JSONNode, version: APIVersion,
        _ authenticates: @escaping @Sendable (SecretText, MerchantID) async throws(SessionRefusal) -> Bool
    ) {
        guard case .updateSession(let id) = operation else { return nil }
        let isOld = version.number < Self.passwordVersion
        guard !isOld || request.member("apiOperation")?.string == "UPDATE_PAYER_DATA" else { return nil }
        session = SecretText(id)
        needsNoPassword = isOld
        self.authenticates = authenticates
    }

    /// Whether the merchant has the session, and it may vouch once more.
    func vouches(_ merchant: MerchantID) async throws(SessionRefusal) -> Bool {
        try await authenticates(session, merchant)
    }
}
