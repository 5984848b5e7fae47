internal import OpenSSL
public import Values

/// Why a signature's certificates don't form a chain to a root that the merchant trusts, in terms that suggest a
/// remedy.
///
/// It is chosen after the chain was refused, from the names in the certificates. These names are untrusted, so the
/// fault only explains the refusal and has no effect on it.
public enum ChainFault: Equatable, Sendable {
    /// A certificate was not valid at the signing time. Depth 0 is the signer's, 1 the intermediate, 2 the root.
    case notValidWhenSigned(depth: Int)
    /// The certificates name Apple's root, which the merchant doesn't trust.
    case appleNotTrusted
    /// The certificates name a local root, and the merchant trusts none.
    case localNotTrusted
    /// The certificates name a local root, but not the one that the merchant trusts.
    case otherLocalAuthority
    /// The certificates name an unknown root, or one that did not issue them.
    case unknownRoot(commonName: Printable)
    /// One certificate was not issued by the next.
    case notAChain

    /// The common name of Apple's root.
    static let appleRootName = "Apple Root CA - G3"
    /// The common name of every local authority's root.
    public static let localRootName = "Tollgate Local Root CA"

    /// Chooses the fault for a refusal.
    ///
    /// - Parameter anchors: the roots that the merchant trusts.
    init(_ refusal: TrustStore.Refusal, of certificates: SignerCertificates, under anchors: [TrustPolicy.Anchor]) {
        guard !refusal.isValidityPeriod else {
            self = .notValidWhenSigned(depth: refusal.depth)
            return
        }
        // A missing issuer at depth 1 or more means that the root is missing.
        guard refusal.isIssuerMissing, refusal.depth > 0 else {
            self = .notAChain
            return
        }
        let name = certificates.intermediate.issuerCommonName ?? ""
        func trusts(_ authority: TrustPolicy.Authority) -> Bool { anchors.contains { $0.authority == authority } }
        switch name {
        case Self.appleRootName where !trusts(.apple): self = .appleNotTrusted
        case Self.localRootName: self = trusts(.local) ? .otherLocalAuthority : .localNotTrusted
        default: self = .unknownRoot(commonName: Printable(name))
        }
    }

    /// The finding, as one sentence.
    var finding: String {
        switch self {
        case .notValidWhenSigned(let depth):
            "\(depth == 0 ? "The signer's certificate" : depth == 1 ? "The intermediate" : "The root") was not valid when "
                + "the token was signed."
        case .appleNotTrusted: "The certificates are named as Apple's, and this merchant trusts only `local`."
        case .localNotTrusted: "A local authority minted the token, and this merchant trusts only `apple`."
        case .otherLocalAuthority:
            "The token was minted under another data directory, whose root is not this one's."
        case .unknownRoot(let name):
            "No root that this merchant trusts issued the certificates, which name \"\(name)\"."
        case .notAChain:
            "The certificates of the signature do not form a chain to a root that is trusted."
        }
    }

    /// The remedy.
    var remedy: String {
        switch self {
        case .notValidWhenSigned: "A certificate's time was over or had not begun: check the signing time."
        case .appleNotTrusted:
            "Add `apple` to the merchant's `trust` for real cards, or mint a token with `tollgate token mint`."
        case .localNotTrusted:
            "Add `local` to the merchant's `trust` to accept minted tokens; for `token inspect` name the data directory "
                + "(--data) or its root (--root)."
        case .otherLocalAuthority:
            "Mint it with the --data of the gateway that is to accept it; for `token inspect` name the data directory that "
                + "minted it (--data)."
        case .unknownRoot:
            "Treat the token as forged: neither Apple nor a local authority of Tollgate signed it. A root of your own is "
                + "accepted by `token inspect` with --root."
        case .notAChain: "Treat the token as forged or damaged: one certificate was not issued by the next."
        }
    }
}
