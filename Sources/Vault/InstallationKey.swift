internal import OpenSSL
public import Values

/// The key of an installation, 32 bytes, which all instances on one database share.
///
/// What must only be recognised is kept as an HMAC-SHA256 under it: without the key, neither a request with its account
/// number nor a token's identifier can be found again by trial.
public struct InstallationKey: Sendable {
    private let key: HMACSHA256Key

    /// A key of 32 bytes, or nil if it has another length.
    public init?(_ key: SecretBytes) {
        guard key.count == 32 else { return nil }
        self.key = HMACSHA256Key(key)
    }

    /// What tells the key from every other, 32 bytes, and nothing of it: a database keeps it, so as not to be used under
    /// another key, which would recognise no token that was used.
    public var mark: [UInt8] {
        authenticationCode("tollgate installation", UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// What recognises a request's parameters, 32 bytes.
    public func fingerprint(ofParameters parameters: SecretText) -> [UInt8] {
        parameters.withUTF8 { authenticationCode("tollgate request parameters", $0) }
    }

    /// The HMAC-SHA256 of `purpose ‖ 00 ‖ SHA-256(bytes)`, 32 bytes: a code for one purpose is never a code for another.
    ///
    /// The bytes are hashed first, so that no copy of a request with its account number is left in memory.
    ///
    /// - Parameter purpose: A released name is never changed, nor used for anything else.
    public func authenticationCode(_ purpose: String, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        key.authenticationCode(Array(purpose.utf8) + [0] + SHA256.hash(bytes))
    }
}
