import Glibc

/// One keep-alive connection.
final class LoadConnection {
    private let socket: LoadSocket
    private let tls: LoadTLS?
    private let conversation: any Conversation
    /// The maximum number of requests in flight.
    let streams: Int

    /// Connects to a port of 127.0.0.1. Starts a TLS handshake, which ``receive(_:_:)`` continues.
    init(port: UInt16, _ kind: LoadProtocol, _ buffers: LoadBuffers) throws {
        socket = try LoadSocket(port: port)
        tls = kind.context.map { LoadTLS($0) }
        conversation = kind.conversation
        streams = kind.streams
        try tls?.begin(into: buffers.plaintext)
        try flush()
    }

    var descriptor: Int32 { socket.descriptor }
    var inFlight: Int { conversation.inFlight }

    /// Whether requests can be sent: without TLS always, with TLS after the handshake.
    var isReady: Bool { tls?.isEstablished ?? true }

    /// Sends a request.
    ///
    /// - Returns: false if the socket had no room for all of it; see ``flush()``.
    func begin(_ request: LoadRequest) throws -> Bool {
        try conversation.begin(request)
        return try flush()
    }

    /// Sends the pending output. Returns false if the socket had no room for all of it.
    @discardableResult
    func flush() throws -> Bool {
        guard let tls else {
            while conversation.outputBytes > 0 {
                let count = try socket.write(conversation.output, from: conversation.outputStart)
                guard count > 0 else { return false }
                conversation.consumeOutput(count)
            }
            return true
        }
        repeat {
            if tls.isEstablished { try tls.take(from: conversation) }
            while tls.outputBytes > 0 {
                let count = try socket.write(tls.output, from: tls.outputStart)
                guard count > 0 else { return false }
                tls.consumeOutput(count)
            }
        } while tls.isEstablished && conversation.outputBytes > 0
        return true
    }

    /// Receives bytes, passes each complete answer with its request to the body, then sends the resulting output.
    ///
    /// - Returns: false if the socket had no room for all of the output.
    func receive(_ buffers: LoadBuffers, _ body: (LoadRequest, LoadAnswer) throws -> Void) throws -> Bool {
        guard let count = try socket.read(into: buffers.received) else { return true }
        guard count > 0 else { throw ConnectionLost("the server closed a connection that it should keep") }
        let bytes = UnsafeRawBufferPointer(rebasing: buffers.received[..<count])
        if let tls {
            try tls.receive(bytes, into: buffers.plaintext) { try conversation.receive($0, body) }
        } else {
            try conversation.receive(bytes, body)
        }
        return try flush()
    }

    /// Makes the connection send a reset when it is closed, so that the server's pending answers are lost.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Adds a request to the pending output.
    func prepare(_ request: LoadRequest) throws {
        try conversation.begin(request)
        if let tls, tls.isEstablished { try tls.take(from: conversation) }
    }

    /// Sends the beginning of the pending output, for a connection that is about to be cut.
    func flushPart(_ count: Int) throws {
        let output = tls?.output ?? conversation.output
        let start = tls?.outputStart ?? conversation.outputStart
        _ = try socket.write(Array(output[start...].prefix(count)), from: 0)
    }
}

/// The server closed the connection unexpectedly.
struct ConnectionLost: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The receive buffers, shared by all connections, which use them one at a time.
final class LoadBuffers {
    let received = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    deinit {
        received.deallocate()
        plaintext.deallocate()
    }
}

extension RequestBatch.Entry {
    /// Throws if an answer is wrong.
    func check(_ answer: LoadAnswer) throws {
        let isExpected = expected.withUnsafeBytes { $0.isEmpty || answer.content.position(of: $0) != nil }
        guard answer.status == status, isExpected else {
            throw BenchFailure(
                """
                a wrong answer: \(answer.status) \(String(decoding: answer.content.prefix(2000), as: UTF8.self))
                to \(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
                """)
        }
    }
}
