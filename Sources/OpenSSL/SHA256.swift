internal import COpenSSL
public import Values

/// SHA-256 (FIPS 180-4). The digest has 32 bytes.
public enum SHA256 {
    /// The size of a digest in bytes.
    public static let byteCount = 32

    /// The digest of `bytes`.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The digest of `bytes`.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            write(bytes, to: digest.baseAddress)
            count = byteCount
        }
    }

    /// The digest of a secret, as a secret: for key derivation.
    public static func hash(_ secret: SecretBytes) -> SecretBytes {
        SecretBytes(count: byteCount) { digest in
            secret.withUnsafeBytes { write($0, to: digest.assumingMemoryBound(to: UInt8.self).baseAddress) }
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to digest: UnsafeMutablePointer<UInt8>?) {
        let isDone = EVP_Digest(bytes.baseAddress, bytes.count, digest, nil, Algorithm.sha256, nil) == 1
        precondition(isDone, "a digest over memory fails only if memory does")
    }
}
