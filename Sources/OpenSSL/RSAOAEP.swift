internal import COpenSSL
public import Values

/// RSA-OAEP (RFC 8017 §7.1) with SHA-256, MGF1 with SHA-256 and an empty label, with which `RSA_v1` tokens wrap their
/// key.
extension PrivateKey {
    /// Unwraps a key that was encrypted to this key.
    ///
    /// - Parameter wrapped: the ciphertext, as long as the modulus: 256 bytes for RSA-2048.
    /// - Throws: `wrongKeyType` if this is not an RSA key; `notAuthentic` for every failure of unwrapping, because
    ///   reporting the cause would create a padding oracle.
    public func unwrapOAEP(_ wrapped: [UInt8]) throws(OpenSSLError) -> SecretBytes {
        guard let unwrapTemplate else { throw .wrongKeyType }
        // A ciphertext must be as long as the modulus (RFC 8017 §7.1.2 step 1b), but OpenSSL accepts shorter ones.
        guard wrapped.count == Int(EVP_PKEY_get_size(key)) else { throw .notAuthentic }
        let transport = try KeyTransport(duplicating: unwrapTemplate)
        return try transport.unwrap(wrapped)
    }

    /// Creates a context that is ready to unwrap. It is duplicated for each token.
    static func makeUnwrapTemplate(_ key: OpaquePointer) -> OpaquePointer? {
        let context = EVP_PKEY_is_a(key, "RSA") == 1 ? EVP_PKEY_CTX_new(key, nil) : nil
        guard let context, EVP_PKEY_decrypt_init(context) == 1, configureOAEP(context) else {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        return context
    }
}

extension PublicKey {
    /// Encrypts a key to the owner of this key.
    ///
    /// - Returns: the ciphertext, as long as the modulus: 256 bytes for RSA-2048.
    public func wrapOAEP(_ secret: SecretBytes) throws(OpenSSLError) -> [UInt8] {
        guard isRSA else { throw .wrongKeyType }
        let transport = try KeyTransport(for: key)
        return try transport.wrap(secret)
    }
}

private func configureOAEP(_ context: OpaquePointer) -> Bool {
    EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
}

/// The sole owner of the `EVP_PKEY_CTX` of one wrapping or unwrapping.
private struct KeyTransport: ~Copyable {
    private let context: OpaquePointer  // EVP_PKEY_CTX *

    init(duplicating template: OpaquePointer) throws(OpenSSLError) {
        context = try checked(EVP_PKEY_CTX_dup(template), "EVP_PKEY_CTX_dup")
    }

    init(for key: OpaquePointer) throws(OpenSSLError) {
        context = try checked(EVP_PKEY_CTX_new(key, nil), "EVP_PKEY_CTX_new")
    }

    deinit { EVP_PKEY_CTX_free(context) }

    func unwrap(_ wrapped: [UInt8]) throws(OpenSSLError) -> SecretBytes {
        var unwrappedCount = 0
        // OpenSSL requires a buffer as long as the modulus.
        let buffer = try SecretBytes(count: wrapped.count) { (buffer) throws(OpenSSLError) in
            let output = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
            unwrappedCount = buffer.count
            guard EVP_PKEY_decrypt(context, output, &unwrappedCount, wrapped, wrapped.count) == 1 else {
                ERR_clear_error()
                throw .notAuthentic
            }
        }
        return buffer.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<unwrappedCount])) }
    }

    func wrap(_ secret: SecretBytes) throws(OpenSSLError) -> [UInt8] {
        try check(EVP_PKEY_encrypt_init(context) == 1 && configureOAEP(context), "EVP_PKEY_encrypt_init")
        return try secret.withUnsafeBytes { (secret) throws(OpenSSLError) in
            let input = secret.assumingMemoryBound(to: UInt8.self).baseAddress
            var count = 0
            try check(EVP_PKEY_encrypt(context, nil, &count, input, secret.count) == 1, "EVP_PKEY_encrypt")
            var wrapped = [UInt8](repeating: 0, count: count)
            try check(EVP_PKEY_encrypt(context, &wrapped, &count, input, secret.count) == 1, "EVP_PKEY_encrypt")
            return Array(wrapped.prefix(count))
        }
    }
}
