import Glibc
import OpenSSL
internal import Values

/// A self-signed TLS server certificate for 127.0.0.1, and its key.
struct BenchIdentity {
    let certificatePath: String
    let keyPath: String
    private let certificate: Certificate

    /// Creates both and writes them into a folder.
    init(folder: String) throws {
        let key = try PrivateKey.generate(.p256)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        certificate = try CertificateTemplate(
            subject: [("CN", "127.0.0.1")], serialNumber: [0x40] + RandomBytes.generate(7),
            notBeforeSecondsSinceEpoch: Int64(now.tv_sec) - 3600,
            notAfterSecondsSinceEpoch: Int64(now.tv_sec) + 365 * 86_400,
            extensions: [
                // subjectAltName (RFC 5280 §4.2.1.6): iPAddress 127.0.0.1.
                .init("2.5.29.17", value: [0x30, 6, 0x87, 4, 127, 0, 0, 1])
            ]
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
        certificatePath = "\(folder)/tls.pem"
        keyPath = "\(folder)/tls.key.pem"
        try certificate.pem().withUnsafeBytes { try BenchFile.write(certificatePath, $0) }
        try key.pem().withUnsafeBytes { try BenchFile.write(keyPath, $0) }
    }

    /// A client's context that only trusts the certificate.
    func context(applicationProtocol: String) throws -> TLSContext {
        try TLSContext(
            clientTrusting: try TrustStore(roots: [certificate]), applicationProtocols: [applicationProtocol])
    }
}
