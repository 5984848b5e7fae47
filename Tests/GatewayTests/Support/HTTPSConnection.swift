import OpenSSL

/// A connection over TLS, over which a test sends whatever bytes it likes.
final class HTTPSConnection {
    private let transport: HTTPConnection
    private var tls: TLSConnection
    private var received: [UInt8] = []

    /// Connects to a port of this machine, and waits until the handshake is done.
    init(port: UInt16, _ context: TLSContext) throws {
        transport = try HTTPConnection(port: port)
        tls = TLSConnection(context)
        while try read(), !tls.isEstablished { try receive() }
        try flush()
    }

    /// The fingerprint of the certificate that the server has shown.
    var serverFingerprint: [UInt8]? { tls.peerCertificateFingerprint }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard try tls.write(bytes) == bytes.count else { throw HTTPConnection.Failure.endedEarly }
        try flush()
    }

    /// The next response, of whose length its head must tell.
    func receiveResponse() throws -> HTTPReply {
        while true {
            if let reply = try HTTPReply(takenFrom: &received) { return reply }
            try receive()
            guard try read() || !received.isEmpty else { throw HTTPConnection.Failure.endedEarly }
        }
    }

    private func receive() throws {
        let bytes = try transport.receiveSome()
        if bytes.isEmpty { tls.receiveEnd() } else { tls.receive(bytes.span) }
    }

    private func flush() throws {
        try transport.send(Array(tls.output[tls.outputStart...]))
        tls.consumeOutput(tls.outputBytes)
    }

    /// Reads what there is; false at the end.
    private func read() throws -> Bool {
        defer { try? flush() }
        return try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            while true {
                switch try tls.read(into: buffer) {
                case .bytes(let count): received += buffer[..<count]
                case .wouldBlock: return true
                case .closed: return false
                }
            }
        }
    }
}
