internal import OpenSSL
internal import Values

/// The two certificates of a token's signature that matter: the signer's own and the one that issued it.
///
/// The signer is the certificate that the signature names by issuer and serial number, and no other: with a third one
/// beside Apple's genuine two, a forged signature must not be verified by one certificate and judged by another.
struct SignerCertificates {
    let leaf: Certificate
    let intermediate: Certificate
    /// What else lies in the signature: nothing, or the root.
    let others: [Certificate]
    let signerKey: PublicKey

    /// The marker in the signer's certificate.
    static let leafMarker = "1.2.840.113635.100.6.29"
    /// The marker in the intermediate's certificate.
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"

    /// Finds the two among the signature's certificates, and the signer's key, which must be of the kind that the token's
    /// version asks for: what an RSA key costs to use is up to who made it.
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
            // The certificate itself is signed by the same ECDSA intermediate as the other version's.
            guard signerKey.isRSA, (2048...4096).contains(signerKey.bitCount),
                signedData.signatureAlgorithm == .sha256WithRSA
            else { throw .signerKeyKind }
        }
    }

    /// Holds the certificates against Apple's rules that don't need the chain.
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

    /// The signer's name as it may be shown.
    var shownName: String { leaf.shownName.description }

    /// Whether Apple's sandbox signed: `ecc-smp-broker-sign_UC4-SANDBOX`.
    var isAppleSandbox: Bool { leaf.commonName?.contains("SANDBOX") == true }

    /// What is remembered of these certificates once their chain to `anchor` was verified.
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

    /// Where the signer stands.
    func environment(under anchor: TrustPolicy.Anchor) -> TokenReport.Environment {
        switch anchor.authority {
        case .apple: isAppleSandbox ? .sandbox : .production
        case .local: .local
        }
    }
}

extension Certificate {
    /// The holder's common name as it may be shown, empty if there is none: anyone may have chosen it.
    fileprivate var shownName: Printable { Printable(commonName ?? "") }
}

extension SignedData {
    /// Verifies the digest over the token's content, then the signature over the signed attributes that hold it.
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
