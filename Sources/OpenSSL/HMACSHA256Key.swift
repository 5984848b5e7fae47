internal import COpenSSL
internal import Synchronization
public import Values

/// A key for HMAC (RFC 2104) with SHA-256, for many messages: the key is processed only once. An authentication code
/// has 32 bytes.
///
/// `@unchecked Sendable` is safe: `context` never changes after `init`, and OpenSSL 3 allows concurrent readers. Each
/// message uses its own copy of the context, which is then reused for the next message.
public final class HMACSHA256Key: @unchecked Sendable {
    private let context: OpaquePointer  // EVP_MAC_CTX *
    /// The address of an unused copy, or 0. Creating a copy costs more than authenticating a short message.
    private let idle = Atomic<UInt>(0)

    /// Creates a key.
    public init(_ key: SecretBytes) {
        guard let context = EVP_MAC_CTX_new(Algorithm.hmac) else { preconditionFailure("memory for a key") }
        self.context = context
        var name = Array("SHA2-256".utf8CString)
        let isKeyed = name.withUnsafeMutableBufferPointer { name in
            // OSSL_PARAM stores the addresses of its name and value, so both must stay valid until the call returns.
            OSSL_MAC_PARAM_DIGEST.withCString { parameter in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(parameter, name.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return key.withUnsafeBytes { key in
                    EVP_MAC_init(
                        context, key.assumingMemoryBound(to: UInt8.self).baseAddress, key.count, parameters) == 1
                }
            }
        }
        precondition(isKeyed, "HMAC over memory fails only if memory does")
    }

    deinit {
        EVP_MAC_CTX_free(OpaquePointer(bitPattern: idle.load(ordering: .acquiring)))
        EVP_MAC_CTX_free(context)
    }

    /// The authentication code of `message`.
    public func authenticationCode(_ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            message.withUnsafeBytes { write($0, to: code.baseAddress) }
            count = 32
        }
    }

    /// The authentication code of `message` as a secret: for codes that are themselves used as secrets.
    public func secretCode(_ message: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes(count: 32) { write(message, to: $0.assumingMemoryBound(to: UInt8.self).baseAddress) }
    }

    private func write(_ message: UnsafeRawBufferPointer, to code: UnsafeMutablePointer<UInt8>?) {
        let copy = takeCopy()
        defer { putBack(copy) }
        var length = 0
        // Without a key argument, the context restarts with its present key.
        let isDone =
            EVP_MAC_init(copy, nil, 0, nil) == 1
            && EVP_MAC_update(copy, message.assumingMemoryBound(to: UInt8.self).baseAddress, message.count) == 1
            && EVP_MAC_final(copy, code, &length, 32) == 1
        precondition(isDone && length == 32, "HMAC over memory fails only if memory does")
    }

    private func takeCopy() -> OpaquePointer {
        if let copy = OpaquePointer(bitPattern: idle.exchange(0, ordering: .acquiring)) { return copy }
        guard let copy = EVP_MAC_CTX_dup(context) else { preconditionFailure("memory for a key") }
        return copy
    }

    /// Stores a copy for the next message, or frees it if another copy is already stored.
    private func putBack(_ copy: OpaquePointer) {
        let (isKept, _) = idle.compareExchange(
            expected: 0, desired: UInt(bitPattern: copy), ordering: .releasing)
        if !isKept { EVP_MAC_CTX_free(copy) }
    }
}
