internal import COpenSSL

/// Why a libcrypto call failed.
public enum OpenSSLError: Error, Equatable, Sendable {
    /// `function` failed; `reason` is OpenSSL's reason string, or empty if there is none. It never contains input.
    case failed(function: String, reason: String)
    /// A ciphertext's authentication tag does not match: the key is wrong, or bytes were altered.
    case notAuthentic
    /// A signature is not valid for these bytes and this key.
    case signatureInvalid
    /// A point is not on the curve, or not in uncompressed form.
    case pointInvalid
    /// The key is not of the kind that the operation requires.
    case wrongKeyType
    /// The PEM text has no block with the required label.
    case noPEMBlock(String)
    /// A PEM block is encrypted and requires a password.
    case encrypted
    /// The password does not decrypt the data. A damaged file causes the same error.
    case wrongPassword
    /// The file is encrypted with a cipher of OpenSSL 3's legacy provider, such as RC2 with 40 bits.
    case legacyEncryption
    /// The PKCS#12 file contains only certificates.
    case noPrivateKey
    /// The PKCS#12 file contains only a key, or the certificate chain is empty.
    case noCertificate
    /// The private key does not match the certificate.
    case keyDiffers
}

extension OpenSSLError {
    /// The error of `function` from the calling thread's error queue. Clears the queue, so that no later call reports
    /// it.
    static func last(_ function: String) -> OpenSSLError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let reason = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
        return .failed(function: function, reason: reason ?? "")
    }

    /// The error of a failed decryption with a password, from the calling thread's error queue, which it clears. All
    /// entries are read, because OpenSSL adds a summary after the cause.
    static func decryption() -> OpenSSLError {
        var isLegacy = false
        while case let code = ERR_get_error(), code != 0 {
            let reason = shim_ERR_GET_REASON(code)
            isLegacy =
                isLegacy
                || (shim_ERR_GET_LIB(code) == ERR_LIB_EVP
                    && [shim_ERR_R_UNSUPPORTED, EVP_R_UNSUPPORTED_ALGORITHM, EVP_R_UNKNOWN_CIPHER].contains(reason))
        }
        return isLegacy ? .legacyEncryption : .wrongPassword
    }
}

extension OpenSSLError: CustomStringConvertible {
    /// The error in one line, without input.
    public var description: String {
        switch self {
        case .failed(let function, let reason): reason.isEmpty ? "\(function) failed" : "\(function): \(reason)"
        case .notAuthentic: "the authentication tag does not match"
        case .signatureInvalid: "the signature is not valid"
        case .pointInvalid: "the point is not on the curve"
        case .wrongKeyType: "the key is of another kind"
        case .noPEMBlock(let label): "no PEM block \(label)"
        case .encrypted: "the key is encrypted with a password"
        case .wrongPassword: "the password is another, or the file is damaged"
        case .noPrivateKey: "no private key"
        case .noCertificate: "no certificate"
        case .keyDiffers: "the private key is not that of the certificate"
        case .legacyEncryption: "encrypted with a cipher of OpenSSL's legacy provider"
        }
    }
}
