internal import COpenSSL
public import Values

/// The expand step of HKDF (RFC 5869 §2.3) with SHA-256: derives keys for several purposes from one key.
public enum HKDFSHA256 {
    /// Derives a key of 32 bytes.
    ///
    /// - Parameters:
    ///   - key: at least 32 uniformly random bytes, so that the extract step can be omitted (§3.3).
    ///   - info: the purpose; keys for different purposes reveal nothing about each other.
    public static func expand(_ key: SecretBytes, _ info: [UInt8]) -> SecretBytes {
        precondition(key.count >= 32, "a key that is expanded has the strength of the digest")
        // The first block, T(1), already has the length of the derived key.
        let block = info + [1]
        return SecretBytes(count: 32) { derived in
            var length: UInt32 = 0
            let result = key.withUnsafeBytes { key in
                HMAC(
                    Algorithm.sha256, key.baseAddress, Int32(key.count), block, block.count,
                    derived.assumingMemoryBound(to: UInt8.self).baseAddress, &length)
            }
            precondition(result != nil && length == 32, "HMAC over memory fails only if memory does")
        }
    }
}
