internal import ApplePay
internal import OpenSSL
internal import Values

/// The templates of the certificates that a local authority issues.
struct CertificateForm {
    private var template: CertificateTemplate

    static let leafMarker = "1.2.840.113635.100.6.29"
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"

    private init(
        subject: [CertificateTemplate.NameAttribute], keyUsage: UInt8, basicConstraints: [UInt8],
        extensions: [CertificateTemplate.Extension]
    ) {
        // 2014-01-01T00:00:00Z and 2049-12-31T23:59:59Z. From 2050 on certificates encode times as GeneralizedTime.
        template = CertificateTemplate(
            subject: subject, serialNumber: [0x40] + RandomBytes.generate(7),
            notBeforeSecondsSinceEpoch: 1_388_534_400, notAfterSecondsSinceEpoch: 2_524_607_999,
            extensions: [
                .init("2.5.29.19", isCritical: true, value: basicConstraints),
                .init("2.5.29.15", isCritical: true, value: DER.element(0x03, keyUsageBits(keyUsage))),
            ] + extensions)
    }

    private static func authority(_ commonName: String, pathLength: UInt8, marker: String?) -> CertificateForm {
        CertificateForm(
            subject: name(commonName), keyUsage: 0b0000_0110,
            basicConstraints: DER.sequence([0x01, 1, 0xFF], DER.smallInteger(pathLength)),
            extensions: marker.map { [.init($0, value: DER.null)] } ?? [])
    }

    static func root() -> CertificateForm { authority(ChainFault.localRootName, pathLength: 1, marker: nil) }

    static func intermediate(marker: String? = intermediateMarker) -> CertificateForm {
        authority("Tollgate Local Application Integration CA", pathLength: 0, marker: marker)
    }

    static func signer(_ commonName: String, marker: String? = leafMarker, keyUsage: UInt8 = 0b1000_0000)
        -> CertificateForm
    {
        CertificateForm(
            subject: name(commonName), keyUsage: keyUsage, basicConstraints: DER.sequence(),
            extensions: marker.map { [.init($0, value: DER.null)] } ?? [])
    }

    /// A merchant's certificate: for key agreement, or for key encipherment with an RSA key (RFC 5280 §4.2.1.3).
    static func merchant(_ identifier: String, isRSA: Bool) -> CertificateForm {
        let hash = Hexadecimal.encoded(SHA256.hash(Array(identifier.utf8))).uppercased()
        return CertificateForm(
            subject: [("UID", identifier)] + name("Payment Processing: \(identifier)"),
            keyUsage: isRSA ? 0b0010_0000 : 0b0000_1000, basicConstraints: DER.sequence(),
            extensions: [
                .init(PaymentProcessingKey.merchantIdentifierExtension, value: DER.utf8String(hash))
            ])
    }

    /// A merchant's certificate for asking for merchant sessions: a client's of TLS (RFC 5280 §4.2.1.12).
    static func merchantIdentity(_ identifier: String) -> CertificateForm {
        let hash = Hexadecimal.encoded(SHA256.hash(Array(identifier.utf8))).uppercased()
        let clientAuthentication = DER.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 3, 2])
        return CertificateForm(
            // A common name has at most 64 characters; the identifier is whole before it.
            subject: [("UID", identifier)] + name(String("Apple Pay Merchant Identity:\(identifier)".prefix(64))),
            keyUsage: 0b1000_0000, basicConstraints: DER.sequence(),
            extensions: [
                .init("2.5.29.37", value: DER.sequence(clientAuthentication)),
                .init(PaymentProcessingKey.merchantIdentifierExtension, value: DER.utf8String(hash)),
            ])
    }

    private static func name(_ commonName: String) -> [CertificateTemplate.NameAttribute] {
        [("CN", commonName), ("OU", "Local sandbox"), ("O", "Tollgate")]
    }

    /// The same form with another end of validity.
    func ending(at notAfter: Instant) -> CertificateForm {
        var form = self
        form.template.notAfterSecondsSinceEpoch = notAfter.secondsSinceEpoch
        return form
    }

    /// Issues the certificate, with the key identifiers for building a chain (RFC 5280 §4.2.1.1 and §4.2.1.2).
    func certificate(
        for key: PrivateKey, issuer: Certificate?, issuerKey: PrivateKey
    ) throws(OpenSSLError) -> Certificate {
        try certificate(for: key.publicKey, issuer: issuer, issuerKey: issuerKey)
    }

    func certificate(
        for key: PublicKey, issuer: Certificate?, issuerKey: PrivateKey
    ) throws(OpenSSLError) -> Certificate {
        var template = template
        let holder = try keyIdentifier(of: key)
        let authority = try keyIdentifier(of: issuerKey.publicKey)
        template.extensions += [
            .init("2.5.29.14", value: DER.octetString(holder)),
            .init("2.5.29.35", value: DER.sequence(DER.element(0x80, authority))),
        ]
        return try template.certificate(for: key, issuer: issuer, issuerKey: issuerKey)
    }
}

/// The BIT STRING content of `keyUsage`: the number of unused bits in the last byte, then the byte.
private func keyUsageBits(_ bits: UInt8) -> [UInt8] { [UInt8(bits.trailingZeroBitCount), bits] }

/// The key identifier, 20 bytes (RFC 7093 §2): method 1 for an elliptic-curve key, method 4 for an RSA key.
private func keyIdentifier(of key: PublicKey) throws(OpenSSLError) -> [UInt8] {
    let hashed = key.isElliptic ? try key.encodedPoint() : try key.subjectPublicKeyInfo()
    return Array(SHA256.hash(hashed).prefix(20))
}
