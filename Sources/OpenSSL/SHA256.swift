internal import COpenSSL

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

    /// The digest of a secret, as a secret: for keys that are derived.
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

/// HMAC (RFC 2104) with SHA-256. The code has 32 bytes.
public enum HMACSHA256 {
    /// The authentication code of `message` under `key`.
    public static func authenticationCode(key: SecretBytes, _ message: [UInt8]) -> [UInt8] {
        key.withUnsafeBytes { key in
            [UInt8](unsafeUninitializedCapacity: 32) { code, count in
                var length: UInt32 = 0
                let result = message.withUnsafeBufferPointer { message in
                    HMAC(
                        Algorithm.sha256, key.baseAddress, Int32(key.count), message.baseAddress, message.count,
                        code.baseAddress, &length)
                }
                precondition(result != nil && length == 32, "HMAC over memory fails only if memory does")
                count = Int(length)
            }
        }
    }
}

/// Bytes from OpenSSL's generator, seeded by the operating system.
public enum RandomBytes {
    /// `count` bytes that nobody can predict; stops the program if the system has no randomness to give.
    public static func generate(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            precondition(RAND_bytes(bytes.baseAddress, Int32(count)) == 1, "a machine without randomness")
            filled = count
        }
    }

    /// `count` bytes for a key, wiped when it goes.
    public static func secret(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { bytes in
            precondition(
                RAND_priv_bytes(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(count)) == 1,
                "a machine without randomness")
        }
    }
}

/// Compares two byte strings in time that does not depend on where they differ.
public func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}
