internal import COpenSSL

/// The shared configuration of one side's connections: identity, trust and protocols; owns one `SSL_CTX`.
///
/// It uses TLS 1.2 and 1.3 with Mozilla's "intermediate" profile, without compression, renegotiation and early data. A
/// change of identity, trust or policy requires a new context, which has its own ticket keys, so that no ticket remains
/// valid after such a change.
///
/// `@unchecked Sendable` is safe: it is never changed after `init`, except for the ticket keys, which have their own
/// lock. OpenSSL allows connections of one context in several threads.
public final class TLSContext: @unchecked Sendable {
    /// The client certificates that a server requests.
    public enum ClientCertificates: Sendable {
        /// No certificate is requested.
        case none
        /// A client may present a certificate. An invalid one counts as none. The names of the authorities are sent, so that
        /// no browser offers its user the certificates of others.
        case requested(TrustStore, of: [Certificate])
        /// A client may present a certificate. An invalid one ends the handshake.
        case optional(TrustStore)
        /// A client without a valid certificate is refused in the handshake.
        case required(TrustStore)
    }

    let context: OpaquePointer  // SSL_CTX *
    let isServer: Bool
    let verifiesPeer: Bool
    let applicationProtocols: [String]
    let ticketKeys = TLSTicketKeys()

    /// The maximum size of a peer's certificate chain, in bytes.
    static let chainBytesMax = 32 * 1024
    /// The maximum number of authorities between a peer's certificate and a trusted one.
    static let intermediatesMax: Int32 = 4
    /// The lifetime of tickets, in seconds. The program must rotate their keys at this interval.
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

    /// Creates a server's context.
    ///
    /// - Parameters:
    ///   - applicationProtocols: the supported protocols (RFC 7301), in order of preference. A client that offers only
    ///     others is refused; a client that offers none is accepted.
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

    /// Creates a client's context.
    ///
    /// - Parameters:
    ///   - trust: the trusted certificates, to one of which the server's chain must lead.
    ///   - identity: the identity to present if the server requests a certificate.
    ///   - applicationProtocols: the protocols to offer, in order of preference.
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

    /// Creates a new key for new tickets. Tickets under the previous key can still resume; older ones can't.
    public func rotateTicketKeys() { ticketKeys.rotate() }

    private func configure(_ profile: TLSProfile) throws(OpenSSLError) {
        ERR_clear_error()
        try profile.apply(to: context)
        SSL_CTX_set_options(
            context,
            // Requests contain card data, which must not remain in the record buffers.
            shim_SSL_OP_CLEANSE_PLAINTEXT | shim_SSL_OP_NO_COMPRESSION | shim_SSL_OP_NO_RENEGOTIATION
                | shim_SSL_OP_CIPHER_SERVER_PREFERENCE | shim_SSL_OP_PRIORITIZE_CHACHA)
        // Idle connections release their record buffers. Only the identity's own chain is sent, without certificates
        // from the trust store.
        shim_SSL_CTX_set_mode(
            context,
            Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN))
        // Sessions are stored only in tickets, not in a cache.
        shim_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        shim_SSL_CTX_set_max_cert_list(context, Self.chainBytesMax)
        // OpenSSL's callbacks find this object through the SSL_CTX. Every connection retains it.
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

    /// Sets the certificates in which chains may end: an authority's or the peer's own. The names of authorities are
    /// not sent here; without them any authority is acceptable (RFC 8446 §4.2.4), so a client with a certificate presents
    /// it.
    private func trust(_ trust: TrustStore) {
        SSL_CTX_set1_cert_store(context, trust.store)
        SSL_CTX_set_verify_depth(context, Self.intermediatesMax)
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    /// The context object with which a connection was created.
    static func of(_ ssl: OpaquePointer?) -> TLSContext {
        guard let object = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0) else {
            preconditionFailure("every context is configured with its object")
        }
        return Unmanaged.fromOpaque(object).takeUnretainedValue()
    }
}
