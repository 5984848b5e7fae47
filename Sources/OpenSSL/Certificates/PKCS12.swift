internal import COpenSSL
public import Values

/// The contents of a PKCS#12 file (RFC 7292; `.p12`, `.pfx`): a private key and certificates.
public struct PKCS12: Sendable {
    /// The first private key, or nil.
    public let privateKey: PrivateKey?
    /// All certificates; the certificate of the key is first, if it is present.
    public let certificates: [Certificate]

    /// Opens a file in DER, without trailing bytes.
    ///
    /// - Throws: `wrongPassword`, `legacyEncryption`, or `failed` if the bytes are not a PKCS#12 file or it has no MAC.
    public init(der: UnsafeRawBufferPointer, password: SecretBytes) throws(OpenSSLError) {
        let archive = try PKCS12Archive(der: der)
        let contents = try archive.open(password)
        privateKey = contents.privateKey
        certificates = try contents.certificates()
    }

    /// Whether the bytes are a PKCS#12 file, with any password.
    public static func isEncoded(in der: UnsafeRawBufferPointer) -> Bool { (try? PKCS12Archive(der: der)) != nil }

    /// The key and its certificate; the first certificate if none matches the key.
    ///
    /// - Throws: `noPrivateKey` or `noCertificate`.
    public func identity() throws(OpenSSLError) -> (privateKey: PrivateKey, certificate: Certificate) {
        guard let privateKey else { throw .noPrivateKey }
        guard let certificate = certificates.first else { throw .noCertificate }
        return (privateKey, certificate)
    }
}

/// The sole owner of one `PKCS12`.
private struct PKCS12Archive: ~Copyable {
    private let archive: OpaquePointer  // PKCS12 *

    init(der: UnsafeRawBufferPointer) throws(OpenSSLError) {
        let start = der.assumingMemoryBound(to: UInt8.self).baseAddress
        var position = start
        let archive = try checked(d2i_PKCS12(nil, &position, der.count), "d2i_PKCS12")
        guard position == start?.advanced(by: der.count) else {
            PKCS12_free(archive)
            throw .failed(function: "d2i_PKCS12", reason: "bytes after the file")
        }
        self.archive = archive
    }
    deinit { PKCS12_free(archive) }

    func open(_ password: SecretBytes) throws(OpenSSLError) -> PKCS12Contents {
        // Without a MAC the certificates are not authenticated, and a wrong password can't be distinguished from damage
        // (RFC 7292 §4).
        guard PKCS12_mac_present(archive) == 1 else { throw .failed(function: "PKCS12_mac_present", reason: "no MAC") }
        // PKCS12_parse reads the password up to a zero byte.
        guard password.withUnsafeBytes({ !$0.contains(0) }) else { throw .wrongPassword }
        let terminated = SecretBytes(count: password.count + 1) { text in
            password.withUnsafeBytes { text.copyMemory(from: $0) }
        }
        var contents = PKCS12Contents()
        // Clears earlier errors, so that the error queue then describes only this file.
        ERR_clear_error()
        let done = terminated.withUnsafeBytes { text in
            PKCS12_parse(
                archive, text.assumingMemoryBound(to: CChar.self).baseAddress, &contents.key, &contents.certificate,
                &contents.others)
        }
        guard done == 1 else { throw .decryption() }
        return contents
    }
}

/// The sole owner of the objects that `PKCS12_parse` returns.
private struct PKCS12Contents: ~Copyable {
    var key: OpaquePointer?  // EVP_PKEY *
    var certificate: OpaquePointer?  // X509 *
    var others: OpaquePointer?  // STACK_OF(X509) *

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
        shim_sk_X509_pop_free(others)
    }

    var privateKey: PrivateKey? {
        guard let key else { return nil }
        EVP_PKEY_up_ref(key)
        return PrivateKey(takingOwnershipOf: key)
    }

    func certificates() throws(OpenSSLError) -> [Certificate] {
        let others = (0..<max(0, shim_sk_X509_num(others))).map { shim_sk_X509_value(self.others, $0) }
        var certificates: [Certificate] = []
        for case .some(let x509) in [certificate] + others {
            let der = try Certificate.encode(x509)
            X509_up_ref(x509)
            certificates.append(Certificate(takingOwnershipOf: x509, der: der))
        }
        return certificates
    }
}
