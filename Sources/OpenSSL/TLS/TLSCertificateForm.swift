/// The contents of a self-signed certificate for a TLS server or client (RFC 5280 §4.2).
public struct TLSCertificateForm: Sendable {
    /// The purpose of the certificate (RFC 5280 §4.2.1.12).
    public enum Purpose: Sendable {
        /// `id-kp-serverAuth`.
        case server
        /// `id-kp-clientAuth`.
        case client
    }

    /// A name for which the certificate is valid (RFC 5280 §4.2.1.6).
    public enum Name: Hashable, Sendable {
        /// A host name in ASCII.
        case host(String)
        /// An IP address of 4 or 16 bytes, in network byte order.
        case address([UInt8])
    }

    private let commonName: String
    private let names: [Name]
    private let purpose: Purpose

    /// - Parameters:
    ///   - commonName: 1 to 64 characters.
    ///   - names: for a server, the names and addresses that clients use.
    public init(commonName: String, names: [Name], purpose: Purpose) {
        precondition((1...64).contains(commonName.unicodeScalars.count), "RFC 5280, appendix A.1")
        self.commonName = commonName
        self.names = names
        self.purpose = purpose
    }

    /// Creates a certificate for `key`, signed with it. It can't issue other certificates.
    public func certificate(
        for key: PrivateKey, notBeforeSecondsSinceEpoch: Int64, notAfterSecondsSinceEpoch: Int64
    ) throws(OpenSSLError) -> Certificate {
        // RFC 7093 §2, method 4.
        let identifier = Array(SHA256.hash(try key.publicKey.subjectPublicKeyInfo()).prefix(20))
        var extensions: [CertificateTemplate.Extension] = [
            .init("2.5.29.19", isCritical: true, value: Self.element(0x30, [])),
            // digitalSignature
            .init("2.5.29.15", isCritical: true, value: Self.element(0x03, [7, 0x80])),
            .init("2.5.29.37", value: Self.element(0x30, purposeIdentifier)),
            .init("2.5.29.14", value: Self.element(0x04, identifier)),
        ]
        if !names.isEmpty {
            extensions.append(.init("2.5.29.17", value: Self.element(0x30, names.flatMap(Self.generalName))))
        }
        return try CertificateTemplate(
            // The serial number must be positive and not 0 (RFC 5280 §4.1.2.2).
            subject: [("CN", commonName)], serialNumber: [0x40] + RandomBytes.generate(15),
            notBeforeSecondsSinceEpoch: notBeforeSecondsSinceEpoch,
            notAfterSecondsSinceEpoch: notAfterSecondsSinceEpoch, extensions: extensions
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
    }

    /// The purpose's object identifier in DER: 1.3.6.1.5.5.7.3.1 or .2.
    private var purposeIdentifier: [UInt8] {
        [0x06, 8, 0x2B, 6, 1, 5, 5, 7, 3, purpose == .server ? 1 : 2]
    }

    private static func generalName(_ name: Name) -> [UInt8] {
        switch name {
        case .host(let host): element(0x82, Array(host.utf8))
        case .address(let bytes): element(0x87, bytes)
        }
    }

    /// An element of DER (X.690 §8.1.3).
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        precondition(count < 0x10000, "as many names as a command line holds")
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + content
    }
}
