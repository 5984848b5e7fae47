internal import COpenSSL

/// The TLS parameters that one side accepts: versions, suites, groups and signature algorithms, each in order of
/// preference.
struct TLSProfile: Sendable {
    /// The lowest version, as OpenSSL's constant.
    var versionMin = TLS1_2_VERSION
    /// The highest version, as OpenSSL's constant.
    var versionMax = TLS1_3_VERSION
    /// The TLS 1.2 cipher suites, by OpenSSL's names.
    var suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ]
    /// The TLS 1.3 cipher suites (RFC 8446 §B.4).
    var suites13 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
    /// The key exchange groups (RFC 8446 §4.2.7). In TLS 1.2 they also limit the curves of certificate keys.
    var groups = ["X25519", "P-256", "P-384"]
    /// The signature algorithms of handshakes and of the peer's certificates; none uses SHA-1.
    var signatureAlgorithms = [
        "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ed25519", "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384",
        "rsa_pss_rsae_sha512", "rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512",
        "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512",
    ]
    /// OpenSSL's security level. Level 2 requires RSA keys of at least 2048 bits, and refuses SHA-1 signatures in
    /// chains.
    var securityLevel: Int32 = 2

    /// Mozilla's "intermediate" profile without finite-field groups: their suites are slow, and all clients of the
    /// profile support elliptic curves.
    static let intermediate = TLSProfile()

    /// Restricts an OpenSSL context to this profile, regardless of the system's `openssl.cnf`.
    func apply(to context: OpaquePointer) throws(OpenSSLError) {
        SSL_CTX_set_security_level(context, securityLevel)
        try check(shim_SSL_CTX_set_min_proto_version(context, versionMin) == 1, "SSL_CTX_set_min_proto_version")
        try check(shim_SSL_CTX_set_max_proto_version(context, versionMax) == 1, "SSL_CTX_set_max_proto_version")
        try check(SSL_CTX_set_cipher_list(context, suites.joined(separator: ":")) == 1, "SSL_CTX_set_cipher_list")
        try check(SSL_CTX_set_ciphersuites(context, suites13.joined(separator: ":")) == 1, "SSL_CTX_set_ciphersuites")
        try check(
            shim_SSL_CTX_set1_groups_list(context, groups.joined(separator: ":")) == 1, "SSL_CTX_set1_groups_list")
        try check(
            shim_SSL_CTX_set1_sigalgs_list(context, signatureAlgorithms.joined(separator: ":")) == 1,
            "SSL_CTX_set1_sigalgs_list")
    }
}
