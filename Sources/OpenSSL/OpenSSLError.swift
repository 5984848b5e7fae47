internal import COpenSSL

/// A call into libcrypto that did not succeed.
public enum OpenSSLError: Error, Equatable, Sendable {
    /// `function` failed; `reason` is OpenSSL's own word for it, empty where it gave none. It never holds input.
    case failed(function: String, reason: String)
    /// A ciphertext whose authentication tag does not match: another key, or altered bytes.
    case notAuthentic
    /// A signature that is not valid for these bytes and this key.
    case signatureInvalid
    /// A point that does not lie on the curve, or is encoded in another way than the uncompressed one.
    case pointInvalid
    /// A key of another kind than the operation needs.
    case wrongKeyType
    /// Text without a PEM block of the kind asked for.
    case noPEMBlock(String)
    /// A PEM block that is encrypted, which needs a password.
    case encrypted
    /// What a password protects does not open with this one; a damaged file gives the same error.
    case wrongPassword
    /// A file encrypted with a cipher that OpenSSL 3 keeps in its legacy provider, such as RC2 with 40 bits.
    case legacyEncryption
    /// A PKCS#12 file that holds certificates only.
    case noPrivateKey
    /// A PKCS#12 file that holds a key only, or a chain of no certificate.
    case noCertificate
    /// A private key that is not that of the certificate it came with.
    case keyDiffers
}

extension OpenSSLError {
    /// What the calling thread's error queue says of `function`; empties the queue, so that no later call reports it.
    static func last(_ function: String) -> OpenSSLError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let reason = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
        return .failed(function: function, reason: reason ?? "")
    }

    /// Why something did not open with a password, from the calling thread's error queue, which it empties. The queue is
    /// read to its end: OpenSSL puts its own summary behind the cause.
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
    /// One line, free of input.
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
