internal import COpenSSL

/// A certificate signing request (PKCS#10, RFC 2986): a public key and a name, signed by the key's owner.
public struct CertificateRequest: Sendable {
    /// The request's DER.
    public let der: [UInt8]
    /// The first common name (2.5.4.3), or nil.
    public let commonName: String?
    /// The public key to be certified.
    public let publicKey: PublicKey
    /// Whether the request's signature verifies with its own key, which proves possession of the private key.
    public let isSignedByKey: Bool

    /// Creates a request for a key, signed with SHA-256: with ECDSA by an elliptic-curve key, with PKCS#1 v1.5 by an
    /// RSA key.
    ///
    /// - Parameter subject: the subject's name, in order. A common name has at most 64 characters.
    public init(
        subject: [CertificateTemplate.NameAttribute], key: PrivateKey
    ) throws(OpenSSLError) {
        let request = try checked(X509_REQ_new(), "X509_REQ_new")
        let draft = RequestHandle(takingOwnershipOf: request)
        try draft.fill(subject: subject, key: key)
        try self.init(draft)
    }

    /// Parses a request in DER, without trailing bytes.
    public init(der: [UInt8]) throws(OpenSSLError) {
        let request = try der.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            var position = buffer.baseAddress
            let request = try checked(d2i_X509_REQ(nil, &position, buffer.count), "d2i_X509_REQ")
            guard position == buffer.baseAddress?.advanced(by: buffer.count) else {
                X509_REQ_free(request)
                throw .failed(function: "d2i_X509_REQ", reason: "bytes after the request")
            }
            return request
        }
        try self.init(RequestHandle(takingOwnershipOf: request))
    }

    /// Parses the first request in a PEM text; text before it is ignored.
    public init(pem: [UInt8]) throws(OpenSSLError) {
        let bio = try MemoryBIO()
        try pem.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            try bio.write(UnsafeRawBufferPointer(buffer))
        }
        guard let request = PEM_read_bio_X509_REQ(bio.bio, nil, nil, nil) else {
            let failure = OpenSSLError.last("PEM_read_bio_X509_REQ")
            if case .failed(_, "no start line") = failure { throw .noPEMBlock("CERTIFICATE REQUEST") }
            throw failure
        }
        try self.init(RequestHandle(takingOwnershipOf: request))
    }

    private init(_ handle: consuming RequestHandle) throws(OpenSSLError) {
        der = try handle.encode()
        commonName = handle.commonName
        publicKey = try handle.publicKey()
        isSignedByKey = handle.isSigned(by: publicKey)
    }

    /// The request in PEM.
    public func pem() throws(OpenSSLError) -> [UInt8] {
        let bio = try MemoryBIO()
        let written = der.withUnsafeBufferPointer { buffer in
            PEM_write_bio(bio.bio, PEM_STRING_X509_REQ, "", buffer.baseAddress, buffer.count)
        }
        try check(written > 0, "PEM_write_bio")
        return bio.withContent { Array($0) }
    }
}

/// The sole owner of one `X509_REQ`.
private struct RequestHandle: ~Copyable {
    private let request: OpaquePointer  // X509_REQ *

    init(takingOwnershipOf request: OpaquePointer) { self.request = request }
    deinit { X509_REQ_free(request) }

    func fill(subject: [CertificateTemplate.NameAttribute], key: PrivateKey) throws(OpenSSLError) {
        // Version 1 is encoded as 0 (RFC 2986 §4.1).
        try check(X509_REQ_set_version(request, 0) == 1, "X509_REQ_set_version")
        try DistinguishedName.append(subject, to: X509_REQ_get_subject_name(request))
        try check(X509_REQ_set_pubkey(request, key.key) == 1, "X509_REQ_set_pubkey")
        try check(X509_REQ_sign(request, key.key, EVP_sha256()) > 0, "X509_REQ_sign")
    }

    func encode() throws(OpenSSLError) -> [UInt8] {
        let der = encoded { i2d_X509_REQ(request, &$0) }
        try check(!der.isEmpty, "i2d_X509_REQ")
        return der
    }

    var commonName: String? { DistinguishedName.text(NID_commonName, of: X509_REQ_get_subject_name(request)) }

    func publicKey() throws(OpenSSLError) -> PublicKey {
        let key = try checked(X509_REQ_get_pubkey(request), "X509_REQ_get_pubkey")
        return PublicKey(takingOwnershipOf: key)
    }

    func isSigned(by publicKey: PublicKey) -> Bool {
        guard X509_REQ_verify(request, publicKey.key) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }
}
