internal import ApplePay
internal import OpenSSL
internal import Values

/// The signer of a token, and the certificates in the signature.
struct TokenSigner {
    /// The authority that issued the signer's certificate.
    let authority: LocalAuthority
    /// The token version that it signs.
    let version: TokenVersion
    /// The signing time.
    let signingTime: Instant
    /// The certificate that the signature names.
    var certificate: Certificate
    /// The signing key.
    var key: PrivateKey
    /// The certificates in the signature, in order.
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
    /// The common name of a signer's certificate. Apple's names end in PROD or SANDBOX.
    static func commonName(of version: TokenVersion, environment: String = "LOCAL") -> String {
        (version == .rsa ? "rsa" : "ecc") + "-smp-broker-sign_UC4-" + environment
    }

    /// The common name for this signer's version.
    func commonName(environment: String = "LOCAL") -> String {
        Self.commonName(of: version, environment: environment)
    }

    /// The content of the signature's `AlgorithmIdentifier`: without parameters for ECDSA (RFC 5758 §3.2), with NULL
    /// for RSA (RFC 4055 §5).
    var signatureAlgorithm: [UInt8] {
        key.isRSA ? SignatureIdentifier.sha256WithRSAEncryption + DER.null : SignatureIdentifier.ecdsaWithSHA256
    }

    /// Generates a key of the kind that the version's signer uses.
    private func makeKey() throws(OpenSSLError) -> PrivateKey {
        version == .rsa ? try .generateRSA(bits: 2048) : try .generate(.p256)
    }

    /// Switches to the signer of the other version.
    mutating func becomeSignerOfOtherVersion() {
        let other = authority.signer(of: version == .rsa ? .ellipticCurve : .rsa)
        certificate = other.certificate
        key = other.key
        certificates = [other.certificate, authority.intermediate]
    }

    /// Makes the intermediate issue another certificate for the signer's key.
    mutating func takeCertificate(_ form: CertificateForm) throws(OpenSSLError) {
        certificate = try form.certificate(
            for: key, issuer: authority.intermediate, issuerKey: authority.intermediateKey)
        certificates = [certificate, authority.intermediate]
    }

    /// Makes the root issue another certificate for the intermediate, with the same key and name.
    mutating func replaceIntermediate(_ form: CertificateForm) throws(OpenSSLError) {
        let intermediate = try form.certificate(
            for: authority.intermediateKey, issuer: authority.root, issuerKey: authority.rootKey)
        certificates = [certificate, intermediate]
    }

    /// Switches to a new key whose certificates lead to no trusted root. They include a self-signed intermediate with
    /// the right name and marker.
    mutating func becomeSelfVouching() throws(OpenSSLError) {
        let intermediateKey = try PrivateKey.generate(.p256)
        let intermediate = try CertificateForm.intermediate()
            .certificate(for: intermediateKey, issuer: nil, issuerKey: intermediateKey)
        key = try makeKey()
        certificate = try CertificateForm.signer(commonName())
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
        certificates = [certificate, intermediate]
    }

    /// Adds a third certificate to the genuine two, and signs with its key. It names the intermediate as its issuer but
    /// was not issued by it.
    mutating func forgeThirdCertificate() throws(OpenSSLError) {
        key = try makeKey()
        certificate = try CertificateForm.signer(commonName())
            .certificate(for: key, issuer: authority.intermediate, issuerKey: key)
        certificates.append(certificate)
    }

    /// Adds an unrelated certificate to the genuine two.
    mutating func carryStray() throws(OpenSSLError) {
        let strayKey = try PrivateKey.generate(.p256)
        certificates.append(
            try CertificateForm.signer("stray").certificate(for: strayKey, issuer: nil, issuerKey: strayKey))
    }
}
