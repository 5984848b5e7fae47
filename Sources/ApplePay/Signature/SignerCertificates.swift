internal import OpenSSL
internal import Values

/// The relevant certificates of a token's signature: the signer's and its issuer's.
///
/// The signer's certificate is the one that the signature names by issuer and serial number. An attacker may add a
/// third certificate to Apple's genuine two, so the same certificate must be used for verifying the signature and for
/// all other checks.
struct SignerCertificates {
    let leaf: Certificate
    let intermediate: Certificate
    /// The remaining certificates: none, or the root.
    let others: [Certificate]
    let signerKey: PublicKey

    /// The marker extension of the signer's certificate.
    static let leafMarker = "1.2.840.113635.100.6.29"
    /// The marker extension of the intermediate's certificate.
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"

    /// Finds both certificates and the signer's key. The key must be of the kind that the token's version requires. Its
    /// size is limited, because an attacker could choose an RSA key that is expensive to use.
    init(_ signedData: SignedData, version: PaymentToken.Version) throws(TokenRefusal) {
        var certificates: [Certificate] = []
        for (position, der) in signedData.certificates.enumerated() {
            do { certificates.append(try Certificate(der: der)) } catch {
                throw .certificateMalformed(position: position)
            }
        }
        let leafIndex = certificates.firstIndex {
            $0.serialNumber == signedData.signerSerialNumber && $0.issuer == signedData.signerIssuer
        }
        guard let leafIndex else { throw .signerCertificateMissing }
        let leaf = certificates.remove(at: leafIndex)
        guard let issuerIndex = certificates.firstIndex(where: { $0 != leaf && $0.subject == leaf.issuer }) else {
            throw .intermediateMissing
        }
        self.leaf = leaf
        intermediate = certificates.remove(at: issuerIndex)
        others = certificates
        do { signerKey = try leaf.publicKey() } catch { throw .signerKeyKind }
        switch version {
        case .ellipticCurve:
            guard signerKey.isElliptic, signedData.signatureAlgorithm == .ecdsaWithSHA256 else {
                throw .signerKeyKind
            }
        case .rsa:
            // The RSA signer's certificate is signed by the same ECDSA intermediate as the EC signer's.
            guard signerKey.isRSA, (2048...4096).contains(signerKey.bitCount),
                signedData.signatureAlgorithm == .sha256WithRSA
            else { throw .signerKeyKind }
        }
    }

    /// Checks those of Apple's rules that don't need the chain.
    func check(_ policy: TrustPolicy) throws(TokenRefusal) {
        guard leaf.extensionValue(Self.leafMarker) != nil else {
            throw .leafMarkerMissing(commonName: leaf.shownName)
        }
        guard intermediate.extensionValue(Self.intermediateMarker) != nil else {
            throw .intermediateMarkerMissing(commonName: intermediate.shownName)
        }
        guard leaf.allowsDigitalSignature else { throw .signerMayNotSign }
        guard policy.acceptsAppleSandbox || !isAppleSandbox else {
            throw .sandboxNotAccepted(commonName: leaf.shownName)
        }
    }

    /// The signer's name, sanitized for display.
    var shownName: String { leaf.shownName.description }

    /// Whether the signer is Apple's sandbox: `ecc-smp-broker-sign_UC4-SANDBOX`.
    var isAppleSandbox: Bool { leaf.commonName?.contains("SANDBOX") == true }

    /// The cache entry for these certificates, once their chain to `anchor` is verified.
    func accepted(under anchor: TrustPolicy.Anchor) -> AcceptedSigner {
        let root = anchor.certificate
        let first = max(
            leaf.notBeforeSecondsSinceEpoch, intermediate.notBeforeSecondsSinceEpoch, root.notBeforeSecondsSinceEpoch)
        let last = min(
            leaf.notAfterSecondsSinceEpoch, intermediate.notAfterSecondsSinceEpoch, root.notAfterSecondsSinceEpoch)
        return AcceptedSigner(
            commonName: shownName, environment: environment(under: anchor), key: signerKey,
            validSeconds: first..<max(first, last))
    }

    /// The signer's environment.
    func environment(under anchor: TrustPolicy.Anchor) -> TokenReport.Environment {
        switch anchor.authority {
        case .apple: isAppleSandbox ? .sandbox : .production
        case .local: .local
        }
    }
}

extension Certificate {
    /// The subject's common name, sanitized for display; empty if there is none. Untrusted: the certificate's issuer
    /// chose it.
    fileprivate var shownName: Printable { Printable(commonName ?? "") }
}

extension SignedData {
    /// Verifies the digest of the token's content, then the signature over the signed attributes, which contain the
    /// digest.
    func verify(with key: PublicKey, over content: [UInt8]) throws(TokenRefusal) {
        guard SHA256.hash(content).elementsEqual(bytes[messageDigestRange]) else { throw .digestDiffers }
        do {
            try bytes[signatureRange].withUnsafeBufferPointer { (signature) throws(OpenSSLError) in
                try signedAttributes.withUnsafeBufferPointer { (attributes) throws(OpenSSLError) in
                    try key.verify(UnsafeRawBufferPointer(signature), of: UnsafeRawBufferPointer(attributes))
                }
            }
        } catch {
            throw .signatureInvalid
        }
    }
}
