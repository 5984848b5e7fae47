internal import OpenSSL
public import Values

/// Why the certificates of a signature are no chain to a root that the merchant trusts, in words that say what to change.
///
/// Chosen once the chain was refused, from the names in the certificates: anyone may have written those, so a fault decides
/// nothing.
public enum ChainFault: Equatable, Sendable {
    /// A certificate was not valid at the signing time: the signer's at depth 0, the intermediate at 1, the root at 2.
    case notValidWhenSigned(depth: Int)
    /// The certificates are named as Apple's, which the merchant doesn't trust.
    case appleNotTrusted
    /// The certificates are named as a local authority's, and the merchant trusts none.
    case localNotTrusted
    /// The certificates are named as a local authority's, and it is another one than the merchant trusts.
    case otherLocalAuthority
    /// The certificates name a root that nobody here knows, or that didn't issue them.
    case unknownRoot(commonName: Printable)
    /// One certificate was not issued by the next.
    case notAChain

    /// Apple's root as certificates name it.
    static let appleRootName = "Apple Root CA - G3"
    /// The root of every local authority as certificates name it.
    public static let localRootName = "Tollgate Local Root CA"

    /// Chooses the words for a refusal.
    ///
    /// - Parameter anchors: the roots that the merchant trusts.
    init(_ refusal: TrustStore.Refusal, of certificates: SignerCertificates, under anchors: [TrustPolicy.Anchor]) {
        guard !refusal.isValidityPeriod else {
            self = .notValidWhenSigned(depth: refusal.depth)
            return
        }
        // From the intermediate on it is the root that is missing.
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

    /// What was found, as one sentence.
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

    /// What to do about it.
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
