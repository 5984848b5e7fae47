internal import COpenSSL

/// The algorithms that every token requires, fetched once: OpenSSL 3 searches its providers for an algorithm by name,
/// which would cost more than hashing a token's signed content.
enum Algorithm {
    /// `EVP_MD *` of SHA-256. Never freed: it is used until the program exits.
    nonisolated(unsafe) static let sha256 = fetched(EVP_MD_fetch(nil, "SHA2-256", nil))
    /// `EVP_CIPHER *` of AES-128-GCM. Never freed: it is used until the program exits.
    nonisolated(unsafe) static let aes128GCM = fetched(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil))
    /// `EVP_CIPHER *` of AES-256-GCM. Never freed: it is used until the program exits.
    nonisolated(unsafe) static let aes256GCM = fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

    /// `EVP_MAC *` of HMAC. Never freed: it is used until the program exits.
    nonisolated(unsafe) static let hmac = fetched(EVP_MAC_fetch(nil, "HMAC", nil))

    private static func fetched(_ algorithm: OpaquePointer?) -> OpaquePointer {
        guard let algorithm else { preconditionFailure("OpenSSL's default provider has every algorithm used here") }
        return algorithm
    }
}
