internal import COpenSSL

/// What the connections of one side have in common: who it is, whom it trusts and what it speaks; owns one `SSL_CTX`.
///
/// TLS 1.2 and 1.3 with Mozilla's "intermediate" profile, without compression, renegotiation and early data. A change of
/// identity, trust or policy is a new context, with ticket keys of its own: no ticket outlives what it was given under.
///
/// `@unchecked Sendable`: never changed after `init` but for the ticket keys, which lock themselves; OpenSSL allows
/// connections of one context in several threads.
public final class TLSContext: @unchecked Sendable {
    /// Which certificates a server asks its clients for.
    public enum ClientCertificates: Sendable {
        /// None.
        case none
        /// A client may present one, and one that is not valid counts as none. The names of the authorities are sent, so that
        /// a browser asks nobody to choose among certificates of others.
        case requested(TrustStore, of: [Certificate])
        /// A client may present one, and one that is not valid ends the handshake.
        case optional(TrustStore)
        /// A client without a valid one is refused in the handshake.
        case required(TrustStore)
    }

    let context: OpaquePointer  // SSL_CTX *
    let isServer: Bool
    let verifiesPeer: Bool
    let applicationProtocols: [String]
    let ticketKeys = TLSTicketKeys()

    /// A certificate chain of a peer may have this many bytes.
    static let chainBytesMax = 32 * 1024
    /// That many authorities may stand between a peer's certificate and a trusted one.
    static let intermediatesMax: Int32 = 4
    /// Tickets are good for at most an hour. A clock of the program's rotates their keys that often.
    static let ticketSeconds = 3600

    private init(
        isServer: Bool, verifiesPeer: Bool, applicationProtocols: [String]
    ) throws(OpenSSLError) {
        for name in applicationProtocols {
            precondition((1...255).contains(name.utf8.count), "RFC 7301 §3.1")
        }
        context = try checked(SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()), "SSL_CTX_new")
        self.isServer = isServer
        self.verifiesPeer = verifiesPeer
        self.applicationProtocols = applicationProtocols
    }
    deinit { SSL_CTX_free(context) }

    /// A server's context.
    ///
    /// - Parameters:
    ///   - applicationProtocols: the names of what is spoken here (RFC 7301), the preferred first. A client that offers
    ///     others only is refused; one that offers nothing is not.
    /// - Throws: `failed` for an identity that clients would refuse, such as an RSA key of 1024 bits.
    public convenience init(
        server identity: TLSIdentity, clientCertificates: ClientCertificates = .none, applicationProtocols: [String]
    ) throws(OpenSSLError) {
        try self.init(
            server: identity, clientCertificates: clientCertificates, applicationProtocols: applicationProtocols,
            profile: .intermediate)
    }

    convenience init(
        server identity: TLSIdentity, clientCertificates: ClientCertificates = .none, applicationProtocols: [String],
        profile: TLSProfile
    ) throws(OpenSSLError) {
        let trust: TrustStore? =
            switch clientCertificates {
            case .none: nil
            case .requested(let trust, _), .optional(let trust), .required(let trust): trust
            }
        try self.init(isServer: true, verifiesPeer: trust != nil, applicationProtocols: applicationProtocols)
        try configure(profile)
        try use(identity)
        if let trust { self.trust(trust) }
        switch clientCertificates {
        case .none: break
        case .requested(_, let authorities):
            // The result of the verification is kept beside the certificate, and the handshake goes on.
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER) { _, _ in 1 }
            for each in authorities {
                try check(SSL_CTX_add_client_CA(context, each.x509) == 1, "SSL_CTX_add_client_CA")
            }
        case .optional: SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        case .required: SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        selectApplicationProtocol()
        try issueTickets()
    }

    /// A client's context.
    ///
    /// - Parameters:
    ///   - trust: where the server's chain must end.
    ///   - identity: what to present if the server asks for a certificate.
    ///   - applicationProtocols: what to offer, the preferred first.
    public convenience init(
        clientTrusting trust: TrustStore, identity: TLSIdentity? = nil, applicationProtocols: [String]
    ) throws(OpenSSLError) {
        try self.init(
            clientTrusting: trust, identity: identity, applicationProtocols: applicationProtocols,
            profile: .intermediate)
    }

    convenience init(
        clientTrusting trust: TrustStore, identity: TLSIdentity? = nil, applicationProtocols: [String],
        profile: TLSProfile
    ) throws(OpenSSLError) {
        try self.init(isServer: false, verifiesPeer: true, applicationProtocols: applicationProtocols)
        try configure(profile)
        if let identity { try use(identity) }
        self.trust(trust)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        try offerApplicationProtocols()
    }

    /// Gives new tickets a new key. Tickets under the key before it still resume; older ones don't.
    public func rotateTicketKeys() { ticketKeys.rotate() }

    private func configure(_ profile: TLSProfile) throws(OpenSSLError) {
        ERR_clear_error()
        try profile.apply(to: context)
        SSL_CTX_set_options(
            context,
            // Requests hold card data: none of it stays in the buffers for records.
            shim_SSL_OP_CLEANSE_PLAINTEXT | shim_SSL_OP_NO_COMPRESSION | shim_SSL_OP_NO_RENEGOTIATION
                | shim_SSL_OP_CIPHER_SERVER_PREFERENCE | shim_SSL_OP_PRIORITIZE_CHACHA)
        // An idle connection holds no buffer for records. What is sent is the identity's chain, and nothing of whom we trust.
        shim_SSL_CTX_set_mode(
            context,
            Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN))
        // Sessions only live in tickets.
        shim_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        shim_SSL_CTX_set_max_cert_list(context, Self.chainBytesMax)
        // The callbacks of OpenSSL find this object here; every connection holds it.
        try check(
            SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque()) == 1, "SSL_CTX_set_ex_data")
    }

    private func use(_ identity: TLSIdentity) throws(OpenSSLError) {
        try check(SSL_CTX_use_certificate(context, identity.certificate.x509) == 1, "SSL_CTX_use_certificate")
        try check(SSL_CTX_use_PrivateKey(context, identity.key.key) == 1, "SSL_CTX_use_PrivateKey")
        for each in identity.intermediates {
            try check(shim_SSL_CTX_add1_chain_cert(context, each.x509) == 1, "SSL_CTX_add1_chain_cert")
        }
    }

    /// Chains end in a certificate of the store, be it an authority's or the peer's own. Names of authorities are not sent
    /// here: none means any (RFC 8446 §4.2.4), and a client that has a certificate presents it.
    private func trust(_ trust: TrustStore) {
        SSL_CTX_set1_cert_store(context, trust.store)
        SSL_CTX_set_verify_depth(context, Self.intermediatesMax)
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    /// The object of the context that a connection was made with.
    static func of(_ ssl: OpaquePointer?) -> TLSContext {
        guard let object = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0) else {
            preconditionFailure("every context is configured with its object")
        }
        return Unmanaged.fromOpaque(object).takeUnretainedValue()
    }
}
