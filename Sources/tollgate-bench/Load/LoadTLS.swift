import OpenSSL

/// The TLS layer below a conversation.
final class LoadTLS {
    private var connection: TLSConnection

    /// - Parameter context: a client context that trusts the server's certificate.
    init(_ context: TLSContext) { connection = TLSConnection(context, serverName: "127.0.0.1") }

    var output: [UInt8] { connection.output }
    var outputStart: Int { connection.outputStart }
    var outputBytes: Int { connection.outputBytes }
    var isEstablished: Bool { connection.isEstablished }

    func consumeOutput(_ count: Int) { connection.consumeOutput(count) }

    /// Encrypts the conversation's output, as far as there is room.
    func take(from conversation: any Conversation) throws {
        while conversation.outputBytes > 0 {
            let count = try connection.write(conversation.output, from: conversation.outputStart)
            guard count > 0 else { return }
            conversation.consumeOutput(count)
        }
    }

    /// Decrypts received bytes and passes the plaintext to the body.
    ///
    /// - Parameter buffer: memory for the plaintext, which is valid only during the call.
    func receive(
        _ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        connection.receive(bytes.bindMemory(to: UInt8.self).span)
        while true {
            switch try connection.read(into: buffer) {
            case .bytes(let count): try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .wouldBlock: return
            case .closed: throw BenchFailure("the server ended TLS on a connection that it should keep")
            }
        }
    }

    /// Starts the handshake.
    func begin(into buffer: UnsafeMutableRawBufferPointer) throws {
        guard case .wouldBlock = try connection.read(into: buffer) else {
            throw BenchFailure("TLS has something to say before the handshake")
        }
    }
}

/// The protocol on a connection.
struct LoadProtocol: Sendable {
    let isHTTP2: Bool
    /// The context of TLS connections; nil without TLS.
    let context: TLSContext?

    /// The number of requests in flight on one connection.
    let streams: Int

    /// The protocol's name.
    var name: String { (isHTTP2 ? "HTTP/2" : "HTTP/1.1") + (context == nil ? "" : " TLS") }

    var conversation: any Conversation {
        isHTTP2 ? HTTP2Conversation(scheme: context == nil ? "http" : "https") : HTTP1Conversation()
    }
}
