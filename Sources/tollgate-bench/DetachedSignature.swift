import COpenSSL
import OpenSSL

/// Verifies a detached CMS signature with OpenSSL's own `CMS_verify` (RFC 5652).
///
/// It is the baseline for opening tokens, since most programs open payment tokens this way. Tollgate itself doesn't,
/// because `CMS_verify` decodes every certificate each time and doesn't report which of them it trusted.
///
/// `@unchecked Sendable`: never changed after `init`, and OpenSSL 3 allows concurrent readers.
final class DetachedSignature: @unchecked Sendable {
    private let root: OpaquePointer  // X509 *

    /// Creates a verifier for signatures whose chain must end in a root.
    init(root: Certificate) throws(OpenSSLError) {
        let read = root.der.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            return d2i_X509(nil, &position, der.count)
        }
        guard let read else { throw .failed(function: "d2i_X509", reason: "") }
        self.root = read
    }
    deinit { X509_free(root) }

    /// Verifies a signature in DER or BER over `content`, and its certificate chain at an instant.
    ///
    /// - Throws: `signatureInvalid` if the signature or the chain is invalid.
    func verify(
        _ signature: [UInt8], of content: [UInt8], atSecondsSinceEpoch secondsSinceEpoch: Int64
    ) throws(OpenSSLError) {
        let store = X509_STORE_new()
        let bio = BIO_new(BIO_s_mem())
        BIO_write(bio, content, CInt(content.count))
        let contentInfo = signature.withUnsafeBufferPointer { signature in
            var position = signature.baseAddress
            return d2i_CMS_ContentInfo(nil, &position, signature.count)
        }
        defer {
            CMS_ContentInfo_free(contentInfo)
            BIO_free(bio)
            X509_STORE_free(store)
        }
        X509_STORE_add_cert(store, root)
        let parameters = X509_STORE_get0_param(store)
        X509_VERIFY_PARAM_set_time(parameters, Int(secondsSinceEpoch))
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
        guard CMS_verify(contentInfo, nil, store, bio, nil, UInt32(CMS_BINARY)) == 1 else {
            ERR_clear_error()
            throw .signatureInvalid
        }
    }
}
