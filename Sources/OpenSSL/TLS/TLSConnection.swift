internal import COpenSSL

/// One side of one TLS connection, without input and output: converts between the bytes of the application and those of
/// the transport. Owns one `SSL`.
///
/// The owner passes bytes from its socket to ``receive(_:)``, calls ``read(into:)`` until it returns
/// ``Read/wouldBlock``, and sends ``output`` after every call, even one that throws, because it may contain an alert.
/// The handshake is performed by ``read(into:)``.
///
/// If the owner respects ``wantsBytes``, memory is bounded for any input: one handshake message or record, about 64 KiB
/// of each side's bytes, and the peer's certificate chain.
public struct TLSConnection: ~Copyable {
    /// The result of a read.
    public enum Read: Sendable, Hashable {
        /// A number of bytes, at least one.
        case bytes(Int)
        /// No bytes yet: the peer must send more, or receive ``TLSConnection/output``.
        case wouldBlock
        /// The peer has announced that it sends no more (`close_notify`).
        case closed
    }

    /// Whether the handshake is complete, so that application data can be exchanged.
    public private(set) var isEstablished = false
    /// The protocol that ALPN (RFC 7301) selected, or nil.
    public private(set) var applicationProtocol: String?
    /// The SHA-256 hash of the peer's certificate in DER, 32 bytes; nil unless the peer presented a certificate with a
    /// valid chain. A resumed connection has the certificate of the original one.
    public private(set) var peerCertificateFingerprint: [UInt8]?
    /// That certificate in DER.
    public private(set) var peerCertificateDER: [UInt8]?
    /// The end of that certificate's validity, in seconds since 1970-01-01 00:00:00 UTC.
    public private(set) var peerCertificateNotAfter: Int64?

    private let context: TLSContext
    private let ssl: OpaquePointer  // SSL *
    private let buffers: TLSBuffers
    private var failure: TLSFailure?
    private var hasClosed = false
    private var peerHasClosed = false

    /// The number of unsent output bytes from which nothing is read or accepted. Only OpenSSL's own messages can exceed
    /// it.
    static let outputBytesMax = 48 * 1024
    /// The number of unprocessed input bytes from which no more bytes are requested.
    static let inputBytesMax = 48 * 1024
    /// The maximum content of a record in bytes (RFC 8446 §5.1).
    private static let recordBytesMax = 16 * 1024

    /// Begins a connection. Terminates the program when out of memory.
    ///
    /// - Parameters:
    ///   - serverName: for a client, the name or address that the server's certificate must contain.
    ///   - session: for a client, a session to resume.
    public init(_ context: TLSContext, serverName: String? = nil, resuming session: TLSSession? = nil) {
        precondition(!context.isServer || (serverName == nil && session == nil), "a client knows its server")
        guard let ssl = SSL_new(context.context) else { preconditionFailure("a machine without memory") }
        let buffers = TLSBuffers(ssl: ssl, isServer: context.isServer)
        guard let bio = buffers.makeBIO() else { preconditionFailure("a machine without memory") }
        // Reading and writing share one BIO. Its single reference is transferred to the SSL object.
        SSL_set_bio(ssl, bio, bio)
        self.context = context
        self.ssl = ssl
        self.buffers = buffers
        if context.isServer { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
        if let serverName { expect(serverName) }
        if let session { SSL_set_session(ssl, session.session) }
    }
    deinit { SSL_free(ssl) }

    private func expect(_ serverName: String) {
        // RFC 6066 §3: server name indication contains names but not addresses.
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), serverName) == 1 { return }
        ERR_clear_error()
        let isSet = SSL_set1_host(ssl, serverName) == 1 && shim_SSL_set_tlsext_host_name(ssl, serverName) == 1
        precondition(isSet, "a host name")
    }

    // MARK: Ciphertext

    /// Adds received bytes. Bytes after `close_notify` (RFC 8446 §6.1) or after a failure are discarded.
    public mutating func receive(_ bytes: Span<UInt8>) {
        guard failure == nil, !peerHasClosed else { return }
        buffers.receive(bytes)
    }

    /// Records that the transport has ended. Without a previous `close_notify`, ``read(into:)`` then fails with
    /// ``TLSFailure/truncated``.
    public mutating func receiveEnd() { buffers.receiveEnd() }

    /// The number of received bytes that have not been processed.
    public var inputBytes: Int { buffers.inputBytes }

    /// Whether to read more bytes from the transport now.
    public var wantsBytes: Bool {
        failure == nil && !peerHasClosed && !buffers.inputEnded && inputBytes < Self.inputBytesMax
    }

    /// Bytes to send, from ``outputStart`` on.
    public var output: [UInt8] { buffers.output }

    /// The position of the first unsent byte in the output.
    public var outputStart: Int { buffers.outputStart }

    /// The number of unsent bytes.
    public var outputBytes: Int { buffers.outputBytes }

    /// Removes sent output. ``read(into:)`` and ``write(_:from:)`` may then continue.
    public mutating func consumeOutput(_ count: Int) { buffers.consumeOutput(count) }

    // MARK: Plaintext

    /// Reads plaintext from the peer, at most one record's content, and advances the handshake.
    ///
    /// - Parameter buffer: the buffer for the plaintext; not empty.
    /// - Throws: the failure that ended the connection; every later call throws it too.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSFailure) -> Read {
        precondition(!buffer.isEmpty, "room for what is read")
        if let failure { throw failure }
        guard outputBytes < Self.outputBytesMax else { return .wouldBlock }
        ERR_clear_error()
        var count = 0
        let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        if !isEstablished, SSL_is_init_finished(ssl) == 1 { establish() }
        guard result != 1 else {
            buffers.noteApplicationData()
            return .bytes(count)
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_ZERO_RETURN:
            peerHasClosed = true
            buffers.discardInput()
            return .closed
        default: throw fail()
        }
    }

    /// Accepts plaintext for sending, as much as fits; none before the handshake is complete. Must not be called after
    /// ``close()``.
    ///
    /// - Parameters:
    ///   - bytes: the plaintext.
    ///   - start: the position in `bytes` of the first byte to send.
    /// - Returns: the number of accepted bytes. Call it for the others after the peer has received some ``output``.
    public mutating func write(_ bytes: [UInt8], from start: Int = 0) throws(TLSFailure) -> Int {
        precondition((0...bytes.count).contains(start), "a position in the bytes")
        precondition(!hasClosed, "close_notify was the end")
        if let failure { throw failure }
        guard isEstablished else { return 0 }
        var position = start
        while position < bytes.count, outputBytes < Self.outputBytesMax {
            let count = min(bytes.count - position, Self.recordBytesMax)
            ERR_clear_error()
            var written = 0
            let result = bytes.withUnsafeBytes {
                SSL_write_ex(ssl, $0.baseAddress?.advanced(by: position), count, &written)
            }
            guard result == 1 else { throw fail() }
            position += written
        }
        return position - start
    }

    /// Sends `close_notify`. Has no effect before the end of the handshake or after a failure.
    public mutating func close() {
        guard isEstablished, !hasClosed, failure == nil else { return }
        hasClosed = true
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    // MARK: Negotiated parameters

    /// The negotiated version; nil before the end of the handshake.
    public var version: TLSVersion? { isEstablished ? TLSVersion(number: SSL_version(ssl)) : nil }

    /// The negotiated cipher suite's standard name, such as `TLS_AES_128_GCM_SHA256`; nil before the end of the
    /// handshake.
    public var cipherSuite: String? {
        guard isEstablished, let cipher = SSL_get_current_cipher(ssl) else { return nil }
        return SSL_CIPHER_standard_name(cipher).map { String(cString: $0) }
    }

    /// Whether the connection resumed an earlier session.
    public var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// For a client, the session with which the server lets it resume the connection. With TLS 1.3 it arrives after the
    /// handshake.
    public var session: TLSSession? {
        guard isEstablished, !context.isServer, let session = SSL_get_session(ssl),
            SSL_SESSION_is_resumable(session) == 1
        else { return nil }
        // A copy, because OpenSSL invalidates its own if the connection ends without close_notify.
        return SSL_SESSION_dup(session).map(TLSSession.init(takingOwnershipOf:))
    }

    private mutating func establish() {
        isEstablished = true
        buffers.establish()
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        if count > 0 {
            applicationProtocol = String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
        }
        guard context.verifiesPeer, let certificate = SSL_get0_peer_certificate(ssl),
            SSL_get_verify_result(ssl) == Int(X509_V_OK)
        else { return }
        let der = encoded { i2d_X509(certificate, &$0) }
        peerCertificateDER = der
        peerCertificateFingerprint = SHA256.hash(der)
        peerCertificateNotAfter = Certificate.seconds(X509_get0_notAfter(certificate))
    }

    /// Records and returns the failure that ended the connection. Remaining input is discarded.
    private mutating func fail() -> TLSFailure {
        let cause = buffers.refusal ?? .last(verifyResult: SSL_get_verify_result(ssl))
        ERR_clear_error()
        if buffers.refusal != nil, !isEstablished { buffers.appendAlert() }
        failure = cause
        buffers.discardInput()
        return cause
    }
}
