internal import COpenSSL
public import Values

/// A private key; owns one `EVP_PKEY` reference.
///
/// `@unchecked Sendable` is safe: it is never changed after `init`, and OpenSSL 3 allows concurrent use of an unchanged
/// `EVP_PKEY`. The templates are only duplicated.
public final class PrivateKey: @unchecked Sendable {
    let key: OpaquePointer  // EVP_PKEY *
    private let agreementTemplate: OpaquePointer?  // EVP_PKEY_CTX *, ready for key agreement; nil if it has none

    /// `EVP_PKEY_CTX *`, ready to unwrap a key; nil if this is not an RSA key.
    let unwrapTemplate: OpaquePointer?

    init(takingOwnershipOf key: OpaquePointer) {
        self.key = key
        unwrapTemplate = Self.makeUnwrapTemplate(key)
        agreementTemplate = EVP_PKEY_is_a(key, "EC") == 1 ? EVP_PKEY_CTX_new(key, nil) : nil
        if let agreementTemplate { EVP_PKEY_derive_init(agreementTemplate) }
    }

    deinit {
        EVP_PKEY_CTX_free(agreementTemplate)
        EVP_PKEY_CTX_free(unwrapTemplate)
        EVP_PKEY_free(key)
    }

    /// Parses the first private key in a PEM text, in any form that the openssl command writes: PKCS#8 or SEC 1,
    /// preceded by `EC PARAMETERS` or `Bag Attributes` or not, encrypted or not.
    ///
    /// - Parameter password: the password of an encrypted key, at most 1024 bytes; not needed for an unencrypted key.
    /// - Throws: `noPEMBlock` if there is no key, `encrypted` if it requires a password and none is given,
    ///   `wrongPassword`, or `legacyEncryption`.
    public convenience init(pem: UnsafeRawBufferPointer, password: SecretBytes? = nil) throws(OpenSSLError) {
        guard let block = PEMBlock.all(in: pem).first(where: \.isPrivateKey) else { throw .noPEMBlock("PRIVATE KEY") }
        guard !block.isEncrypted || password != nil else { throw .encrypted }
        let bio = try MemoryBIO()
        try bio.write(block.text)
        // Clears earlier errors, so that the error queue then describes only this key.
        ERR_clear_error()
        let key = (password ?? SecretBytes([])).withUnsafeBytes { password in
            withUnsafePointer(to: password) { password in
                // Without a callback, OpenSSL would prompt on the terminal.
                PEM_read_bio_PrivateKey(
                    bio.bio, nil, { buffer, size, _, password in PrivateKey.give(password, buffer, size) },
                    UnsafeMutableRawPointer(mutating: password))
            }
        }
        guard let key else { throw block.isEncrypted ? .decryption() : .last("PEM_read_bio_PrivateKey") }
        self.init(takingOwnershipOf: key)
    }

    /// The password callback of OpenSSL (`pem_password_cb`): copies the password; returns -1 if it is empty or does not
    /// fit.
    private static func give(
        _ password: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32
    ) -> Int32 {
        guard let password = password?.load(as: UnsafeRawBufferPointer.self), !password.isEmpty,
            password.count <= Int(size), let buffer
        else { return -1 }
        UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)).copyMemory(from: password)
        return Int32(password.count)
    }

    /// The named curves of generated keys.
    public enum Curve: String, Sendable {
        /// The curve secp256r1 (RFC 5480).
        case p256 = "P-256"
        /// The curve secp384r1 (RFC 5480).
        case p384 = "P-384"
    }

    /// Generates a key on a named curve.
    public static func generate(_ curve: Curve) throws(OpenSSLError) -> PrivateKey {
        let key = try checked(shim_EVP_EC_gen(curve.rawValue), "EVP_EC_gen")
        return PrivateKey(takingOwnershipOf: key)
    }

    /// Generates an RSA key of `bits`, 2048 or more.
    public static func generateRSA(bits: UInt32) throws(OpenSSLError) -> PrivateKey {
        precondition(bits >= 2048, "NIST SP 800-131A")
        let key = try checked(shim_EVP_RSA_gen(bits), "EVP_RSA_gen")
        return PrivateKey(takingOwnershipOf: key)
    }

    /// The key as unencrypted PKCS#8 in PEM. It must be written only to files that only their owner can read.
    public func pem() throws(OpenSSLError) -> SecretBytes {
        let bio = try MemoryBIO()
        let written = PEM_write_bio_PKCS8PrivateKey(bio.bio, key, nil, nil, 0, nil, nil)
        try check(written == 1, "PEM_write_bio_PKCS8PrivateKey")
        return bio.withContent { SecretBytes(copying: $0) }
    }

    /// The public key.
    public var publicKey: PublicKey {
        EVP_PKEY_up_ref(key)
        return PublicKey(takingOwnershipOf: key)
    }

    /// Signs `message` with SHA-256: with ECDSA in DER for an elliptic-curve key, with PKCS#1 v1.5 for an RSA key.
    public func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let digest = try DigestContext()
        return try digest.sign(message, with: key)
    }

    /// Computes the shared secret with the owner of a point (ECDH; NIST SP 800-56A §5.7.1.2, cofactor 1).
    ///
    /// - Parameter point: the other public key in uncompressed form (SEC 1 §2.3.3), 65 bytes on P-256.
    /// - Returns: Z, the x-coordinate with its leading zeros, 32 bytes on P-256.
    /// - Throws: `pointInvalid` if the point is not on this key's curve, `wrongKeyType` if this is not an
    ///   elliptic-curve key.
    public func sharedSecret(withPoint point: some Collection<UInt8>) throws(OpenSSLError) -> SecretBytes {
        guard let agreementTemplate else { throw .wrongKeyType }
        let agreement = try KeyAgreement(template: agreementTemplate)
        try agreement.setPeer(point: Array(point), like: key)
        return try agreement.derive()
    }

    /// Computes the shared secret with the owner of a public key, in the order of calls of OpenSSL's own
    /// `EVP_PKEY_derive`(3). Algorithms are fetched and keys checked on each call, so it costs about twice as much as
    /// `sharedSecret(withPoint:)`.
    ///
    /// - Returns: Z, the x-coordinate with its leading zeros, 32 bytes on P-256.
    /// - Throws: `wrongKeyType` unless both keys are on the same curve.
    public func sharedSecret(with peer: PublicKey) throws(OpenSSLError) -> SecretBytes {
        guard agreementTemplate != nil, EVP_PKEY_parameters_eq(key, peer.key) == 1 else {
            ERR_clear_error()
            throw .wrongKeyType
        }
        let agreement = try KeyAgreement(key: key)
        try agreement.setPeer(peer.key)
        return try agreement.derive()
    }

    /// Whether this is a key on P-256.
    public var isP256: Bool { publicKey.isP256 }

    /// Whether this is an RSA key.
    public var isRSA: Bool { publicKey.isRSA }
}

/// The sole owner of the `EVP_PKEY_CTX` of one key agreement.
private struct KeyAgreement: ~Copyable {
    private let context: OpaquePointer  // EVP_PKEY_CTX *

    /// Duplicates a context that is ready for key agreement: fetching the algorithm each time would cost more than all
    /// other steps.
    init(template: OpaquePointer) throws(OpenSSLError) {
        context = try checked(EVP_PKEY_CTX_dup(template), "EVP_PKEY_CTX_dup")
    }
    deinit { EVP_PKEY_CTX_free(context) }

    /// Fetches the algorithm of a key for each use.
    init(key: OpaquePointer) throws(OpenSSLError) {
        context = try checked(EVP_PKEY_CTX_new(key, nil), "EVP_PKEY_CTX_new")
    }

    /// Sets the peer's complete key, which OpenSSL checks.
    func setPeer(_ peer: OpaquePointer) throws(OpenSSLError) {
        try check(EVP_PKEY_derive_init(context) == 1, "EVP_PKEY_derive_init")
        try check(EVP_PKEY_derive_set_peer(context, peer) == 1, "EVP_PKEY_derive_set_peer")
    }

    /// Sets the peer's point. OpenSSL refuses a point that is not on the curve (`EC_POINT_oct2point`). With cofactor 1,
    /// every point on the curve except infinity is a valid key.
    func setPeer(point: [UInt8], like key: OpaquePointer) throws(OpenSSLError) {
        guard point.first == 0x04 else { throw .pointInvalid }
        let peer = try checked(EVP_PKEY_new(), "EVP_PKEY_new")
        // The context retains its own reference.
        defer { EVP_PKEY_free(peer) }
        try check(EVP_PKEY_copy_parameters(peer, key) == 1, "EVP_PKEY_copy_parameters")
        guard EVP_PKEY_set1_encoded_public_key(peer, point, point.count) == 1 else {
            ERR_clear_error()
            throw .pointInvalid
        }
        try check(EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1, "EVP_PKEY_derive_set_peer_ex")
    }

    func derive() throws(OpenSSLError) -> SecretBytes {
        var count = 0
        try check(EVP_PKEY_derive(context, nil, &count) == 1, "EVP_PKEY_derive")
        return try SecretBytes(count: count) { (secret) throws(OpenSSLError) in
            let done = EVP_PKEY_derive(context, secret.assumingMemoryBound(to: UInt8.self).baseAddress, &count)
            try check(done == 1 && count == secret.count, "EVP_PKEY_derive")
        }
    }
}
