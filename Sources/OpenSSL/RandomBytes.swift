internal import COpenSSL
public import Values

/// Random bytes from OpenSSL's generator, which is seeded by the operating system.
public enum RandomBytes {
    /// Generates `count` unpredictable bytes. Terminates the program if the system can't provide randomness.
    public static func generate(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            precondition(RAND_bytes(bytes.baseAddress, Int32(count)) == 1, "a machine without randomness")
            filled = count
        }
    }

    /// Generates `count` bytes for a key; they are wiped when they are freed.
    public static func secret(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { bytes in
            precondition(
                RAND_priv_bytes(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(count)) == 1,
                "a machine without randomness")
        }
    }
}
