internal import COpenSSL

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
