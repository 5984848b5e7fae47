internal import OpenSSL

/// `version` of a payment token, which names its encryption.
///
/// - Source: Apple, "Payment token format reference", table "Payment token structure".
public enum TokenVersion: String, CaseIterable, Sendable {
    /// A key agreed on over P-256, and AES-256; most regions.
    case ellipticCurve = "EC_v1"
    /// A key wrapped for an RSA key, and AES-128; where elliptic curves are not allowed.
    case rsa = "RSA_v1"
}

extension PaymentProcessingKey {
    /// The version whose tokens this key opens: the one or the other by the key's kind.
    public var tokenVersion: TokenVersion { publicKey.isRSA ? .rsa : .ellipticCurve }
}
