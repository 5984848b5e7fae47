import OpenSSL

/// A root, an intermediate and a leaf, valid from 2020-01-01 to 2030-01-01, with whatever a test wants otherwise.
struct TestAuthority {
    let rootKey: PrivateKey
    let root: Certificate
    let intermediateKey: PrivateKey
    let intermediate: Certificate
    let leafKey: PrivateKey
    let leaf: Certificate

    /// 2020-01-01T00:00:00Z.
    static let notBefore: Int64 = 1_577_836_800
    /// 2030-01-01T00:00:00Z.
    static let notAfter: Int64 = 1_893_456_000
    /// 2025-01-01T00:00:00Z.
    static let instant: Int64 = 1_735_689_600

    enum Role { case authority, leaf }

    init() throws {
        rootKey = try PrivateKey.generate(.p256)
        root = try Self.certificate("root", .authority, of: rootKey, issuer: nil, issuerKey: rootKey)
        intermediateKey = try PrivateKey.generate(.p256)
        intermediate = try Self.certificate(
            "intermediate", .authority, of: intermediateKey, issuer: root, issuerKey: rootKey)
        leafKey = try PrivateKey.generate(.p256)
        leaf = try Self.certificate(
            "leaf", .leaf, of: leafKey, issuer: intermediate, issuerKey: intermediateKey)
    }

    /// A certificate with the extensions that RFC 5280 demands, but for those that `without` names.
    static func certificate(
        _ name: String, _ role: Role, of key: PrivateKey, issuer: Certificate?, issuerKey: PrivateKey,
        notBefore: Int64 = TestAuthority.notBefore, notAfter: Int64 = TestAuthority.notAfter,
        without missing: Set<String> = [], adding more: [CertificateTemplate.Extension] = []
    ) throws -> Certificate {
        let isAuthority = role == .authority
        let extensions: [(String, CertificateTemplate.Extension)] = [
            (
                "basicConstraints",
                .init("2.5.29.19", isCritical: true, value: hex(isAuthority ? "30030101ff" : "3000"))
            ),
            ("keyUsage", .init("2.5.29.15", isCritical: true, value: hex(isAuthority ? "03020106" : "03020780"))),
            ("subjectKeyIdentifier", .init("2.5.29.14", value: hex("0414") + (try identifier(of: key)))),
            ("authorityKeyIdentifier", .init("2.5.29.35", value: hex("30168014") + (try identifier(of: issuerKey)))),
        ]
        return try CertificateTemplate(
            subject: [("CN", name), ("O", "Tollgate")], serialNumber: [0x01, 0x02, 0x03],
            notBeforeSecondsSinceEpoch: notBefore, notAfterSecondsSinceEpoch: notAfter,
            extensions: extensions.filter { !missing.contains($0.0) }.map(\.1) + more
        ).certificate(for: key.publicKey, issuer: issuer, issuerKey: issuerKey)
    }

    private static func identifier(of key: PrivateKey) throws -> [UInt8] {
        Array(SHA256.hash(try key.publicKey.subjectPublicKeyInfo()).prefix(20))
    }
}
