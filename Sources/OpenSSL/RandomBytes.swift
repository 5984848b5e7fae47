internal import COpenSSL
public import Values

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
