public import OpenSSL
internal import Values

/// Whose signatures a merchant accepts: the roots that a signer's chain may end in, and whether Apple's sandbox counts.
public struct TrustPolicy: Sendable {
    /// Who stands behind a root.
    public enum Authority: String, Sendable {
        /// Apple Root CA - G3, from which both production and Apple's sandbox descend.
        case apple
        /// A root made on this machine, or another one that the user named.
        case local
    }

    /// A root and who stands behind it.
    public struct Anchor: Sendable {
        /// The root certificate.
        public let certificate: Certificate
        /// Who stands behind it.
        public let authority: Authority

        private init(certificate: Certificate, authority: Authority) {
            self.certificate = certificate
            self.authority = authority
        }

        /// SHA-256 of Apple Root CA - G3 in DER.
        public static let appleRootCAG3Fingerprint: [UInt8] = [
            0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
            0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
        ]

        /// Apple Root CA - G3, or nothing if the certificate is another one, whatever name it bears.
        public static func apple(_ certificate: Certificate) -> Anchor? {
            guard certificate.fingerprint == appleRootCAG3Fingerprint else { return nil }
            return Anchor(certificate: certificate, authority: .apple)
        }

        /// A root that the user named; it counts as local even if it is Apple's, unless given by ``apple(_:)``.
        public static func local(_ certificate: Certificate) -> Anchor {
            Anchor(certificate: certificate, authority: .local)
        }
    }

    /// The accepted roots.
    public let anchors: [Anchor]
    /// Whether tokens of Apple's sandbox are accepted: they chain to the same root as real ones, with the same markers, and
    /// only the name of the signer's certificate tells them apart.
    public let acceptsAppleSandbox: Bool
    private let store: TrustStore
    /// The signers that this policy accepted before.
    let acceptedSigners = AcceptedSigners()

    /// A policy of these roots.
    public init(anchors: [Anchor], acceptsAppleSandbox: Bool) throws(OpenSSLError) {
        self.anchors = anchors
        self.acceptsAppleSandbox = acceptsAppleSandbox
        store = try TrustStore(roots: anchors.map(\.certificate))
    }

    /// Verifies the chain leaf ← intermediate ← accepted root, every certificate valid at `instant`, and that the
    /// signature carries no certificate that is not of the chain.
    ///
    /// - Returns: the root and who stands behind it.
    func anchor(of certificates: SignerCertificates, at instant: Instant) throws(TokenRefusal) -> Anchor {
        let chain: [[UInt8]]
        do {
            chain = try store.verify(
                leaf: certificates.leaf, intermediates: [certificates.intermediate],
                atSecondsSinceEpoch: instant.secondsSinceEpoch)
        } catch {
            throw .chainInvalid(ChainFault(error, of: certificates, under: anchors))
        }
        guard chain.count == 3, chain[1] == certificates.intermediate.der,
            let anchor = anchors.first(where: { $0.certificate.der == chain[2] }),
            certificates.others.allSatisfy({ $0 == anchor.certificate })
        else { throw .chainShape }
        return anchor
    }
}
