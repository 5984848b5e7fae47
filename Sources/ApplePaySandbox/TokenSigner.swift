internal import ApplePay
internal import OpenSSL

/// Who signs a token, and which certificates the signature carries.
struct TokenSigner {
    /// Whose signer it is meant to be.
    let authority: LocalAuthority
    /// When it signs.
    let signingTime: Instant
    /// The certificate that the signature names.
    var certificate: Certificate
    /// The key that signs.
    var key: PrivateKey
    /// What the signature carries, in order.
    var certificates: [Certificate]

    init(_ authority: LocalAuthority, at signingTime: Instant) {
        self.authority = authority
        self.signingTime = signingTime
        certificate = authority.leaf
        key = authority.leafKey
        certificates = [authority.leaf, authority.intermediate]
    }
}

extension TokenSigner {
    /// The name that the signer's certificate has, but for the environment at its end.
    static let commonName = "ecc-smp-broker-sign_UC4-LOCAL"

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
        key = try PrivateKey.generate(.p256)
        certificate = try CertificateForm.signer(Self.commonName)
            .certificate(for: key, issuer: intermediate, issuerKey: intermediateKey)
        certificates = [certificate, intermediate]
    }

    /// Puts a certificate beside the genuine two that names the intermediate as its issuer without being issued by it, and
    /// signs with its key.
    mutating func forgeThirdCertificate() throws(OpenSSLError) {
        key = try PrivateKey.generate(.p256)
        certificate = try CertificateForm.signer(Self.commonName)
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
