public import OpenSSL
internal import Values

/// The signatures that a merchant accepts: the trusted roots, and whether Apple's sandbox is accepted.
public struct TrustPolicy: Sendable {
    /// The operator of a root.
    public enum Authority: String, Sendable {
        /// Apple, with Apple Root CA - G3, the root of both production and Apple's sandbox.
        case apple
        /// The user, with a root made on this machine or another configured root.
        case local
    }

    /// A root and its operator.
    public struct Anchor: Sendable {
        /// The root certificate.
        public let certificate: Certificate
        /// The root's operator.
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

        /// Apple Root CA - G3; nil for any other certificate, even one with the same name.
        public static func apple(_ certificate: Certificate) -> Anchor? {
            guard certificate.fingerprint == appleRootCAG3Fingerprint else { return nil }
            return Anchor(certificate: certificate, authority: .apple)
        }

        /// A root that the user configured. It counts as local even if it is Apple's; use ``apple(_:)`` for that one.
        public static func local(_ certificate: Certificate) -> Anchor {
            Anchor(certificate: certificate, authority: .local)
        }
    }

    /// The accepted roots.
    public let anchors: [Anchor]
    /// Whether tokens of Apple's sandbox are accepted. They chain to the same root as real tokens, with the same
    /// markers. Only the name of the signer's certificate differs.
    public let acceptsAppleSandbox: Bool
    private let store: TrustStore
    /// The signers that this policy accepted before.
    let signerCache = SignerCache()

    /// Creates a policy that trusts these roots.
    public init(anchors: [Anchor], acceptsAppleSandbox: Bool) throws(OpenSSLError) {
        self.anchors = anchors
        self.acceptsAppleSandbox = acceptsAppleSandbox
        store = try TrustStore(roots: anchors.map(\.certificate))
    }

    /// Verifies the chain leaf ← intermediate ← accepted root. Every certificate must be valid at `instant`, and the
    /// signature must contain no other certificate.
    ///
    /// - Returns: the root and its operator.
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
