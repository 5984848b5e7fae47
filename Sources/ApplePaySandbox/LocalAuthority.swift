public import ApplePay
public import OpenSSL

/// A local substitute for Apple's authority: a root, an intermediate, and a signer for each token version. The
/// certificates have the marker extensions, and are valid from 2014 to 2050 so that a gateway's clock may be set to any
/// time between.
///
/// Merchants that trust its root accept its tokens like Apple's; everyone else refuses them.
public struct LocalAuthority: Sendable {
    /// The root certificate that a merchant trusts.
    public let root: Certificate
    /// The root's key, which signed the intermediate.
    public let rootKey: PrivateKey
    /// The intermediate, with marker 1.2.840.113635.100.6.2.14.
    public let intermediate: Certificate
    /// The intermediate's key, which signs the signers' and the merchants' certificates.
    public let intermediateKey: PrivateKey
    /// Signs `EC_v1` tokens.
    public let signer: Signer
    /// Signs `RSA_v1` tokens. As with Apple, the same intermediate issued both signers' certificates.
    public let rsaSigner: Signer

    /// A signer of tokens.
    public struct Signer: Sendable {
        /// The signer's certificate, with marker 1.2.840.113635.100.6.29.
        public let certificate: Certificate
        /// The signing key.
        public let key: PrivateKey

        /// Creates a signer from an existing certificate and key.
        public init(certificate: Certificate, key: PrivateKey) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Creates an authority from existing certificates and keys.
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

    /// Creates an authority with keys of the same kinds as Apple's: P-384 for the root, P-256 for the other
    /// elliptic-curve keys, and one RSA key.
    ///
    /// - Parameter rsaKey: an existing key for `RSA_v1`; nil to generate one, which takes about 0.1 s.
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

    /// Creates a signer for one token version, with a certificate from the intermediate.
    public static func makeSigner(
        of version: TokenVersion, key: PrivateKey, issuer: Certificate, issuerKey: PrivateKey
    ) throws(OpenSSLError) -> Signer {
        precondition(key.isRSA == (version == .rsa), "the version names the kind of the signer's key, too")
        return Signer(
            certificate: try CertificateForm.signer(TokenSigner.commonName(of: version))
                .certificate(for: key, issuer: issuer, issuerKey: issuerKey), key: key)
    }

    /// The signer for a token version.
    func signer(of version: TokenVersion) -> Signer { version == .rsa ? rsaSigner : signer }

    /// Issues a Payment Processing Certificate for a merchant's P-256 or RSA key. The merchant identifier is where
    /// Apple puts it: in the subject's user id, and hashed in extension 1.2.840.113635.100.6.32.
    public func paymentProcessingCertificate(
        for key: PublicKey, merchantIdentifier: String
    ) throws(OpenSSLError) -> Certificate {
        try CertificateForm.merchant(merchantIdentifier, isRSA: key.isRSA)
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
    }

    /// Issues a Merchant Identity Certificate, with which a merchant's server asks for merchant sessions over mutual TLS.
    public func merchantIdentityCertificate(
        for key: PublicKey, merchantIdentifier: String
    ) throws(OpenSSLError) -> Certificate {
        try CertificateForm.merchantIdentity(merchantIdentifier)
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
    }
}
