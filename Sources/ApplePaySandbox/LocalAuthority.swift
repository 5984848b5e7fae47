public import OpenSSL

/// An "Apple" of this machine: a root, an intermediate and a signer's certificate with the marker extensions, all valid
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
        let root = try CertificateForm.root().certificate(for: rootKey, issuer: nil, issuerKey: rootKey)
        let intermediateKey = try PrivateKey.generate(.p256)
        let intermediate = try CertificateForm.intermediate()
            .certificate(for: intermediateKey, issuer: root, issuerKey: rootKey)
        let leafKey = try PrivateKey.generate(.p256)
        let leaf = try CertificateForm.signer(TokenSigner.commonName)
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
