/// How a connection's bytes travel: over its socket as they are.
///
/// Sole owner of the socket.
struct Transport: ~Copyable {
    /// Of the socket, only to be watched while that is open.
    let descriptor: Int32

    /// Nil once closed.
    private var socket: Socket?
    /// Whether a read may find something, as far as is known without asking the kernel again.
    private(set) var mayHaveBytes = false
    /// Bytes taken to be sent since the connection was accepted.
    private(set) var bytesSent: UInt64 = 0

    init(_ socket: consuming Socket) {
        descriptor = socket.descriptor
        self.socket = consume socket
    }

    /// Whether the peer's system has not taken all that was sent.
    mutating func hasUnacknowledgedBytes() -> Bool { socket?.hasUnacknowledgedBytes ?? false }

    /// Takes note that the socket has something to read.
    mutating func socketIsReadable() { mayHaveBytes = true }

    /// Reads once.
    mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(HTTPServerError) -> Socket.Transfer {
        let transfer = try socket?.read(into: memory) ?? .endOfStream
        // Less than there was room for was all that there was.
        mayHaveBytes = transfer == .bytes(memory.count)
        return transfer
    }

    /// Sends some of the bytes, which are not empty.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPServerError) -> Socket.Transfer {
        let transfer = try socket?.write(bytes) ?? .wouldBlock
        if case .bytes(let count) = transfer { bytesSent &+= UInt64(count) }
        return transfer
    }

    /// Says that nothing more will be sent.
    mutating func finishWriting() { socket?.shutdownWriting() }

    /// Gives the descriptor back.
    mutating func close() { socket = nil }
}
