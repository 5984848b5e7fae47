internal import COpenSSL
internal import Glibc
internal import Synchronization
internal import Values

/// The keys of session tickets: the current key, which encrypts and decrypts, and the previous one, which only
/// decrypts.
///
/// A ticket is AES-256-CBC with HMAC-SHA-256 over it (RFC 5077 §4). Its keys never leave the process.
final class TLSTicketKeys: Sendable {
    private struct Key {
        /// Identifies the key in a ticket; 16 bytes, not secret.
        let name = RandomBytes.generate(16)
        let encryption = RandomBytes.secret(32)
        let authentication = RandomBytes.secret(32)
    }

    private struct State {
        var current = Key()
        var previous: Key?
    }

    private let state = Mutex(State())

    /// `OSSL_PARAM *` for HMAC with SHA-256. Never freed: it and the strings that it points to are used until the
    /// program exits.
    nonisolated(unsafe) private static let sha256: UnsafePointer<OSSL_PARAM> = {
        let parameters = UnsafeMutablePointer<OSSL_PARAM>.allocate(capacity: 2)
        parameters.initialize(
            to: OSSL_PARAM_construct_utf8_string(strdup(OSSL_MAC_PARAM_DIGEST), strdup("SHA256"), 0))
        parameters.advanced(by: 1).initialize(to: OSSL_PARAM_construct_end())
        return UnsafePointer(parameters)
    }()

    func rotate() {
        let key = Key()
        state.withLock { state in
            state.previous = state.current
            state.current = key
        }
    }

    /// Prepares the encryption of a ticket: writes the key's name and a new IV, 16 bytes each, and initializes both
    /// contexts.
    func seal(
        name: UnsafeMutablePointer<UInt8>, iv: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer
    ) -> Int32 {
        let key = state.withLock(\.current)
        name.update(from: key.name, count: key.name.count)
        guard RAND_bytes(iv, 16) == 1 else { return -1 }
        return start(key, iv: iv, cipher: cipher, mac: mac, isSealing: true) ? 1 : -1
    }

    /// Prepares the decryption of a ticket, by its key's name and its IV.
    ///
    /// - Returns: 1, or 2 if the ticket should be replaced by one under the current key; 0 if the key no longer exists;
    ///   -1 on failure.
    func open(
        name: UnsafePointer<UInt8>, iv: UnsafePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer
    ) -> Int32 {
        let name = UnsafeBufferPointer(start: name, count: 16)
        let (current, previous) = state.withLock { ($0.current, $0.previous) }
        let isCurrent = name.elementsEqual(current.name)
        guard let key = isCurrent ? current : previous, name.elementsEqual(key.name) else { return 0 }
        guard start(key, iv: iv, cipher: cipher, mac: mac, isSealing: false) else { return -1 }
        return isCurrent ? 1 : 2
    }

    private func start(
        _ key: Key, iv: UnsafePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer, isSealing: Bool
    ) -> Bool {
        let isCipherReady = key.encryption.withUnsafeBytes { bytes in
            EVP_CipherInit_ex(
                cipher, EVP_aes_256_cbc(), nil, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, iv,
                isSealing ? 1 : 0) == 1
        }
        let isMACReady = key.authentication.withUnsafeBytes { bytes in
            EVP_MAC_init(mac, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, Self.sha256) == 1
        }
        return isCipherReady && isMACReady
    }
}

extension TLSContext {
    /// Makes a server issue tickets to its clients. A ticket contains the whole session, including the client's
    /// certificate.
    func issueTickets() throws(OpenSSLError) {
        // A session is valid only in this context, whichever key its ticket uses.
        let identifier = RandomBytes.generate(Int(SSL_MAX_SID_CTX_LENGTH))
        try check(
            SSL_CTX_set_session_id_context(context, identifier, UInt32(identifier.count)) == 1,
            "SSL_CTX_set_session_id_context")
        SSL_CTX_set_timeout(context, Self.ticketSeconds)
        try check(SSL_CTX_set_num_tickets(context, 1) == 1, "SSL_CTX_set_num_tickets")
        let isSet = SSL_CTX_set_tlsext_ticket_key_evp_cb(
            context,
            { ssl, name, iv, cipher, mac, isSealing in
                guard let name, let iv, let cipher, let mac else { return -1 }
                let keys = TLSContext.of(ssl).ticketKeys
                return isSealing == 1
                    ? keys.seal(name: name, iv: iv, cipher: cipher, mac: mac)
                    : keys.open(name: name, iv: iv, cipher: cipher, mac: mac)
            })
        try check(isSet == 1, "SSL_CTX_set_tlsext_ticket_key_evp_cb")
        let isChecked = SSL_CTX_set_session_ticket_cb(
            context, nil,
            { _, session, _, _, status, _ in
                switch status {
                case SSL_TICKET_SUCCESS, SSL_TICKET_SUCCESS_RENEW:
                    guard TLSContext.isCertificateInForce(of: session) else { return SSL_TICKET_RETURN_IGNORE_RENEW }
                    return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
                default: return SSL_TICKET_RETURN_IGNORE_RENEW
                }
            }, nil)
        try check(isChecked == 1, "SSL_CTX_set_session_ticket_cb")
    }

    /// Whether the client certificate in a session has not expired since.
    private static func isCertificateInForce(of session: OpaquePointer?) -> Bool {
        guard let certificate = SSL_SESSION_get0_peer(session) else { return true }
        return X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0
    }
}
