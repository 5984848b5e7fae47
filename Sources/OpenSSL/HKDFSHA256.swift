internal import COpenSSL
public import Values

/// The second step of HKDF (RFC 5869 §2.3) with SHA-256: keys for several purposes from one key.
public enum HKDFSHA256 {
    /// Derives a key of 32 bytes.
    ///
    /// - Parameters:
    ///   - key: at least 32 bytes that are uniformly random, so that the first step may be left out (§3.3).
    ///   - info: the purpose; other purposes give keys that tell nothing of each other.
    public static func expand(_ key: SecretBytes, _ info: [UInt8]) -> SecretBytes {
        precondition(key.count >= 32, "a key that is expanded has the strength of the digest")
        // The first block, T(1), is as long as the key that is wanted.
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
