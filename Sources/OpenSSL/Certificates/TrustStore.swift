internal import COpenSSL

/// The trusted root certificates of chains; owns one `X509_STORE` reference.
///
/// `@unchecked Sendable` is safe: it is never changed after `init`, and OpenSSL locks the store during lookups.
public final class TrustStore: @unchecked Sendable {
    let store: OpaquePointer  // X509_STORE *

    private init(takingOwnershipOf store: OpaquePointer) { self.store = store }
    deinit { X509_STORE_free(store) }

    /// Creates a store from self-issued certificates.
    public convenience init(roots: [Certificate]) throws(OpenSSLError) {
        let store = try checked(X509_STORE_new(), "X509_STORE_new")
        self.init(takingOwnershipOf: store)
        for root in roots {
            try check(X509_STORE_add_cert(store, root.x509) == 1, "X509_STORE_add_cert")
        }
    }

    /// Creates a store from the certificates of a PEM file.
    public convenience init(rootsFile path: String) throws(OpenSSLError) {
        self.init(takingOwnershipOf: try checked(X509_STORE_new(), "X509_STORE_new"))
        try check(X509_STORE_load_file(store, path) == 1, "X509_STORE_load_file")
    }

    /// Why there is no valid chain.
    public struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        /// OpenSSL's `X509_V_ERR_…`.
        public let code: Int32
        /// The position in the chain: 0 is the leaf.
        public let depth: Int
        /// OpenSSL's message for the code.
        public var description: String { String(cString: X509_verify_cert_error_string(Int(code))) }
        /// Whether no certificate in the store issued the last one of the chain, or that one is self-issued.
        public var isIssuerMissing: Bool {
            [
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            ].contains(code)
        }
        /// Whether a certificate had expired or was not yet valid.
        public var isValidityPeriod: Bool {
            code == X509_V_ERR_CERT_HAS_EXPIRED || code == X509_V_ERR_CERT_NOT_YET_VALID
        }
    }

    /// Builds and verifies a chain from `leaf` through `intermediates` to a root of this store (RFC 5280 §6).
    ///
    /// Revocation is not checked: that would require the network, and Apple's steps don't require it.
    ///
    /// - Parameters:
    ///   - secondsSinceEpoch: the instant at which every certificate must be valid, in seconds since
    ///     1970-01-01T00:00:00Z.
    /// - Returns: the chain in DER, leaf first, root last.
    public func verify(
        leaf: Certificate, intermediates: [Certificate], atSecondsSinceEpoch secondsSinceEpoch: Int64
    ) throws(Refusal) -> [[UInt8]] {
        let verification = try ChainVerification()
        return try verification.verify(leaf, intermediates, in: store, at: secondsSinceEpoch)
    }
}

/// The sole owner of one `X509_STORE_CTX`.
private struct ChainVerification: ~Copyable {
    private let context: OpaquePointer  // X509_STORE_CTX *

    init() throws(TrustStore.Refusal) {
        context = try checked(X509_STORE_CTX_new(), else: TrustStore.Refusal(code: X509_V_ERR_OUT_OF_MEM, depth: 0))
    }
    deinit { X509_STORE_CTX_free(context) }

    func verify(
        _ leaf: Certificate, _ intermediates: [Certificate], in store: OpaquePointer, at secondsSinceEpoch: Int64
    ) throws(TrustStore.Refusal) -> [[UInt8]] {
        // The stack borrows its certificates, and the context borrows the stack.
        let untrusted = shim_sk_X509_new_null()
        defer { shim_sk_X509_free(untrusted) }
        for certificate in intermediates { _ = shim_sk_X509_push(untrusted, certificate.x509) }
        try check(
            X509_STORE_CTX_init(context, store, leaf.x509, untrusted) == 1,
            else: TrustStore.Refusal(code: X509_V_ERR_UNSPECIFIED, depth: 0))
        X509_STORE_CTX_set_time(context, 0, Int(secondsSinceEpoch))
        X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_X509_STRICT))
        guard X509_verify_cert(context) == 1 else {
            let code = X509_STORE_CTX_get_error(context)
            let depth = X509_STORE_CTX_get_error_depth(context)
            ERR_clear_error()
            throw TrustStore.Refusal(code: code, depth: Int(depth))
        }
        let chain = X509_STORE_CTX_get0_chain(context)
        return (0..<shim_sk_X509_num(chain)).map { index in encoded { i2d_X509(shim_sk_X509_value(chain, index), &$0) }
        }
    }
}
