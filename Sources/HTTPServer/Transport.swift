import HTTP
import OpenSSL

/// How a connection's bytes travel: over its socket, as they are or within TLS.
///
/// Sole owner of the socket.
struct Transport: ~Copyable {
    /// What reading came to.
    enum Arrival: Equatable {
        case bytes(Int)
        case endOfStream
        case wouldBlock
    }

    /// Why nothing more can be read or written.
    enum Failure: Error {
        /// The peer has reset the connection.
        case reset
        /// TLS has failed. The peer has been sent the reason, and may still have to read it.
        case encryption
        /// What arrived first can't begin TLS, but a request of HTTP.
        case plaintext
    }

    /// Of the socket, only to be watched while that is open.
    let descriptor: Int32
    /// Whether TLS is used.
    let isEncrypted: Bool
    /// Whether the TLS handshake is not done.
    private(set) var isInHandshake: Bool
    /// Whether a read may find something, as far as is known without asking the kernel again.
    private(set) var mayHaveBytes = false
    /// Whether the peer has to take some of what was written before more is.
    private(set) var isBlocked = false
    /// Bytes received from the socket since the connection was accepted.
    private(set) var bytesReceived: UInt64 = 0
    /// Bytes taken to be sent since the connection was accepted.
    private(set) var bytesSent: UInt64 = 0

    /// Nil once closed.
    private var socket: Socket?
    private var tls: TLSConnection?
    /// Whether the socket may have something, as far as is known without asking the kernel again.
    private var socketMayHaveBytes = false

    /// - Parameter context: nil for bytes as they are.
    init(_ socket: consuming Socket, tls context: TLSContext?) {
        descriptor = socket.descriptor
        self.socket = consume socket
        isEncrypted = context != nil
        isInHandshake = context != nil
        tls = context.map { TLSConnection($0) }
    }

    /// Takes note that the socket has something to read.
    mutating func socketIsReadable() {
        socketMayHaveBytes = true
        mayHaveBytes = true
    }

    /// Reads once.
    ///
    /// - Parameters:
    ///   - memory: where the bytes are put.
    ///   - ciphertext: where those of TLS are put before.
    mutating func read(
        into memory: UnsafeMutableRawBufferPointer, ciphertext: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Arrival {
        guard isEncrypted else {
            let arrival = try receive(into: memory)
            mayHaveBytes = socketMayHaveBytes
            return arrival
        }
        // What has arrived before comes first; then the socket is asked once.
        if let arrival = try decrypt(into: memory) { return arrival }
        guard socketMayHaveBytes, !isBlocked else { return .wouldBlock }
        let isFirst = bytesReceived == 0
        switch try receive(into: ciphertext) {
        case .bytes(let count):
            // A method is a token in capitals; the types of records are control characters (RFC 8446 §5.1).
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

    /// Reads once from the socket, whatever that is.
    mutating func discard(into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Arrival {
        let arrival = try receive(into: memory)
        mayHaveBytes = socketMayHaveBytes
        return arrival
    }

    /// Sends some of the bytes from `start` on.
    ///
    /// - Returns: how many were taken; none while the peer has to take some first.
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

    /// Sends what TLS has to say. False: the peer has to take some of what was written first.
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

    /// Whether the peer's system has not taken all that was sent.
    mutating func hasUnacknowledgedBytes() -> Bool { socket?.hasUnacknowledgedBytes ?? false }

    /// What the handshake has agreed on, and the peer's certificate.
    mutating func agreement() -> (applicationProtocol: String?, certificate: ClientCertificate?) {
        var certificate: ClientCertificate?
        if let fingerprint = tls?.peerCertificateFingerprint ?? nil {
            certificate = ClientCertificate(
                verifiedFingerprint: fingerprint, der: (tls?.peerCertificateDER ?? nil) ?? [],
                notAfterSecondsSinceEpoch: (tls?.peerCertificateNotAfter ?? nil) ?? .max)
        }
        return (tls?.applicationProtocol ?? nil, certificate)
    }

    /// Sends a short text to a peer that doesn't speak TLS, as far as there is room.
    mutating func sendWithoutTLS(_ bytes: [UInt8]) { _ = try? send(bytes, from: 0) }

    /// Says that nothing more will be sent.
    mutating func finishWriting() {
        if isEncrypted {
            tls?.close()
            // There is room for so little; and of a peer that is gone there is nobody to tell.
            _ = try? flush()
        }
        socket?.shutdownWriting()
    }

    /// Gives the descriptor back.
    ///
    /// - Parameter isReset: whether the kernel drops what the peer has not taken.
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
                // Less than there was room for was all that there was.
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

    /// Nil if it needs more bytes from the peer, or must send some first.
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
            // HTTP tells by itself what is whole (RFC 9112 §9.8).
            mayHaveBytes = false
            return .endOfStream
        } catch {
            throw try failure()
        }
    }

    private mutating func encrypt(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
        do throws(TLSFailure) { return try tls?.write(bytes, from: start) ?? 0 } catch { throw try failure() }
    }

    /// Sends the alert of a failure.
    private mutating func failure() throws(Failure) -> Failure {
        mayHaveBytes = false
        return try flush() ? .encryption : .reset
    }
}
