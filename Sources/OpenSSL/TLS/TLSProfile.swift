internal import COpenSSL

/// What one side accepts of TLS: versions, suites, groups and signature algorithms, each in order of preference.
struct TLSProfile: Sendable {
    /// OpenSSL's number of the lowest version.
    var versionMin = TLS1_2_VERSION
    /// OpenSSL's number of the highest version.
    var versionMax = TLS1_3_VERSION
    /// OpenSSL's names of the suites of TLS 1.2.
    var suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ]
    /// The suites of TLS 1.3 (RFC 8446 §B.4).
    var suites13 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
    /// The groups of the key exchange (RFC 8446 §4.2.7), which in TLS 1.2 are those of certificates' keys as well.
    var groups = ["X25519", "P-256", "P-384"]
    /// For handshakes, and for the certificates of the peer; nothing with SHA-1.
    var signatureAlgorithms = [
        "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ed25519", "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384",
        "rsa_pss_rsae_sha512", "rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512",
        "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512",
    ]
    /// OpenSSL's level 2 has RSA keys of 2048 bits or more and no signature with SHA-1 in a chain.
    var securityLevel: Int32 = 2

    /// Mozilla's "intermediate" profile without finite field groups, whose suites are slow and none of whose clients is
    /// without elliptic curves.
    static let intermediate = TLSProfile()

    /// Makes a context of OpenSSL's accept this and nothing else, whatever the machine's `openssl.cnf` says.
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
