public import ApplePay
public import OpenSSL

/// An "Apple" of this machine: a root, an intermediate and a signer for each version of tokens, their certificates with the
/// marker extensions and valid from 2014 to 2050, so that a gateway may run at any instant between.
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
    /// Signs `EC_v1` tokens.
    public let signer: Signer
    /// Signs `RSA_v1` tokens; the intermediate that issued its certificate is the other's, as with Apple.
    public let rsaSigner: Signer

    /// Who signs tokens.
    public struct Signer: Sendable {
        /// The signer's certificate, with marker 1.2.840.113635.100.6.29.
        public let certificate: Certificate
        /// The key that signs.
        public let key: PrivateKey

        /// A signer from what was made before.
        public init(certificate: Certificate, key: PrivateKey) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// An authority from what was made before.
    public init(
        root: Certificate, rootKey: PrivateKey, intermediate: Certificate, intermediateKey: PrivateKey,
        signer: Signer, rsaSigner: Signer
    ) {
        self.root = root
        self.rootKey = rootKey
        self.intermediate = intermediate
        self.intermediateKey = intermediateKey
        self.signer = signer
        self.rsaSigner = rsaSigner
    }

    /// A new authority with keys of the kinds that Apple's has: P-384 at the root, P-256 below, and the one RSA key.
    ///
    /// - Parameter rsaKey: the key for `RSA_v1`, where one is at hand; making one takes a tenth of a second.
    public static func make(rsaKey: PrivateKey? = nil) throws(OpenSSLError) -> LocalAuthority {
        let rootKey = try PrivateKey.generate(.p384)
        let root = try CertificateForm.root().certificate(for: rootKey, issuer: nil, issuerKey: rootKey)
        let intermediateKey = try PrivateKey.generate(.p256)
        let intermediate = try CertificateForm.intermediate()
            .certificate(for: intermediateKey, issuer: root, issuerKey: rootKey)
        let rsaSignerKey = if let rsaKey { rsaKey } else { try PrivateKey.generateRSA(bits: 2048) }
        return LocalAuthority(
            root: root, rootKey: rootKey, intermediate: intermediate, intermediateKey: intermediateKey,
            signer: try makeSigner(
                of: .ellipticCurve, key: try .generate(.p256), issuer: intermediate, issuerKey: intermediateKey),
            rsaSigner: try makeSigner(
                of: .rsa, key: rsaSignerKey, issuer: intermediate, issuerKey: intermediateKey))
    }

    /// A signer of one version's tokens, whose certificate the intermediate issues.
    public static func makeSigner(
        of version: TokenVersion, key: PrivateKey, issuer: Certificate, issuerKey: PrivateKey
    ) throws(OpenSSLError) -> Signer {
        precondition(key.isRSA == (version == .rsa), "the version names the kind of the signer's key, too")
        return Signer(
            certificate: try CertificateForm.signer(TokenSigner.commonName(of: version))
                .certificate(for: key, issuer: issuer, issuerKey: issuerKey), key: key)
    }

    /// The signer of one version's tokens.
    func signer(of version: TokenVersion) -> Signer { version == .rsa ? rsaSigner : signer }

    /// A Payment Processing Certificate for a merchant's key on P-256 or RSA key, with the merchant identifier where Apple
    /// writes it: as the holder's user id, and hashed in extension 1.2.840.113635.100.6.32.
    public func paymentProcessingCertificate(
        for key: PublicKey, merchantIdentifier: String
    ) throws(OpenSSLError) -> Certificate {
        try CertificateForm.merchant(merchantIdentifier, isRSA: key.isRSA)
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
    }
}
