internal import OpenSSL
public import Values

/// The key of an installation, 32 bytes, which all instances on one database share.
///
/// Values that need only be recognized are stored as HMAC-SHA256 codes under this key. Without the key, nobody can find
/// a request's account number or a token's identifier by trial.
public struct InstallationKey: Sendable {
    private let key: HMACSHA256Key

    /// Creates a key; nil if it does not have 32 bytes.
    public init?(_ key: SecretBytes) {
        guard key.count == 32 else { return nil }
        self.key = HMACSHA256Key(key)
    }

    /// An identifier of the key, 32 bytes, which reveals nothing about the key. The database stores it, so that it
    /// can't be used with another key, under which no used token would be recognized.
    public var mark: [UInt8] {
        authenticationCode("tollgate installation", UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The code by which equal request parameters are recognized, 32 bytes.
    public func fingerprint(ofParameters parameters: SecretText) -> [UInt8] {
        parameters.withUTF8 { authenticationCode("tollgate request parameters", $0) }
    }

    /// The HMAC-SHA256 of `purpose ‖ 00 ‖ SHA-256(bytes)`, 32 bytes. Codes for different purposes never match.
    ///
    /// The bytes are hashed first, so that no copy of a request with its account number is left in memory.
    ///
    /// - Parameter purpose: the name of the purpose. A released name is never changed or reused.
    public func authenticationCode(_ purpose: String, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        key.authenticationCode(Array(purpose.utf8) + [0] + SHA256.hash(bytes))
    }
}
