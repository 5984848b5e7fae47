internal import COpenSSL
internal import Glibc

/// An X.509 certificate (RFC 5280); owns one `X509` reference.
///
/// `@unchecked Sendable` is safe: it is never changed after `init`, and OpenSSL 3 allows concurrent readers.
public final class Certificate: @unchecked Sendable {
    let x509: OpaquePointer  // X509 *
    /// The certificate's DER.
    public let der: [UInt8]

    init(takingOwnershipOf x509: OpaquePointer, der: [UInt8]) {
        self.x509 = x509
        self.der = der
    }
    deinit { X509_free(x509) }

    /// Parses one certificate in DER, without trailing bytes.
    public convenience init(der: [UInt8]) throws(OpenSSLError) {
        let x509 = try der.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            var position = buffer.baseAddress
            let x509 = try checked(d2i_X509(nil, &position, buffer.count), "d2i_X509")
            guard position == buffer.baseAddress?.advanced(by: buffer.count) else {
                X509_free(x509)
                throw .failed(function: "d2i_X509", reason: "bytes after the certificate")
            }
            return x509
        }
        self.init(takingOwnershipOf: x509, der: der)
        // OpenSSL also accepts BER. Its outer part is not covered by the signature, so DER is required to allow only
        // one encoding.
        guard try Self.encode(x509) == der else { throw .failed(function: "d2i_X509", reason: "not DER") }
    }

    /// Parses the first certificate in a PEM text; text before it is ignored.
    public convenience init(pem: [UInt8]) throws(OpenSSLError) {
        let bio = try MemoryBIO()
        try pem.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            try bio.write(UnsafeRawBufferPointer(buffer))
        }
        guard let x509 = PEM_read_bio_X509(bio.bio, nil, nil, nil) else {
            let failure = OpenSSLError.last("PEM_read_bio_X509")
            if case .failed(_, "no start line") = failure { throw .noPEMBlock("CERTIFICATE") }
            throw failure
        }
        self.init(takingOwnershipOf: x509, der: try Self.encode(x509))
    }

    /// Parses every certificate in a PEM text; everything else is ignored.
    ///
    /// - Throws: `noPEMBlock` if there is no certificate.
    public static func all(pem: [UInt8]) throws(OpenSSLError) -> [Certificate] {
        let bio = try MemoryBIO()
        try pem.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            try bio.write(UnsafeRawBufferPointer(buffer))
        }
        var certificates: [Certificate] = []
        while let x509 = PEM_read_bio_X509(bio.bio, nil, nil, nil) {
            certificates.append(Certificate(takingOwnershipOf: x509, der: try encode(x509)))
        }
        let end = OpenSSLError.last("PEM_read_bio_X509")
        guard case .failed(_, "no start line") = end else { throw end }
        guard !certificates.isEmpty else { throw .noPEMBlock("CERTIFICATE") }
        return certificates
    }

    /// The certificate in PEM.
    public func pem() throws(OpenSSLError) -> [UInt8] {
        let bio = try MemoryBIO()
        try check(PEM_write_bio_X509(bio.bio, x509) == 1, "PEM_write_bio_X509")
        return bio.withContent { Array($0) }
    }

    static func encode(_ x509: OpaquePointer) throws(OpenSSLError) -> [UInt8] {
        let der = encoded { i2d_X509(x509, &$0) }
        try check(!der.isEmpty, "i2d_X509")
        return der
    }

    /// SHA-256 of the DER, 32 bytes: the certificate's fingerprint.
    public var fingerprint: [UInt8] { SHA256.hash(der) }

    /// The subject's public key.
    public func publicKey() throws(OpenSSLError) -> PublicKey {
        let key = try checked(X509_get_pubkey(x509), "X509_get_pubkey")
        return PublicKey(takingOwnershipOf: key)
    }

    /// The issuer's name in DER.
    public var issuer: [UInt8] { DistinguishedName.der(of: X509_get_issuer_name(x509)) }

    /// The subject's name in DER.
    public var subject: [UInt8] { DistinguishedName.der(of: X509_get_subject_name(x509)) }

    /// The serial number as an ASN.1 INTEGER in DER, including tag and length.
    public var serialNumber: [UInt8] { encoded { i2d_ASN1_INTEGER(X509_get0_serialNumber(x509), &$0) } }

    /// The subject's first common name (2.5.4.3), or nil.
    public var commonName: String? { DistinguishedName.text(NID_commonName, of: X509_get_subject_name(x509)) }

    /// The issuer's first common name (2.5.4.3), or nil.
    public var issuerCommonName: String? { DistinguishedName.text(NID_commonName, of: X509_get_issuer_name(x509)) }

    /// The subject's first user id (0.9.2342.19200300.100.1.1), in which Apple writes a merchant identifier, or nil.
    public var userIdentifier: String? { DistinguishedName.text(NID_userId, of: X509_get_subject_name(x509)) }

    /// The first second at which the certificate is valid, since 1970-01-01T00:00:00Z; 0 if the field is malformed.
    public var notBeforeSecondsSinceEpoch: Int64 { Self.seconds(X509_get0_notBefore(x509)) }

    /// The last second at which the certificate is valid, since 1970-01-01T00:00:00Z; 0 if the field is malformed.
    public var notAfterSecondsSinceEpoch: Int64 { Self.seconds(X509_get0_notAfter(x509)) }

    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var fields = tm()
        guard ASN1_TIME_to_tm(time, &fields) == 1 else {
            ERR_clear_error()
            return 0
        }
        return Int64(timegm(&fields))
    }

    /// The content of the extension with a dotted OID, without its OCTET STRING. Nil if the certificate has no such
    /// extension, or the string is not an OID.
    public func extensionValue(_ dottedOID: String) -> [UInt8]? {
        guard let oid = OBJ_txt2obj(dottedOID, 1) else {
            ERR_clear_error()
            return nil
        }
        defer { ASN1_OBJECT_free(oid) }
        let index = X509_get_ext_by_OBJ(x509, oid, -1)
        guard index >= 0, let value = X509_EXTENSION_get_data(X509_get_ext(x509, index)) else { return nil }
        return Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    }

    /// Whether the key may create signatures: `keyUsage` is absent or includes `digitalSignature` (RFC 5280 §4.2.1.3).
    public var allowsDigitalSignature: Bool { X509_get_key_usage(x509) & UInt32(KU_DIGITAL_SIGNATURE) != 0 }

    /// Whether the key may authenticate a TLS client: `extKeyUsage` is present and includes `id-kp-clientAuth` (RFC
    /// 5280 §4.2.1.12).
    public var isForClientAuthentication: Bool {
        let usage = X509_get_extended_key_usage(x509)
        // All bits are set if the extension is absent.
        return usage != UInt32.max && usage & UInt32(XKU_SSL_CLIENT) != 0
    }

    /// Whether basic constraints and key usage permit the certificate to issue others.
    public var isAuthority: Bool { X509_check_ca(x509) == 1 }
}

extension Certificate: Equatable {
    /// Whether both certificates have the same DER.
    public static func == (one: Certificate, other: Certificate) -> Bool { one.der == other.der }
}
