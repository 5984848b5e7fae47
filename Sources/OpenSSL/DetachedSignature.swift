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
        try verification.verify(content, roots: roots, at: secondsSinceEpoch)
    }
}

/// Sole owner of one `CMS_ContentInfo`.
private struct CMSVerification: ~Copyable {
    private let contentInfo: OpaquePointer  // CMS_ContentInfo *

    init(_ signature: [UInt8]) throws(OpenSSLError) {
        let read = signature.withUnsafeBufferPointer { signature in
            var position = signature.baseAddress
            return d2i_CMS_ContentInfo(nil, &position, signature.count)
        }
        contentInfo = try checked(read, "d2i_CMS_ContentInfo")
    }
    deinit { CMS_ContentInfo_free(contentInfo) }

    func verify(_ content: [UInt8], roots: [Certificate], at secondsSinceEpoch: Int64) throws(OpenSSLError) {
        let store = try checked(X509_STORE_new(), "X509_STORE_new")
        defer { X509_STORE_free(store) }
        for root in roots { try check(X509_STORE_add_cert(store, root.x509) == 1, "X509_STORE_add_cert") }
        let parameters = X509_STORE_get0_param(store)
        X509_VERIFY_PARAM_set_time(parameters, Int(secondsSinceEpoch))
        try check(X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY) == 1, "X509_VERIFY_PARAM_set_purpose")
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
