import OpenSSL
import Testing

struct CertificateTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test func `a certificate says what was put into it`() throws {
        let leaf = authority.leaf
        #expect(leaf.commonName == "leaf")
        #expect(leaf.issuerCommonName == "intermediate")
        #expect(leaf.userIdentifier == nil)
        #expect(leaf.serialNumber == hex("0203010203"))
        #expect(leaf.notBeforeSecondsSinceEpoch == TestAuthority.notBefore)
        #expect(leaf.notAfterSecondsSinceEpoch == TestAuthority.notAfter)
        #expect(leaf.issuer == authority.intermediate.subject)
        #expect(leaf.issuer != leaf.subject)
        #expect(authority.root.issuer == authority.root.subject)
        #expect(leaf.fingerprint == SHA256.hash(leaf.der))
        #expect(
            try leaf.publicKey().subjectPublicKeyInfo() == authority.leafKey.publicKey.subjectPublicKeyInfo())
    }

    @Test func `names and serial numbers are given in DER`() throws {
        // SEQUENCE { SET { SEQUENCE { 2.5.4.3, UTF8String "leaf" } }, SET { SEQUENCE { 2.5.4.10, … "Tollgate" } } }
        #expect(
            authority.leaf.subject
                == hex("3022310d300b06035504030c046c656166" + "3111300f060355040a0c08546f6c6c67617465"))
        let key = authority.leafKey
        let certificate = try CertificateTemplate(
            subject: [("CN", "x")], serialNumber: [0x80], notBeforeSecondsSinceEpoch: 0, notAfterSecondsSinceEpoch: 0,
            extensions: []
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
        #expect(certificate.serialNumber == hex("02020080"))
    }

    @Test(arguments: [Int64(-1), 0, 1_735_689_600, 2_524_607_999, 2_524_608_000, 253_402_300_799])
    func `validity is counted in seconds, in either form of time`(seconds: Int64) throws {
        let certificate = try TestAuthority.certificate(
            "x", .leaf, of: authority.leafKey, issuer: nil, issuerKey: authority.leafKey, notBefore: seconds,
            notAfter: seconds)
        #expect(certificate.notBeforeSecondsSinceEpoch == seconds)
        #expect(certificate.notAfterSecondsSinceEpoch == seconds)
    }

    @Test func `an extension is found by its identifier, without its OCTET STRING`() throws {
        let certificate = try TestAuthority.certificate(
            "x", .leaf, of: authority.leafKey, issuer: nil, issuerKey: authority.leafKey,
            adding: [.init("1.2.840.113635.100.6.29", value: hex("0500")), .init("1.2.3", value: [])])
        #expect(certificate.extensionValue("1.2.840.113635.100.6.29") == hex("0500"))
        #expect(certificate.extensionValue("1.2.3") == [])
        #expect(certificate.extensionValue("2.5.29.19") == hex("3000"))
        #expect(certificate.extensionValue("1.2.840.113635.100.6.2.14") == nil)
        #expect(certificate.extensionValue("1.2") == nil)
    }

    @Test func `of two common names the first is given`() throws {
        let key = authority.leafKey
        let certificate = try CertificateTemplate(
            subject: [("CN", "first"), ("UID", "merchant.example"), ("CN", "second"), ("UID", "other")],
            serialNumber: [1], notBeforeSecondsSinceEpoch: 0, notAfterSecondsSinceEpoch: 0, extensions: []
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
        #expect(certificate.commonName == "first")
        #expect(certificate.userIdentifier == "merchant.example")
    }

    @Test func `key usage and constraints say what a certificate may do`() throws {
        #expect(authority.leaf.allowsDigitalSignature && !authority.leaf.isAuthority)
        #expect(!authority.root.allowsDigitalSignature && authority.root.isAuthority)
        let without = try TestAuthority.certificate(
            "x", .leaf, of: authority.leafKey, issuer: nil, issuerKey: authority.leafKey, without: ["keyUsage"])
        #expect(without.allowsDigitalSignature)
    }

    /// The content of `extKeyUsage`: `id-kp-clientAuth`, the same with `id-kp-serverAuth` before it, `id-kp-serverAuth`
    /// alone, `anyExtendedKeyUsage`.
    @Test(arguments: [
        ("300a06082b06010505070302", true), ("301406082b0601050507030106082b06010505070302", true),
        ("300a06082b06010505070301", false), ("30060604551d2500", false), ("", false),
    ])
    func `a certificate for TLS clients has their extended key usage`(usage: String, isForClients: Bool) throws {
        let certificate = try TestAuthority.certificate(
            "x", .leaf, of: authority.leafKey, issuer: nil, issuerKey: authority.leafKey,
            adding: usage.isEmpty ? [] : [.init("2.5.29.37", value: hex(usage))])
        #expect(certificate.isForClientAuthentication == isForClients)
    }

    @Test func `PEM is read with text around it, and DER to its last byte`() throws {
        let pem = try authority.leaf.pem()
        #expect(try Certificate(pem: pem) == authority.leaf)
        #expect(try Certificate(pem: "Bag Attributes\n    friendlyName: x\n".bytes + pem) == authority.leaf)
        #expect(try Certificate(pem: pem + (try authority.root.pem())) == authority.leaf)
        #expect(try Certificate(der: authority.leaf.der) == authority.leaf)
        #expect(authority.leaf != authority.root)
    }

    @Test func `a malformed time counts as 1970`() throws {
        let der = authority.leaf.der.replacing("200101000000Z".bytes, with: "20010100000xZ".bytes)
            .replacing("300101000000Z".bytes, with: "30013200000 Z".bytes)
        let certificate = try Certificate(der: der)
        #expect(certificate.notBeforeSecondsSinceEpoch == 0)
        #expect(certificate.notAfterSecondsSinceEpoch == 0)
    }

    @Test(arguments: ["", "x", "1", "1.2.", "3.1", "1.2.840.113635.100.6.29 ", "basicConstraintsOf"])
    func `no certificate has an extension by what is no OID`(text: String) {
        #expect(authority.leaf.extensionValue(text) == nil)
    }

    @Test func `bytes behind a certificate are refused`() {
        let der = authority.leaf.der
        #expect(throws: OpenSSLError.failed(function: "d2i_X509", reason: "bytes after the certificate")) {
            try Certificate(der: der + [0])
        }
        #expect(throws: OpenSSLError.self) { try Certificate(der: Array(der.dropLast())) }
        #expect(throws: OpenSSLError.self) { try Certificate(der: []) }
    }

    @Test func `a certificate in BER is refused`() throws {
        // SEQUENCE { tbsCertificate, signatureAlgorithm, signature }: the algorithm's length in long form.
        let der = authority.leaf.der
        let algorithm = hex("300a06082a8648ce3d040302")
        let position = try #require(der.indices.last { der[$0...].starts(with: algorithm) })
        var ber = der
        ber.replaceSubrange(position..<(position + 2), with: hex("30810a"))
        let length = Int(ber[2]) << 8 + Int(ber[3]) + 1
        (ber[2], ber[3]) = (UInt8(length >> 8), UInt8(length & 0xFF))
        #expect(throws: OpenSSLError.failed(function: "d2i_X509", reason: "not DER")) { try Certificate(der: ber) }
    }

    @Test func `text without a certificate is distinguished from a broken one`() throws {
        #expect(throws: OpenSSLError.noPEMBlock("CERTIFICATE")) { try Certificate(pem: []) }
        #expect(throws: OpenSSLError.noPEMBlock("CERTIFICATE")) { try Certificate(pem: "no certificate".bytes) }
        let broken = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".bytes
        let error = #expect(throws: OpenSSLError.self) { try Certificate(pem: broken) }
        #expect(error != .noPEMBlock("CERTIFICATE"))
    }
}
