internal import COpenSSL

/// The sole owner of one `EVP_MD_CTX`, for signing a message or verifying a signature.
struct DigestContext: ~Copyable {
    private let context: OpaquePointer  // EVP_MD_CTX *

    init() throws(OpenSSLError) {
        context = try checked(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
    }
    deinit { EVP_MD_CTX_free(context) }

    /// Creates a context that is ready to verify with `key`. It is copied for each signature. The caller must free it;
    /// nil if the key can't verify.
    static func makeVerificationTemplate(_ key: OpaquePointer) -> OpaquePointer? {
        let context = EVP_MD_CTX_new()
        guard context != nil, EVP_DigestVerifyInit(context, nil, Algorithm.sha256, nil, key) == 1 else {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        return context
    }

    func sign(_ message: [UInt8], with key: OpaquePointer) throws(OpenSSLError) -> [UInt8] {
        var count = 0
        try check(EVP_DigestSignInit(context, nil, Algorithm.sha256, nil, key) == 1, "EVP_DigestSignInit")
        try check(EVP_DigestSign(context, nil, &count, message, message.count) == 1, "EVP_DigestSign")
        var signature = [UInt8](repeating: 0, count: count)
        try check(EVP_DigestSign(context, &signature, &count, message, message.count) == 1, "EVP_DigestSign")
        return Array(signature.prefix(count))
    }

    func verify(
        _ signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, template: OpaquePointer
    ) throws(OpenSSLError) {
        try check(EVP_MD_CTX_copy_ex(context, template) == 1, "EVP_MD_CTX_copy_ex")
        let verdict = EVP_DigestVerify(
            context, signature.assumingMemoryBound(to: UInt8.self).baseAddress, signature.count,
            message.assumingMemoryBound(to: UInt8.self).baseAddress, message.count)
        guard verdict == 1 else {
            ERR_clear_error()
            throw .signatureInvalid
        }
    }
}
