internal import JSON
internal import Values
internal import Vault

/// A session that may authenticate an update of itself: a browser or a phone has the session's identifier, but no API
/// password.
///
/// From version 50 the identifier is sent as the password. Before that, released phone clients send an
/// UPDATE_PAYER_DATA without credentials, and the identifier in the path is sufficient. In both cases each update
/// that a session authenticates counts against its `authenticationLimit`.
struct SessionVoucher: Sendable {
    /// The first version in which the identifier is sent as the password.
    private static let passwordVersion = 50

    /// The identifier in the path; a password, if present, must equal it.
    let session: SecretText
    /// Whether the request may have no credentials.
    let needsNoPassword: Bool
    private let authenticates: @Sendable (SecretText, MerchantID) async throws(SessionRefusal) -> Bool

    /// The session that may authenticate a request; nil if none may.
    ///
    /// - Parameter authenticates: counts a request against a merchant's session, and returns whether the session
    ///   authenticates it.
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

    /// Whether the merchant has the session, and its limit allows another request.
    func vouches(_ merchant: MerchantID) async throws(SessionRefusal) -> Bool {
        try await authenticates(session, merchant)
    }
}
