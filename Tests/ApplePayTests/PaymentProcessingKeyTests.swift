import ApplePay
import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePaySandbox

struct PaymentProcessingKeyTests {
    private static let identifier = "merchant.example.tollgate"
    private let authority: LocalAuthority
    private let privateKey: PrivateKey
    private let certificate: Certificate

    init() throws {
        authority = try LocalAuthority.make()
        privateKey = try PrivateKey.generate(.p256)
        certificate = try authority.paymentProcessingCertificate(
            for: privateKey.publicKey, merchantIdentifier: Self.identifier)
    }

    /// A certificate of the key whose extension 1.2.840.113635.100.6.32 holds these bytes.
    private func certificate(extensionValue: [UInt8]?) throws -> Certificate {
        try CertificateTemplate(
            subject: [("UID", Self.identifier)], serialNumber: [1], notBeforeSecondsSinceEpoch: 0,
            notAfterSecondsSinceEpoch: 0,
            extensions: extensionValue.map { [.init(PaymentProcessingKey.merchantIdentifierExtension, value: $0)] }
                ?? []
        ).certificate(for: privateKey.publicKey, issuer: nil, issuerKey: privateKey)
    }

    @Test func `certificate and identifier say the same, apart or together`() throws {
        let hash = SHA256.hash(Array(Self.identifier.utf8))
        let keys = [
            try PaymentProcessingKey(privateKey: privateKey, certificate: certificate),
            try PaymentProcessingKey(privateKey: privateKey, merchantIdentifier: Self.identifier),
            try PaymentProcessingKey(
                privateKey: privateKey, certificate: certificate, merchantIdentifier: Self.identifier),
        ]
        for key in keys {
            #expect(key.merchantIdentifierHash == hash)
            #expect(try key.publicKeyHash == SHA256.hash(privateKey.publicKey.subjectPublicKeyInfo()))
        }
        #expect(try PaymentProcessingKey(privateKey: privateKey).merchantIdentifierHash == nil)
    }

    @Test func `a key that is neither on P-256 nor RSA is refused`() throws {
        #expect(throws: PaymentProcessingKey.Fault.keyKind) {
            try PaymentProcessingKey(privateKey: .generate(.p384), merchantIdentifier: Self.identifier)
        }
        _ = try PaymentProcessingKey(privateKey: .generateRSA(bits: 2048), merchantIdentifier: nil)
    }

    /// Both certificates of a merchant hold the identifier; a Merchant Identity Certificate has `id-kp-clientAuth`, too.
    @Test func `a Merchant Identity Certificate is refused, even with its key`() throws {
        let digits = Array(Hexadecimal.encoded(SHA256.hash(Array(Self.identifier.utf8))).utf8)
        let certificate = try CertificateTemplate(
            subject: [("UID", Self.identifier)], serialNumber: [1], notBeforeSecondsSinceEpoch: 0,
            notAfterSecondsSinceEpoch: 0,
            extensions: [
                .init("2.5.29.37", value: [0x30, 0x0A, 0x06, 0x08, 0x2B, 6, 1, 5, 5, 7, 3, 2]),
                .init(PaymentProcessingKey.merchantIdentifierExtension, value: [0x0C, 64] + digits),
            ]
        ).certificate(for: privateKey.publicKey, issuer: nil, issuerKey: privateKey)
        #expect(CertificateKind(certificate) == .merchantIdentity)
        for key in [privateKey, try PrivateKey.generate(.p256)] {
            #expect(throws: PaymentProcessingKey.Fault.merchantIdentityCertificate) {
                try PaymentProcessingKey(privateKey: key, certificate: certificate)
            }
        }
    }

    @Test func `a certificate's kind depends on its extensions, not on its name`() throws {
        #expect(CertificateKind(certificate) == .paymentProcessing)
        #expect(CertificateKind(authority.signer.certificate) == .tokenSigner)
        #expect(CertificateKind(authority.intermediate) == .tokenIntermediate)
        #expect(CertificateKind(authority.root) == .unknown)
        #expect(CertificateKind(try Certificate(pem: TestTrust.applePEM())) == .appleRoot)
        let named = try CertificateTemplate(
            subject: [("CN", "Apple Root CA - G3"), ("UID", Self.identifier)], serialNumber: [1],
            notBeforeSecondsSinceEpoch: 0, notAfterSecondsSinceEpoch: 0, extensions: []
        ).certificate(for: privateKey.publicKey, issuer: nil, issuerKey: privateKey)
        #expect(CertificateKind(named) == .unknown)
        #expect(named.merchantIdentifierHash == nil)
    }

    @Test func `the end of the certificate's validity is kept`() throws {
        let key = try PaymentProcessingKey(privateKey: privateKey, certificate: certificate)
        #expect(key.certificateNotAfter == Instant(secondsSinceEpoch: certificate.notAfterSecondsSinceEpoch))
        #expect(try PaymentProcessingKey(privateKey: privateKey).certificateNotAfter == nil)
    }

    @Test func `a certificate of another key is refused`() throws {
        let other = try PrivateKey.generate(.p256)
        #expect(throws: PaymentProcessingKey.Fault.certificateOfAnotherKey) {
            try PaymentProcessingKey(privateKey: other, certificate: certificate)
        }
    }

    @Test func `a certificate whose key can't be read is refused`() throws {
        let p256 = DER.objectIdentifier([1, 2, 840, 10045, 3, 1, 7])
        let unknown = DER.objectIdentifier([1, 2, 840, 10045, 3, 1, 99])
        let der = certificate.der.replacing(p256, with: unknown)
        #expect(der != certificate.der)
        let fault = try #require(throws: PaymentProcessingKey.Fault.self) {
            try PaymentProcessingKey(privateKey: privateKey, certificate: try Certificate(der: der))
        }
        guard case .unreadable(.failed("X509_get_pubkey", _)) = fault else {
            Issue.record("\(fault)")
            return
        }
    }

    @Test(arguments: ["", "merchant.example.tollgate ", "Merchant.example.tollgate", "merchant.example.other"])
    func `an identifier that the certificate doesn't have is refused`(identifier: String) {
        #expect(throws: PaymentProcessingKey.Fault.merchantIdentifierDiffers) {
            try PaymentProcessingKey(privateKey: privateKey, certificate: certificate, merchantIdentifier: identifier)
        }
    }

    /// Contents of the extension that are no UTF8String of 64 hexadecimal digits.
    static let malformed: [[UInt8]?] = {
        let digits = [UInt8](repeating: UInt8(ascii: "0"), count: 64)
        return [
            nil, [], DER.null, digits, DER.element(0x0C, digits.dropLast()), DER.element(0x0C, digits + digits),
            DER.element(0x13, digits), DER.element(0x0C, digits.dropLast() + [UInt8(ascii: "g")]),
            DER.element(0x0C, digits) + [0], [0x0C, 0x81, 0x40] + digits,
        ]
    }()

    @Test(arguments: malformed)
    func `a certificate without the hash is no payment processing certificate`(value: [UInt8]?) throws {
        let certificate = try certificate(extensionValue: value)
        #expect(CertificateKind(certificate) == .unknown)
        #expect(throws: PaymentProcessingKey.Fault.certificateWithoutMerchantIdentifier) {
            try PaymentProcessingKey(
                privateKey: privateKey, certificate: certificate, merchantIdentifier: Self.identifier)
        }
    }

    @Test func `what is shown of a certificate and what is made of it are one judgement`() throws {
        let digits = Array(Hexadecimal.encoded(SHA256.hash(Array(Self.identifier.utf8))).utf8)
        let identifier = DER.element(0x0C, digits)
        for isForClients in [false, true] {
            for marker in [nil, CertificateForm.leafMarker, CertificateForm.intermediateMarker] {
                for value in [nil, identifier, DER.element(0x0C, digits.dropLast())] {
                    var extensions: [CertificateTemplate.Extension] = marker.map { [.init($0, value: DER.null)] } ?? []
                    if isForClients {
                        let usage: [UInt8] = [0x30, 0x0A, 0x06, 0x08, 0x2B, 6, 1, 5, 5, 7, 3, 2]
                        extensions.append(.init("2.5.29.37", value: usage))
                    }
                    if let value {
                        extensions.append(.init(PaymentProcessingKey.merchantIdentifierExtension, value: value))
                    }
                    let certificate = try CertificateTemplate(
                        subject: [("UID", Self.identifier)], serialNumber: [1], notBeforeSecondsSinceEpoch: 0,
                        notAfterSecondsSinceEpoch: 0, extensions: extensions
                    ).certificate(for: privateKey.publicKey, issuer: nil, issuerKey: privateKey)
                    let made = Result { try PaymentProcessingKey(privateKey: privateKey, certificate: certificate) }
                    let comment = Comment(rawValue: "\(isForClients) \(marker ?? "") \(value?.count ?? 0)")
                    switch CertificateKind(certificate) {
                    case .paymentProcessing: #expect((try? made.get()) != nil, comment)
                    case .merchantIdentity:
                        #expect(throws: PaymentProcessingKey.Fault.merchantIdentityCertificate, comment) {
                            try made.get()
                        }
                    case .appleRoot, .tokenIntermediate, .tokenSigner, .unknown:
                        #expect(throws: PaymentProcessingKey.Fault.certificateWithoutMerchantIdentifier, comment) {
                            try made.get()
                        }
                    }
                }
            }
        }
    }

    @Test func `the hash is read in either letter case`() throws {
        let hash = SHA256.hash(Array(Self.identifier.utf8))
        for digits in [Hexadecimal.encoded(hash), Hexadecimal.encoded(hash).uppercased()] {
            let certificate = try certificate(extensionValue: DER.utf8String(digits))
            #expect(
                try PaymentProcessingKey(privateKey: privateKey, certificate: certificate).merchantIdentifierHash
                    == hash)
        }
    }

    @Test(
        .enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"),
        arguments: [AppleVector("gala-2021"), AppleVector("sepuka-sandbox-2019")])
    func `Apple's own certificates hold the hash of the identifier that they name`(vector: AppleVector) throws {
        let identifier = try #require(try vector.merchantIdentifier)
        #expect(try vector.key.merchantIdentifierHash == SHA256.hash(Array(identifier.utf8)))
    }
}
