import HTTP
import OpenSSL

/// Transfers a connection's bytes over its socket, unencrypted or within TLS.
///
/// It is the sole owner of the socket.
struct Transport: ~Copyable {
    /// The result of a read.
    enum Arrival: Equatable {
        case bytes(Int)
        case endOfStream
        case wouldBlock
    }

    /// Why no more bytes can be read or written.
    enum Failure: Error {
        /// The peer has reset the connection.
        case reset
        /// TLS has failed. An alert was sent to the peer, which may not have read it yet.
        case encryption
        /// The first bytes are not TLS but look like an HTTP request.
        case plaintext
    }

    /// The socket's descriptor, for watching it; valid only while the socket is open.
    let descriptor: Int32
    /// Whether TLS is used.
    let isEncrypted: Bool
    /// Whether the TLS handshake is still in progress.
    private(set) var isInHandshake: Bool
    /// Whether a read may return bytes, as far as is known without a system call.
    private(set) var mayHaveBytes = false
    /// Whether the peer must read before more can be written.
    private(set) var isBlocked = false
    /// The number of bytes received from the socket since the connection was accepted.
    private(set) var bytesReceived: UInt64 = 0
    /// The number of bytes accepted for sending since the connection was accepted.
    private(set) var bytesSent: UInt64 = 0

    /// Nil once closed.
    private var socket: Socket?
    private var tls: TLSConnection?
    /// Whether the socket may have bytes, as far as is known without a system call.
    private var socketMayHaveBytes = false

    /// - Parameter context: the TLS context; nil for an unencrypted connection.
    init(_ socket: consuming Socket, tls context: TLSContext?) {
        descriptor = socket.descriptor
        self.socket = consume socket
        isEncrypted = context != nil
        isInHandshake = context != nil
        tls = context.map { TLSConnection($0) }
    }

    /// Records that the socket is readable.
    mutating func socketIsReadable() {
        socketMayHaveBytes = true
        mayHaveBytes = true
    }

    /// Reads once.
    ///
    /// - Parameters:
    ///   - memory: the buffer for the received bytes.
    ///   - ciphertext: the buffer for received bytes before TLS decrypts them.
    mutating func read(
        into memory: UnsafeMutableRawBufferPointer, ciphertext: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Arrival {
        guard isEncrypted else {
            let arrival = try receive(into: memory)
            mayHaveBytes = socketMayHaveBytes
            return arrival
        }
        // Bytes that were received before are returned first; then the socket is read once.
        if let arrival = try decrypt(into: memory) { return arrival }
        guard socketMayHaveBytes, !isBlocked else { return .wouldBlock }
        let isFirst = bytesReceived == 0
        switch try receive(into: ciphertext) {
        case .bytes(let count):
            // A method begins with a capital letter; TLS record types are control characters (RFC 8446 §5.1).
            if isFirst, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(ciphertext[0]) {
                mayHaveBytes = false
                throw .plaintext
            }
            let bytes = UnsafeRawBufferPointer(rebasing: ciphertext[..<count])
            tls?.receive(bytes.bindMemory(to: UInt8.self).span)
        case .endOfStream: tls?.receiveEnd()
        case .wouldBlock: break
        }
        return try decrypt(into: memory) ?? .wouldBlock
    }

    /// Reads once from the socket and discards the bytes.
    mutating func discard(into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Arrival {
        let arrival = try receive(into: memory)
        mayHaveBytes = socketMayHaveBytes
        return arrival
    }

    /// Sends some of the bytes from `start` on.
    ///
    /// - Returns: the number of bytes accepted; 0 while the peer must read first.
    mutating func write(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
        let count: Int
        if isEncrypted {
            guard try flush() else { return 0 }
            count = try encrypt(bytes, from: start)
            _ = try flush()
        } else {
            count = try send(bytes, from: start)
        }
        bytesSent &+= UInt64(count)
        return count
    }

    /// Sends pending TLS output. Returns false if the peer must first read some of it.
    mutating func flush() throws(Failure) -> Bool {
        guard isEncrypted else {
            isBlocked = false
            return true
        }
        while let count = tls?.outputBytes, count > 0, let start = tls?.outputStart, let output = tls?.output {
            let sent = try send(output, from: start)
            guard sent > 0 else { return false }
            tls?.consumeOutput(sent)
        }
        isBlocked = false
        return true
    }

    /// Whether the peer's system has not acknowledged all sent bytes.
    mutating func hasUnacknowledgedBytes() -> Bool { socket?.hasUnacknowledgedBytes ?? false }

    /// The application protocol that the handshake selected, and the peer's certificate.
    mutating func agreement() -> (applicationProtocol: String?, certificate: ClientCertificate?) {
        var certificate: ClientCertificate?
        if let fingerprint = tls?.peerCertificateFingerprint ?? nil {
            certificate = ClientCertificate(
                verifiedFingerprint: fingerprint, der: (tls?.peerCertificateDER ?? nil) ?? [],
                notAfterSecondsSinceEpoch: (tls?.peerCertificateNotAfter ?? nil) ?? .max)
        }
        return (tls?.applicationProtocol ?? nil, certificate)
    }

    /// Sends a short unencrypted message to a peer that doesn't use TLS, as far as the kernel accepts it.
    mutating func sendWithoutTLS(_ bytes: [UInt8]) { _ = try? send(bytes, from: 0) }

    /// Shuts down the sending side.
    mutating func finishWriting() {
        if isEncrypted {
            tls?.close()
            // The kernel has room for so few bytes. An error means that the peer has disconnected, and is ignored.
            _ = try? flush()
        }
        socket?.shutdownWriting()
    }

    /// Closes the socket.
    ///
    /// - Parameter isReset: whether the kernel drops bytes that the peer has not received.
    mutating func close(isReset: Bool = false) {
        if isReset {
            socket?.resetOnClose()
        } else if isEncrypted {
            tls?.close()
            _ = try? flush()
        }
        tls = nil
        socket = nil
    }

    // MARK: The socket

    private mutating func receive(into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Arrival {
        do throws(HTTPServerError) {
            switch try socket?.read(into: memory) {
            case .bytes(let count):
                // A read that does not fill the buffer has emptied the socket.
                socketMayHaveBytes = count == memory.count
                bytesReceived &+= UInt64(count)
                return .bytes(count)
            case .endOfStream, nil:
                socketMayHaveBytes = false
                return .endOfStream
            case .wouldBlock:
                socketMayHaveBytes = false
                return .wouldBlock
            }
        } catch {
            throw .reset
        }
    }

    private mutating func send(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
        do throws(HTTPServerError) {
            guard case .bytes(let count) = try socket?.write(bytes, from: start) else {
                isBlocked = true
                return 0
            }
            isBlocked = false
            return count
        } catch {
            throw .reset
        }
    }

    // MARK: TLS

    /// Decrypts received bytes. Nil if TLS needs more bytes from the peer, or must send some first.
    private mutating func decrypt(into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Arrival? {
        do throws(TLSFailure) {
            let read = try tls?.read(into: memory) ?? .closed
            isInHandshake = !(tls?.isEstablished ?? false)
            switch read {
            case .bytes(let count):
                mayHaveBytes = true
                return .bytes(count)
            case .closed:
                mayHaveBytes = false
                return .endOfStream
            case .wouldBlock:
                mayHaveBytes = socketMayHaveBytes
                return nil
            }
        } catch .truncated where !isInHandshake {
            // Missing close_notify counts as the end of input: HTTP itself detects incomplete messages (RFC 9112 §9.8).
            mayHaveBytes = false
            return .endOfStream
        } catch {
            throw try failure()
        }
    }

    private mutating func encrypt(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
        do throws(TLSFailure) { return try tls?.write(bytes, from: start) ?? 0 } catch { throw try failure() }
    }

    /// Sends the TLS alert for a failure.
    private mutating func failure() throws(Failure) -> Failure {
        mayHaveBytes = false
        return try flush() ? .encryption : .reset
    }
}
