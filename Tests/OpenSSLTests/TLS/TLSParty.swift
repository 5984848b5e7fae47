import Glibc

@testable import OpenSSL

/// Certificates for TLS that the machine's clock takes for valid, whatever it shows, with what a test wants otherwise.
struct TLSParty {
    let key: PrivateKey
    let certificate: Certificate

    enum Key: CaseIterable { case p256, p384, rsa2048 }
    enum Usage: String {
        case server = "300a06082b06010505070301"
        case client = "300a06082b06010505070302"
        case any = ""
    }

    static let day: Int64 = 86_400
    static let now = Int64(time(nil))

    /// An authority that signs itself.
    static func authority(_ name: String = "authority") throws -> TLSParty {
        let key = try PrivateKey.generate(.p256)
        let certificate = try TestAuthority.certificate(
            name, .authority, of: key, issuer: nil, issuerKey: key, notBefore: now - 10 * day, notAfter: now + 10 * day)
        return TLSParty(key: key, certificate: certificate)
    }

    /// A holder of a certificate from this authority.
    func issue(
        _ name: String, for usage: Usage, key kind: Key = .p256, from: Int64 = now - day, to: Int64 = now + day,
        by signer: PrivateKey? = nil
    ) throws -> TLSParty {
        let key = try Self.makeKey(kind)
        let certificate = try TestAuthority.certificate(
            name, .leaf, of: key, issuer: self.certificate, issuerKey: signer ?? self.key, notBefore: from,
            notAfter: to, adding: Self.usage(usage) + [Self.names])
        return TLSParty(key: key, certificate: certificate)
    }

    /// A holder of a certificate of its own making.
    static func selfSigned(_ name: String, for usage: Usage) throws -> TLSParty {
        let key = try PrivateKey.generate(.p256)
        let certificate = try TestAuthority.certificate(
            name, .leaf, of: key, issuer: nil, issuerKey: key, notBefore: now - day, notAfter: now + day,
            adding: self.usage(usage) + [names])
        return TLSParty(key: key, certificate: certificate)
    }

    /// An authority below this one.
    func intermediate(_ name: String) throws -> TLSParty {
        let key = try PrivateKey.generate(.p256)
        let certificate = try TestAuthority.certificate(
            name, .authority, of: key, issuer: self.certificate, issuerKey: self.key, notBefore: Self.now - Self.day,
            notAfter: Self.now + Self.day)
        return TLSParty(key: key, certificate: certificate)
    }

    func identity(with intermediates: [Certificate] = []) throws -> TLSIdentity {
        try TLSIdentity(chain: [certificate] + intermediates, key: key)
    }

    func trust() throws -> TrustStore { try TrustStore(roots: [certificate]) }

    private static func makeKey(_ kind: Key) throws -> PrivateKey {
        switch kind {
        case .p256: try PrivateKey.generate(.p256)
        case .p384: try PrivateKey.generate(.p384)
        case .rsa2048: try PrivateKey.generateRSA(bits: 2048)
        }
    }

    private static func usage(_ usage: Usage) -> [CertificateTemplate.Extension] {
        usage == .any ? [] : [.init("2.5.29.37", value: hex(usage.rawValue))]
    }

    /// `localhost` and 127.0.0.1 (RFC 5280 §4.2.1.6).
    private static let names = CertificateTemplate.Extension(
        "2.5.29.17", value: hex("3011") + hex("8209") + Array("localhost".utf8) + hex("87047f000001"))
}
