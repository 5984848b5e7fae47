internal import OpenSSL

/// The `version` of a payment token, which determines its encryption.
///
/// - Source: Apple, "Payment token format reference", table "Payment token structure".
public enum TokenVersion: String, CaseIterable, Sendable {
    /// ECDH key agreement over P-256, and AES-256; used in most regions.
    case ellipticCurve = "EC_v1"
    /// A symmetric key wrapped with RSA, and AES-128; used where elliptic curves are not permitted.
    case rsa = "RSA_v1"
}

extension PaymentProcessingKey {
    /// The version of the tokens that this key opens, by the kind of key.
    public var tokenVersion: TokenVersion { publicKey.isRSA ? .rsa : .ellipticCurve }
}
