internal import COpenSSL

/// A detached CMS signature verified by OpenSSL's own `CMS_verify` (RFC 5652).
///
/// It is the yardstick that `tollgate-bench` measures against: most programs open payment tokens this way. Tollgate
/// itself doesn't, for `CMS_verify` decodes every certificate anew and doesn't tell which of them it believed.
public enum DetachedSignature {
    /// Verifies a signature in DER or BER over `content`, its chain to `roots` at an instant included.
    ///
    /// - Throws: `signatureInvalid` if signature or chain is not good.
    public static func verify(
        _ signature: [UInt8], of content: [UInt8], roots: [Certificate], atSecondsSinceEpoch secondsSinceEpoch: Int64
    ) throws(OpenSSLError) {
        let verification = try CMSVerification(signature)
        try verification.trust(roots, at: secondsSinceEpoch)
        try verification.verify(content)
    }
}

/// Sole owner of what one verification needs: a `CMS_ContentInfo` and an `X509_STORE`.
private struct CMSVerification: ~Copyable {
    private let contentInfo: OpaquePointer  // CMS_ContentInfo *
    private let store: OpaquePointer  // X509_STORE *

    init(_ signature: [UInt8]) throws(OpenSSLError) {
        guard let store = X509_STORE_new() else { throw .last("X509_STORE_new") }
        let contentInfo = signature.withUnsafeBufferPointer { signature in
            var position = signature.baseAddress
            return d2i_CMS_ContentInfo(nil, &position, signature.count)
        }
        guard let contentInfo else {
            X509_STORE_free(store)
            throw .last("d2i_CMS_ContentInfo")
        }
        self.contentInfo = contentInfo
        self.store = store
    }

    deinit {
        CMS_ContentInfo_free(contentInfo)
        X509_STORE_free(store)
    }

    func trust(_ roots: [Certificate], at secondsSinceEpoch: Int64) throws(OpenSSLError) {
        for root in roots {
            guard X509_STORE_add_cert(store, root.x509) == 1 else { throw .last("X509_STORE_add_cert") }
        }
        let parameters = X509_STORE_get0_param(store)
        X509_VERIFY_PARAM_set_time(parameters, Int(secondsSinceEpoch))
        guard X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY) == 1 else {
            throw .last("X509_VERIFY_PARAM_set_purpose")
        }
    }

    func verify(_ content: [UInt8]) throws(OpenSSLError) {
        let bio = try MemoryBIO()
        try content.withUnsafeBufferPointer { (content) throws(OpenSSLError) in
            try bio.write(UnsafeRawBufferPointer(content))
        }
        guard CMS_verify(contentInfo, nil, store, bio.bio, nil, UInt32(CMS_BINARY)) == 1 else {
            ERR_clear_error()
            throw .signatureInvalid
        }
    }
}
