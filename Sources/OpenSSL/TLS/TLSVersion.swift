internal import COpenSSL

/// The supported versions of TLS.
public enum TLSVersion: String, Sendable {
    /// RFC 5246.
    case tls12 = "TLSv1.2"
    /// RFC 8446.
    case tls13 = "TLSv1.3"

    init?(number: Int32) {
        switch number {
        case TLS1_2_VERSION: self = .tls12
        case TLS1_3_VERSION: self = .tls13
        default: return nil
        }
    }
}
