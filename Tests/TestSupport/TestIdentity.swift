internal import Glibc
public import OpenSSL

/// Certificates for both sides of TLS that sign themselves and that the machine's clock takes for valid, whatever it shows.
public struct TestIdentity: Sendable {
    /// Certificate and key.
    public let identity: TLSIdentity
    /// Trusts the certificate alone.
    public let trust: TrustStore

    /// - Parameter isServer: for `localhost`; otherwise for a client.
    public init(isServer: Bool) throws {
        let key = try PrivateKey.generate(.p256)
        let now = Int64(time(nil))
        let keyIdentifier = SHA256.hash(try key.publicKey.subjectPublicKeyInfo()).prefix(20)
        let usage: [UInt8] = [0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, isServer ? 1 : 2]
        let certificate = try CertificateTemplate(
            subject: [("CN", isServer ? "localhost" : "client")], serialNumber: [1],
            notBeforeSecondsSinceEpoch: now - 86_400, notAfterSecondsSinceEpoch: now + 86_400,
            extensions: [
                .init("2.5.29.19", isCritical: true, value: [0x30, 0x00]),
                .init("2.5.29.15", isCritical: true, value: [0x03, 0x02, 0x07, 0x80]),
                .init("2.5.29.37", value: usage),
                .init("2.5.29.14", value: [0x04, 0x14] + keyIdentifier),
                .init("2.5.29.17", value: [0x30, 0x0B, 0x82, 0x09] + Array("localhost".utf8)),
            ]
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
        identity = try TLSIdentity(chain: [certificate], key: key)
        trust = try TrustStore(roots: [certificate])
    }

    /// The SHA-256 of the certificate.
    public var fingerprint: [UInt8] { SHA256.hash(identity.certificate.der) }

    /// The server that tests share.
    public static let server = Result { try TestIdentity(isServer: true) }
    /// The client that tests share.
    public static let client = Result { try TestIdentity(isServer: false) }

    /// A server's context that speaks both protocols.
    public static func serverContext(_ policy: TLSContext.ClientCertificates = .none) throws -> TLSContext {
        try TLSContext(
            server: server.get().identity, clientCertificates: policy, applicationProtocols: ["h2", "http/1.1"])
    }

    /// The context of a client that offers so much.
    public static func clientContext(_ applicationProtocols: [String], presenting identity: TLSIdentity? = nil) throws
        -> TLSContext
    {
        try TLSContext(
            clientTrusting: server.get().trust, identity: identity, applicationProtocols: applicationProtocols)
    }
}
