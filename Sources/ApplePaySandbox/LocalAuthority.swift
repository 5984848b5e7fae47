internal import ApplePay
public import OpenSSL

/// A "Apple" of this machine: a root, an intermediate and a signer's certificate with the marker extensions, all valid
/// from 2014 to 2050 so that a gateway may run at any instant between.
///
/// Its tokens are as good as Apple's for whoever accepts its root, and worthless for everyone else.
public struct LocalAuthority: Sendable {
    /// The root that a merchant's trust names.
    public let root: Certificate
    /// The key that signed the intermediate.
    public let rootKey: PrivateKey
    /// The intermediate, with marker 1.2.840.113635.100.6.2.14.
    public let intermediate: Certificate
    /// The key that signed the signer's certificate and signs merchants'.
    public let intermediateKey: PrivateKey
    /// The signer's certificate, with marker 1.2.840.113635.100.6.29.
    public let leaf: Certificate
    /// The key that signs tokens.
    public let leafKey: PrivateKey

    /// An authority from what was made before.
    public init(
        root: Certificate, rootKey: PrivateKey, intermediate: Certificate, intermediateKey: PrivateKey,
        leaf: Certificate, leafKey: PrivateKey
    ) {
        self.root = root
        self.rootKey = rootKey
        self.intermediate = intermediate
        self.intermediateKey = intermediateKey
        self.leaf = leaf
        self.leafKey = leafKey
    }

    /// A new authority with keys of the kinds that Apple's has: P-384 at the root, P-256 below.
    public static func make() throws(OpenSSLError) -> LocalAuthority {
        let rootKey = try PrivateKey.generate(.p384)
        let root = try CertificateForm.authority("Tollgate Local Root CA", pathLength: 1, marker: nil)
            .certificate(for: rootKey, issuer: nil, issuerKey: rootKey)
        let intermediateKey = try PrivateKey.generate(.p256)
        let intermediate = try CertificateForm.authority(
            "Tollgate Local Application Integration CA", pathLength: 0, marker: CertificateForm.intermediateMarker
        ).certificate(for: intermediateKey, issuer: root, issuerKey: rootKey)
        let leafKey = try PrivateKey.generate(.p256)
        let leaf = try CertificateForm.signer("ecc-smp-broker-sign_UC4-LOCAL")
            .certificate(for: leafKey, issuer: intermediate, issuerKey: intermediateKey)
        return LocalAuthority(
            root: root, rootKey: rootKey, intermediate: intermediate, intermediateKey: intermediateKey, leaf: leaf,
            leafKey: leafKey)
    }

    /// A Payment Processing Certificate for a merchant's key on P-256, with the merchant identifier where Apple writes
    /// it: as the holder's user id, and hashed in extension 1.2.840.113635.100.6.32.
    public func paymentProcessingCertificate(
        for key: PublicKey, merchantIdentifier: String
    ) throws(OpenSSLError) -> Certificate {
        try CertificateForm.merchant(merchantIdentifier)
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
    }
}

/// The templates of the certificates that a local authority makes.
private struct CertificateForm {
    let template: CertificateTemplate
    let isAuthority: Bool

    static let leafMarker = "1.2.840.113635.100.6.29"
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"

    private init(
        subject: [CertificateTemplate.NameAttribute], keyUsage: UInt8, basicConstraints: [UInt8],
        extensions: [CertificateTemplate.Extension], isAuthority: Bool
    ) {
        // 2014-01-01T00:00:00Z and 2049-12-31T23:59:59Z; from 2050 on certificates write their times in another form.
        template = CertificateTemplate(
            subject: subject, serialNumber: [0x40] + RandomBytes.generate(7),
            notBeforeSecondsSinceEpoch: 1_388_534_400, notAfterSecondsSinceEpoch: 2_524_607_999,
            extensions: [
                .init("2.5.29.19", isCritical: true, value: basicConstraints),
                .init("2.5.29.15", isCritical: true, value: DER.element(0x03, keyUsageBits(keyUsage))),
            ] + extensions)
        self.isAuthority = isAuthority
    }

    static func authority(_ commonName: String, pathLength: UInt8, marker: String?) -> CertificateForm {
        CertificateForm(
            subject: name(commonName), keyUsage: 0b0000_0110,
            basicConstraints: DER.sequence([0x01, 1, 0xFF], DER.smallInteger(pathLength)),
            extensions: marker.map { [.init($0, value: DER.null)] } ?? [], isAuthority: true)
    }

    static func signer(_ commonName: String) -> CertificateForm {
        CertificateForm(
            subject: name(commonName), keyUsage: 0b1000_0000, basicConstraints: DER.sequence(),
            extensions: [.init(leafMarker, value: DER.null)], isAuthority: false)
    }

    static func merchant(_ identifier: String) -> CertificateForm {
        let hash = Hexadecimal.encoded(SHA256.hash(Array(identifier.utf8))).uppercased()
        return CertificateForm(
            subject: [("UID", identifier)] + name("Payment Processing: \(identifier)"), keyUsage: 0b0000_1000,
            basicConstraints: DER.sequence(),
            extensions: [
                .init(PaymentProcessingKey.merchantIdentifierExtension, value: DER.utf8String(hash))
            ], isAuthority: false)
    }

    private static func name(_ commonName: String) -> [CertificateTemplate.NameAttribute] {
        [("CN", commonName), ("OU", "Local sandbox"), ("O", "Tollgate")]
    }

    /// Signs the certificate, with the key identifiers by which a chain is built (RFC 5280 §4.2.1.1 and §4.2.1.2).
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

/// A BIT STRING's content for `keyUsage`: how many bits of the last byte are unused, and the byte.
private func keyUsageBits(_ bits: UInt8) -> [UInt8] { [UInt8(bits.trailingZeroBitCount), bits] }

/// 20 bytes that tell a key from others (RFC 7093 §2, method 1).
private func keyIdentifier(of key: PublicKey) throws(OpenSSLError) -> [UInt8] {
    Array(SHA256.hash(try key.encodedPoint()).prefix(20))
}
