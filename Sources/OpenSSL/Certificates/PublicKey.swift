internal import COpenSSL

/// A public key; owns one `EVP_PKEY` reference.
///
/// `@unchecked Sendable` is safe: it is never changed after `init`, and OpenSSL 3 allows concurrent use of an unchanged
/// `EVP_PKEY`. The template is only copied.
public final class PublicKey: @unchecked Sendable {
    let key: OpaquePointer  // EVP_PKEY *

    /// `EVP_MD_CTX *`, ready to verify; nil for a key that can't verify.
    private let verificationTemplate: OpaquePointer?

    init(takingOwnershipOf key: OpaquePointer) {
        self.key = key
        verificationTemplate = DigestContext.makeVerificationTemplate(key)
    }
    deinit {
        EVP_MD_CTX_free(verificationTemplate)
        EVP_PKEY_free(key)
    }

    /// Parses a `SubjectPublicKeyInfo` in DER with OpenSSL's decoder, without trailing bytes.
    public convenience init(subjectPublicKeyInfo der: [UInt8]) throws(OpenSSLError) {
        let key = try der.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            var position = buffer.baseAddress
            let key = try checked(d2i_PUBKEY(nil, &position, buffer.count), "d2i_PUBKEY")
            guard position == buffer.baseAddress?.advanced(by: buffer.count) else {
                EVP_PKEY_free(key)
                throw .failed(function: "d2i_PUBKEY", reason: "bytes after the key")
            }
            return key
        }
        self.init(takingOwnershipOf: key)
    }

    /// The `SubjectPublicKeyInfo` in DER (RFC 5280 §4.1.2.7): 91 bytes on P-256.
    public func subjectPublicKeyInfo() throws(OpenSSLError) -> [UInt8] {
        let der = encoded { i2d_PUBKEY(key, &$0) }
        try check(!der.isEmpty, "i2d_PUBKEY")
        return der
    }

    /// Verifies a signature over `message` with SHA-256: ECDSA in DER for an elliptic-curve key, PKCS#1 v1.5 for an RSA
    /// key.
    ///
    /// - Throws: `signatureInvalid`, or `wrongKeyType` if this kind of key can't verify.
    public func verify(
        _ signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer
    ) throws(OpenSSLError) {
        guard let verificationTemplate else { throw .wrongKeyType }
        let digest = try DigestContext()
        try digest.verify(signature, of: message, template: verificationTemplate)
    }

    /// Whether this is an elliptic-curve key.
    public var isElliptic: Bool { EVP_PKEY_is_a(key, "EC") == 1 }

    /// Whether this is an RSA key.
    public var isRSA: Bool { EVP_PKEY_is_a(key, "RSA") == 1 }

    /// The size of the key in bits: of an RSA key's modulus, or of an elliptic curve's field.
    public var bitCount: Int { Int(EVP_PKEY_get_bits(key)) }

    /// Whether this is a key on P-256.
    public var isP256: Bool {
        guard isElliptic else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
            ERR_clear_error()
            return false
        }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1"
    }

    /// The uncompressed point of an elliptic-curve key (SEC 1 §2.3.3): 65 bytes on P-256.
    public func encodedPoint() throws(OpenSSLError) -> [UInt8] {
        let point = encoded { Int32(EVP_PKEY_get1_encoded_public_key(key, &$0)) }
        try check(!point.isEmpty, "EVP_PKEY_get1_encoded_public_key")
        return point
    }
}
