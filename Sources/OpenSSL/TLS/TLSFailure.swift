internal import COpenSSL

/// Why a TLS connection ended without `close_notify` from both sides.
///
/// A failure contains this target's or OpenSSL's description of the reason, never the peer's bytes.
public enum TLSFailure: Error, Hashable, Sendable {
    /// The received bytes are not a TLS record.
    case notTLS
    /// The received bytes are an unencrypted HTTP request.
    case plaintextHTTP
    /// The peer offers no supported version.
    case versionUnsupported
    /// No cipher suite is supported by both sides.
    case noCommonSuite
    /// No key exchange group is supported by both sides.
    case noCommonGroup
    /// No signature algorithm is supported by both sides.
    case noCommonSignatureAlgorithm
    /// No application protocol is supported by both sides, although the client offers some (RFC 7301 §3.2).
    case noCommonApplicationProtocol
    /// The peer presents no certificate, but one is required.
    case certificateMissing
    /// The peer's certificate has no valid chain to a trusted one, or is not valid for its purpose.
    ///
    /// - Parameter code: OpenSSL's `X509_V_ERR_…`.
    case certificateRefused(code: Int32)
    /// The peer ended the connection with a fatal alert.
    /// - Parameter number: its `AlertDescription` (RFC 8446 §6).
    case alertReceived(number: Int32)
    /// The transport ended without `close_notify`, so data may be missing (RFC 8446 §6.1).
    case truncated
    /// A handshake message, a certificate chain, a record or the whole handshake exceeds its limit.
    case tooLarge
    /// There are too many consecutive records without application data: key updates, alerts or empty records.
    case tooManyRecords
    /// A record's authentication tag does not match.
    case recordAltered
    /// The peer violated the protocol in another way.
    ///
    /// - Parameter reason: OpenSSL's reason string.
    case violation(reason: String)
}

extension TLSFailure: CustomStringConvertible {
    /// The failure in one line, for a log.
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
