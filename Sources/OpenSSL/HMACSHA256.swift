internal import COpenSSL

/// HMAC (RFC 2104) with SHA-256. The code has 32 bytes.
public enum HMACSHA256 {
    /// The authentication code of `message` under `key`.
    public static func authenticationCode(key: SecretBytes, _ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            message.withUnsafeBytes { write($0, key, to: code.baseAddress) }
            count = 32
        }
    }

    /// The authentication code of `message` under `key`, as a secret: for codes that stand in a secret's place.
    public static func secretCode(key: SecretBytes, _ message: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes(count: 32) { write(message, key, to: $0.assumingMemoryBound(to: UInt8.self).baseAddress) }
    }

    private static func write(
        _ message: UnsafeRawBufferPointer, _ key: SecretBytes, to code: UnsafeMutablePointer<UInt8>?
    ) {
        key.withUnsafeBytes { key in
            var length: UInt32 = 0
            let result = HMAC(
                Algorithm.sha256, key.baseAddress, Int32(key.count),
                message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count, code, &length)
            precondition(result != nil && length == 32, "HMAC over memory fails only if memory does")
        }
    }
}
