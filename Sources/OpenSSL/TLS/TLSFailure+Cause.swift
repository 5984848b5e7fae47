internal import COpenSSL

extension TLSFailure {
    /// The failure of a connection, from the calling thread's error queue, which it clears.
    ///
    /// - Parameter verifyResult: the connection's `X509_V_…` code.
    static func last(verifyResult: Int) -> TLSFailure {
        // The first entry of libssl is the cause; the entries of libcrypto before it are details.
        var code = ERR_get_error()
        while code != 0, shim_ERR_GET_LIB(code) != ERR_LIB_SSL { code = ERR_get_error() }
        ERR_clear_error()
        guard code != 0 else { return .violation(reason: "") }
        let reason = shim_ERR_GET_REASON(code)
        if let failure = TLSFailure(reason: reason, verifyResult: verifyResult) { return failure }
        return .violation(reason: ERR_reason_error_string(code).map { String(cString: $0) } ?? "")
    }

    private init?(reason: Int32, verifyResult: Int) {
        switch reason {
        case SSL_R_WRONG_VERSION_NUMBER: self = .notTLS
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: self = .plaintextHTTP
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_NO_PROTOCOLS_AVAILABLE: self = .versionUnsupported
        case SSL_R_NO_SHARED_CIPHER: self = .noCommonSuite
        case SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_GROUPS: self = .noCommonGroup
        case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
            self = .noCommonSignatureAlgorithm
        case SSL_R_NO_APPLICATION_PROTOCOL: self = .noCommonApplicationProtocol
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: self = .certificateMissing
        case SSL_R_CERTIFICATE_VERIFY_FAILED: self = .certificateRefused(code: Int32(truncatingIfNeeded: verifyResult))
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: self = .truncated
        case SSL_R_EXCESSIVE_MESSAGE_SIZE, SSL_R_DATA_LENGTH_TOO_LONG, SSL_R_ENCRYPTED_LENGTH_TOO_LONG,
            SSL_R_PACKET_LENGTH_TOO_LONG:
            self = .tooLarge
        case SSL_R_RECORD_TOO_SMALL, SSL_R_TOO_MANY_WARN_ALERTS, SSL_R_TOO_MANY_KEY_UPDATES: self = .tooManyRecords
        case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC: self = .recordAltered
        case (SSL_AD_REASON_OFFSET + 1)...(SSL_AD_REASON_OFFSET + 255):
            self = .alertReceived(number: reason - SSL_AD_REASON_OFFSET)
        default: return nil
        }
    }
}
