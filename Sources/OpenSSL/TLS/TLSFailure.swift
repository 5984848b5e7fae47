internal import COpenSSL

/// Why a TLS connection ended otherwise than by `close_notify` of both sides.
///
/// A failure names its reason in this target's words or OpenSSL's; it never holds the peer's bytes.
public enum TLSFailure: Error, Hashable, Sendable {
    /// What arrived is no TLS record.
    case notTLS
    /// What arrived is an HTTP request without TLS.
    case plaintextHTTP
    /// The peer offers no version that is accepted here.
    case versionUnsupported
    /// No cipher suite that both sides accept.
    case noCommonSuite
    /// No key exchange group that both sides accept.
    case noCommonGroup
    /// No signature algorithm that both sides accept.
    case noCommonSignatureAlgorithm
    /// No application protocol that both sides speak, although the client offers some (RFC 7301 §3.2).
    case noCommonApplicationProtocol
    /// The peer presents no certificate, and one is required.
    case certificateMissing
    /// The peer's certificate has no valid chain to a trusted one, or is not fit for its purpose.
    /// - Parameter code: OpenSSL's `X509_V_ERR_…`.
    case certificateRefused(code: Int32)
    /// The peer ended the connection with a fatal alert.
    /// - Parameter number: its `AlertDescription` (RFC 8446 §6).
    case alertReceived(number: Int32)
    /// The transport ended without `close_notify`: something may be missing (RFC 8446 §6.1).
    case truncated
    /// A handshake message, a certificate chain, a record or a handshake as a whole is over its limit.
    case tooLarge
    /// Record after record without application data: key updates, alerts or empty records.
    case tooManyRecords
    /// A record whose authentication tag does not match.
    case recordAltered
    /// Any other breach of the protocol.
    /// - Parameter reason: OpenSSL's own words.
    case violation(reason: String)
}

extension TLSFailure: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .notTLS: "not TLS"
        case .plaintextHTTP: "HTTP without TLS"
        case .versionUnsupported: "no version of TLS in common"
        case .noCommonSuite: "no cipher suite in common"
        case .noCommonGroup: "no key exchange group in common"
        case .noCommonSignatureAlgorithm: "no signature algorithm in common"
        case .noCommonApplicationProtocol: "no application protocol in common"
        case .certificateMissing: "no certificate from the peer, and one is required"
        case .certificateRefused(let code):
            "the peer's certificate is refused: \(String(cString: X509_verify_cert_error_string(Int(code))))"
        case .alertReceived(let number):
            "the peer sent the alert \(String(cString: SSL_alert_desc_string_long(number)))"
        case .truncated: "the connection ended without close_notify"
        case .tooLarge: "a message over its limit"
        case .tooManyRecords: "too many records without application data"
        case .recordAltered: "the authentication tag of a record does not match"
        case .violation(let reason): reason.isEmpty ? "a breach of the protocol" : reason
        }
    }
}
