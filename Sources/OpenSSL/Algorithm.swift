internal import COpenSSL

/// The algorithms that are used for every token, looked up once: OpenSSL 3 finds an algorithm by name among its providers,
/// which would cost more than hashing what a token signs.
enum Algorithm {
    /// `EVP_MD *`. Never freed: it lives as long as the program.
    nonisolated(unsafe) static let sha256 = fetched(EVP_MD_fetch(nil, "SHA2-256", nil))
    /// `EVP_CIPHER *` of AES-128-GCM. Never freed: it lives as long as the program.
    nonisolated(unsafe) static let aes128GCM = fetched(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil))
    /// `EVP_CIPHER *` of AES-256-GCM. Never freed: it lives as long as the program.
    nonisolated(unsafe) static let aes256GCM = fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

    /// `EVP_MAC *` of HMAC. Never freed: it lives as long as the program.
    nonisolated(unsafe) static let hmac = fetched(EVP_MAC_fetch(nil, "HMAC", nil))

    private static func fetched(_ algorithm: OpaquePointer?) -> OpaquePointer {
        guard let algorithm else { preconditionFailure("OpenSSL's default provider has every algorithm used here") }
        return algorithm
    }
}
