internal import ApplePay
internal import OpenSSL
internal import Values

/// Who signs a token, and which certificates the signature carries.
struct TokenSigner {
    /// Whose signer it is meant to be.
    let authority: LocalAuthority
    /// Whose version's tokens it signs.
    let version: TokenVersion
    /// When it signs.
    let signingTime: Instant
    /// The certificate that the signature names.
    var certificate: Certificate
    /// The key that signs.
    var key: PrivateKey
    /// What the signature carries, in order.
    var certificates: [Certificate]

    init(_ authority: LocalAuthority, of version: TokenVersion, at signingTime: Instant) {
        self.authority = authority
        self.version = version
        self.signingTime = signingTime
        let signer = authority.signer(of: version)
        certificate = signer.certificate
        key = signer.key
        certificates = [signer.certificate, authority.intermediate]
    }
}

extension TokenSigner {
    /// The name that the signer's certificate has; Apple's end in PROD or SANDBOX.
    static func commonName(of version: TokenVersion, environment: String = "LOCAL") -> String {
        (version == .rsa ? "rsa" : "ecc") + "-smp-broker-sign_UC4-" + environment
    }

    /// The same of this signer's version.
    func commonName(environment: String = "LOCAL") -> String {
        Self.commonName(of: version, environment: environment)
    }

    /// The content of the `AlgorithmIdentifier` for signatures by the key: without parameters for ECDSA (RFC 5758 §3.2),
    /// with NULL for RSA (RFC 4055 §5).
    var signatureAlgorithm: [UInt8] {
        key.isRSA ? SignatureIdentifier.sha256WithRSAEncryption + DER.null : SignatureIdentifier.ecdsaWithSHA256
    }

    /// A new key of the kind that the version's signer has.
    private func makeKey() throws(OpenSSLError) -> PrivateKey {
        version == .rsa ? try .generateRSA(bits: 2048) : try .generate(.p256)
    }

    /// Takes the place of the signer of the other version.
    mutating func becomeSignerOfOtherVersion() {
        let other = authority.signer(of: version == .rsa ? .ellipticCurve : .rsa)
        certificate = other.certificate
        key = other.key
        certificates = [other.certificate, authority.intermediate]
    }

    /// Has the intermediate issue another certificate for the signer's key.
    mutating func takeCertificate(_ form: CertificateForm) throws(OpenSSLError) {
        certificate = try form.certificate(
            for: key, issuer: authority.intermediate, issuerKey: authority.intermediateKey)
        certificates = [certificate, authority.intermediate]
    }

    /// Has the root issue the intermediate again, for the same key and name.
    mutating func replaceIntermediate(_ form: CertificateForm) throws(OpenSSLError) {
        let intermediate = try form.certificate(
            for: authority.intermediateKey, issuer: authority.root, issuerKey: authority.rootKey)
        certificates = [certificate, intermediate]
    }

    /// Takes a key and certificates that nobody vouches for, an intermediate of the right name and marker among them.
    mutating func becomeSelfVouching() throws(OpenSSLError) {
        let intermediateKey = try PrivateKey.generate(.p256)
        let intermediate = try CertificateForm.intermediate()
            .certificate(for: intermediateKey, issuer: nil, issuerKey: intermediateKey)
        key = try makeKey()
        certificate = try CertificateForm.signer(commonName())
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
        certificates = [certificate, intermediate]
    }

    /// Puts a certificate beside the genuine two that names the intermediate as its issuer without being issued by it, and
    /// signs with its key.
    mutating func forgeThirdCertificate() throws(OpenSSLError) {
        key = try makeKey()
        certificate = try CertificateForm.signer(commonName())
            .certificate(for: key, issuer: authority.intermediate, issuerKey: key)
        certificates.append(certificate)
    }

    /// Puts a certificate beside the genuine two that is of no chain.
    mutating func carryStray() throws(OpenSSLError) {
        let strayKey = try PrivateKey.generate(.p256)
        certificates.append(
            try CertificateForm.signer("stray").certificate(for: strayKey, issuer: nil, issuerKey: strayKey))
    }
}
