import ApplePay
import Foundation
import OpenSSL
import TestSupport
import Values

/// A merchant's key, and certificates such as Apple makes for it.
struct MerchantKeyFixture {
    static let merchantIdentifier = "merchant.com.example.shop"
    /// 2024-01-01T00:00:00Z, at which the certificates begin.
    static let notBefore = Instant(secondsSinceEpoch: 1_704_067_200)
    /// 2026-01-31T00:00:00Z, at which they end.
    static let notAfter = Instant(secondsSinceEpoch: 1_769_817_600)

    let key: PrivateKey

    init(rsa: Bool = false) throws { key = try rsa ? .generateRSA(bits: 2048) : .generate(.p256) }

    /// PKCS#8 in PEM.
    var pem: [UInt8] { get throws { try key.pem().withUnsafeBytes { Array($0) } } }

    /// By which tokens name the key, in base 64.
    var publicKeyHash: String {
        get throws { Base64.encoded(SHA256.hash(try key.publicKey.subjectPublicKeyInfo())) }
    }

    /// What a certificate is for.
    enum Kind {
        case paymentProcessing
        /// With `id-kp-clientAuth`, as the real ones have it; extension 1.2.840.113635.100.6.32 is in both.
        case merchantIdentity
        case other
    }

    /// A certificate with the extensions that Apple's have.
    func certificate(
        _ kind: Kind = .paymentProcessing, merchantIdentifier: String = merchantIdentifier
    ) throws -> Certificate {
        let digits = Hexadecimal.encoded(SHA256.hash(Array(merchantIdentifier.utf8))).uppercased()
        let identifier = CertificateTemplate.Extension(
            PaymentProcessingKey.merchantIdentifierExtension, value: [0x0C, 64] + Array(digits.utf8))
        let clientAuthentication = CertificateTemplate.Extension(
            "2.5.29.37", value: [0x30, 0x0A, 0x06, 0x08, 0x2B, 6, 1, 5, 5, 7, 3, 2])
        let extensions: [CertificateTemplate.Extension] =
            switch kind {
            case .paymentProcessing: [identifier]
            case .merchantIdentity: [clientAuthentication, identifier]
            case .other: []
            }
        return try CertificateTemplate(
            subject: [("UID", merchantIdentifier), ("CN", "Test: \(merchantIdentifier)")], serialNumber: [1],
            notBeforeSecondsSinceEpoch: Self.notBefore.secondsSinceEpoch,
            notAfterSecondsSinceEpoch: Self.notAfter.secondsSinceEpoch, extensions: extensions
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
    }
}

extension TestFolder {
    /// Runs the command `openssl`, whose words are separated by spaces, in this folder.
    func openssl(_ arguments: String) throws {
        let command = try FinishedCommand(
            Self.opensslPath, arguments.split(separator: " ").map(String.init), in: path)
        guard command.status == 0 else { throw OpenSSLFailed(arguments: arguments, errors: command.errorText) }
    }

    private static let opensslPath = "/usr/bin/openssl"
    /// Whether the command is there.
    static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: opensslPath)

    /// The command ended with another status than 0.
    struct OpenSSLFailed: Error {
        let arguments: String
        let errors: String
    }

    /// A PKCS#12 file of a key and its certificate.
    ///
    /// - Parameter options: further ones of `openssl pkcs12 -export`; with `-nocerts` or `-nokeys` it holds one of the two.
    @discardableResult
    func writePKCS12(
        _ name: String, _ fixture: MerchantKeyFixture, _ certificate: Certificate, password: String,
        _ options: String = ""
    ) throws -> String {
        try writeSecret("export.key", try fixture.pem)
        try write("export.pem", try certificate.pem())
        try writeSecret("export.password", Array(password.utf8))
        let key = options.contains("-nokeys") ? "" : "-inkey export.key"
        let source = options.contains("-nocerts") ? "" : "-in export.pem"
        try openssl("pkcs12 -export \(key) \(source) -passout file:export.password -out \(name) \(options)")
        return "\(path)/\(name)"
    }
}
