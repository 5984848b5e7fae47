internal import COpenSSL

/// One side of one TLS connection, without the connection: bytes of both sides in, bytes of both sides out. Owns one `SSL`.
///
/// The owner passes what its socket gives to ``receive(_:)``, calls ``read(into:)`` until that says ``Read/wouldBlock``, and
/// sends ``output`` after every call, also after one that throws: it may end in an alert. The handshake happens in ``read(into:)``.
///
/// What the connection holds is bounded whatever the peer sends, as long as the owner heeds ``wantsBytes``: a handshake
/// message or record, some 64 KiB of either side's bytes, and the chain of a peer's certificate.
public struct TLSConnection: ~Copyable {
    /// What there was to read.
    public enum Read: Sendable, Hashable {
        /// That many bytes, at least one.
        case bytes(Int)
        /// Nothing yet. What is needed is bytes of the peer, or that it takes ``TLSConnection/output``.
        case wouldBlock
        /// The peer has said that it sends no more (`close_notify`).
        case closed
    }

    /// Whether the handshake is done: application data can flow.
    public private(set) var isEstablished = false
    /// The protocol that ALPN (RFC 7301) selected, or nil.
    public private(set) var applicationProtocol: String?
    /// The SHA-256 of the peer's certificate in DER, 32 bytes, if it presented one and its chain is valid. A connection that
    /// resumes another has the certificate of that.
    public private(set) var peerCertificateFingerprint: [UInt8]?
    /// That certificate in DER.
    public private(set) var peerCertificateDER: [UInt8]?
    /// Until when that certificate is valid: seconds since 1970-01-01 00:00:00 UTC.
    public private(set) var peerCertificateNotAfter: Int64?

    private let context: TLSContext
    private let ssl: OpaquePointer  // SSL *
    private let buffers: TLSBuffers
    private var failure: TLSFailure?
    private var hasClosed = false
    private var peerHasClosed = false

    /// Output beyond this is only made of what OpenSSL writes by itself; nothing is read or taken until the peer takes some.
    static let outputBytesMax = 48 * 1024
    /// More is not wanted while so many of the peer's bytes wait.
    static let inputBytesMax = 48 * 1024
    /// The largest content of a record (RFC 8446 §5.1).
    private static let recordBytesMax = 16 * 1024

    /// Begins a connection. Stops the program if there is no memory for it.
    ///
    /// - Parameters:
    ///   - serverName: for a client, the name or address that the server's certificate must be for.
    ///   - session: for a client, one to resume.
    public init(_ context: TLSContext, serverName: String? = nil, resuming session: TLSSession? = nil) {
        precondition(!context.isServer || (serverName == nil && session == nil), "a client knows its server")
        guard let ssl = SSL_new(context.context) else { preconditionFailure("a machine without memory") }
        let buffers = TLSBuffers(ssl: ssl, isServer: context.isServer)
        guard let bio = buffers.makeBIO() else { preconditionFailure("a machine without memory") }
        // Reading and writing share one, whose one reference passes on.
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
        // RFC 6066 §3: a name is indicated, an address is not.
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), serverName) == 1 { return }
        ERR_clear_error()
        let isSet = SSL_set1_host(ssl, serverName) == 1 && shim_SSL_set_tlsext_host_name(ssl, serverName) == 1
        precondition(isSet, "a host name")
    }

    // MARK: Ciphertext

    /// Takes bytes that arrived. Those behind `close_notify` are thrown away (RFC 8446 §6.1), and so are those behind a failure.
    public mutating func receive(_ bytes: Span<UInt8>) {
        guard failure == nil, !peerHasClosed else { return }
        buffers.receive(bytes)
    }

    /// Takes note that the transport has ended. Without `close_notify` before it ``read(into:)`` then fails with
    /// ``TLSFailure/truncated``.
    public mutating func receiveEnd() { buffers.receiveEnd() }

    /// Bytes of the peer that have not been processed.
    public var inputBytes: Int { buffers.inputBytes }

    /// Whether more bytes of the peer should be read from the transport now.
    public var wantsBytes: Bool {
        failure == nil && !peerHasClosed && !buffers.inputEnded && inputBytes < Self.inputBytesMax
    }

    /// Bytes to send, from ``outputStart`` on.
    public var output: [UInt8] { buffers.output }

    /// Where the unsent output begins.
    public var outputStart: Int { buffers.outputStart }

    /// Bytes not yet sent.
    public var outputBytes: Int { buffers.outputBytes }

    /// Removes output that was sent. ``read(into:)`` and ``write(_:from:)`` may then go on.
    public mutating func consumeOutput(_ count: Int) { buffers.consumeOutput(count) }

    // MARK: Plaintext

    /// Reads what the peer has said, at most as much as fits into one record, and advances the handshake.
    ///
    /// - Parameter buffer: not empty.
    /// - Throws: the same again in every later call.
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

    /// Takes plaintext to be sent, as much as there is room for; none before the handshake is done. After ``close()``
    /// there must be none.
    ///
    /// - Parameters:
    ///   - bytes: what is to be sent.
    ///   - start: where in `bytes` it begins.
    /// - Returns: how many bytes were taken. For the rest call again when the peer has taken some ``output``.
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

    /// Sends `close_notify`. Does nothing before the end of the handshake or after a failure.
    public mutating func close() {
        guard isEstablished, !hasClosed, failure == nil else { return }
        hasClosed = true
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    // MARK: What was agreed on

    /// The version, once it is agreed on.
    public var version: TLSVersion? { isEstablished ? TLSVersion(number: SSL_version(ssl)) : nil }

    /// The cipher suite by the name in the standards, such as `TLS_AES_128_GCM_SHA256`, once it is agreed on.
    public var cipherSuite: String? {
        guard isEstablished, let cipher = SSL_get_current_cipher(ssl) else { return nil }
        return SSL_CIPHER_standard_name(cipher).map { String(cString: $0) }
    }

    /// Whether the connection resumes another.
    public var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// For a client, what the server gave to resume the connection with; with TLS 1.3 it arrives after the handshake.
    public var session: TLSSession? {
        guard isEstablished, !context.isServer, let session = SSL_get_session(ssl),
            SSL_SESSION_is_resumable(session) == 1
        else { return nil }
        // OpenSSL spoils its own copy if the connection ends without close_notify.
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

    /// What ended the connection, which is remembered; what else has arrived is thrown away.
    private mutating func fail() -> TLSFailure {
        let cause = buffers.refusal ?? .last(verifyResult: SSL_get_verify_result(ssl))
        ERR_clear_error()
        if buffers.refusal != nil, !isEstablished { buffers.appendAlert() }
        failure = cause
        buffers.discardInput()
        return cause
    }
}
