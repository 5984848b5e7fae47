internal import COpenSSL

/// The contents of a certificate to be created and signed by a certification authority.
public struct CertificateTemplate: Sendable {
    /// One attribute of a name: OpenSSL's short name for it, such as `CN` or `UID`, and its value.
    public typealias NameAttribute = (attribute: String, value: String)

    /// An extension (RFC 5280 §4.2) with its content in DER.
    public struct Extension: Sendable {
        let oid: String
        let isCritical: Bool
        let value: [UInt8]

        /// - Parameters:
        ///   - oid: the dotted object identifier.
        ///   - value: the DER content of the extension's OCTET STRING.
        public init(_ oid: String, isCritical: Bool = false, value: [UInt8]) {
            self.oid = oid
            self.isCritical = isCritical
            self.value = value
        }
    }

    /// The subject's name, in order.
    public var subject: [NameAttribute]
    /// The serial number, 1 to 20 bytes, big-endian and positive.
    public var serialNumber: [UInt8]
    /// The first second of validity since 1970-01-01T00:00:00Z.
    public var notBeforeSecondsSinceEpoch: Int64
    /// The last second of validity since 1970-01-01T00:00:00Z.
    public var notAfterSecondsSinceEpoch: Int64
    /// The extensions, in order.
    public var extensions: [Extension]

    /// Creates a template from its members.
    public init(
        subject: [NameAttribute], serialNumber: [UInt8], notBeforeSecondsSinceEpoch: Int64,
        notAfterSecondsSinceEpoch: Int64, extensions: [Extension]
    ) {
        self.subject = subject
        self.serialNumber = serialNumber
        self.notBeforeSecondsSinceEpoch = notBeforeSecondsSinceEpoch
        self.notAfterSecondsSinceEpoch = notAfterSecondsSinceEpoch
        self.extensions = extensions
    }

    /// Creates a certificate for `key`, signed by `issuerKey` with SHA-256. Without an issuer it is self-signed.
    public func certificate(
        for key: PublicKey, issuer: Certificate?, issuerKey: PrivateKey
    ) throws(OpenSSLError) -> Certificate {
        let draft = try DraftCertificate()
        try draft.setVersion3(serialNumber: serialNumber)
        try draft.setValidity(from: notBeforeSecondsSinceEpoch, to: notAfterSecondsSinceEpoch)
        try draft.setNames(subject: subject, issuer: issuer)
        try draft.setKey(key)
        for each in extensions { try draft.add(each) }
        return try Certificate(der: try draft.signed(by: issuerKey))
    }
}

/// The sole owner of one `X509` under construction.
private struct DraftCertificate: ~Copyable {
    private let x509: OpaquePointer  // X509 *

    init() throws(OpenSSLError) {
        x509 = try checked(X509_new(), "X509_new")
    }
    deinit { X509_free(x509) }

    func setVersion3(serialNumber: [UInt8]) throws(OpenSSLError) {
        precondition((1...20).contains(serialNumber.count), "RFC 5280 §4.1.2.2")
        let number = try checked(BN_bin2bn(serialNumber, Int32(serialNumber.count), nil), "BN_bin2bn")
        defer { BN_free(number) }
        try check(X509_set_version(x509, 2) == 1, "X509_set_version")
        try check(BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil, "BN_to_ASN1_INTEGER")
    }

    func setValidity(from notBefore: Int64, to notAfter: Int64) throws(OpenSSLError) {
        try check(ASN1_TIME_set(X509_getm_notBefore(x509), Int(notBefore)) != nil, "ASN1_TIME_set")
        try check(ASN1_TIME_set(X509_getm_notAfter(x509), Int(notAfter)) != nil, "ASN1_TIME_set")
    }

    func setNames(subject: [CertificateTemplate.NameAttribute], issuer: Certificate?) throws(OpenSSLError) {
        let name = X509_get_subject_name(x509)
        try DistinguishedName.append(subject, to: name)
        let issuerName = issuer.map { X509_get_subject_name($0.x509) } ?? name
        try check(X509_set_issuer_name(x509, issuerName) == 1, "X509_set_issuer_name")
    }

    func setKey(_ key: PublicKey) throws(OpenSSLError) {
        try check(X509_set_pubkey(x509, key.key) == 1, "X509_set_pubkey")
    }

    func add(_ each: CertificateTemplate.Extension) throws(OpenSSLError) {
        let oid = try checked(OBJ_txt2obj(each.oid, 1), "OBJ_txt2obj")
        defer { ASN1_OBJECT_free(oid) }
        let content = try checked(ASN1_OCTET_STRING_new(), "ASN1_OCTET_STRING_new")
        defer { ASN1_OCTET_STRING_free(content) }
        try check(
            ASN1_OCTET_STRING_set(content, each.value, Int32(each.value.count)) == 1, "ASN1_OCTET_STRING_set")
        let made = try checked(
            X509_EXTENSION_create_by_OBJ(nil, oid, each.isCritical ? 1 : 0, content), "X509_EXTENSION_create_by_OBJ")
        defer { X509_EXTENSION_free(made) }
        try check(X509_add_ext(x509, made, -1) == 1, "X509_add_ext")
    }

    func signed(by key: PrivateKey) throws(OpenSSLError) -> [UInt8] {
        try check(X509_sign(x509, key.key, EVP_sha256()) > 0, "X509_sign")
        return try Certificate.encode(x509)
    }
}
