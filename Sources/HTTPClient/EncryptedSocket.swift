internal import Glibc
internal import OpenSSL

/// TLS over a socket.
struct EncryptedSocket: ~Copyable, ByteStream {
    private var tls: TLSConnection
    private let socket: ClientSocket

    init(_ context: TLSContext, serverName: String, over socket: consuming ClientSocket) {
        tls = TLSConnection(context, serverName: serverName)
        self.socket = socket
    }

    mutating func handshake() throws(HTTPClientError) {
        while !tls.isEstablished {
            guard try read() == nil else { throw .closedInHandshake }
        }
    }

    mutating func send(_ bytes: [UInt8]) throws(HTTPClientError) {
        var written = 0
        while written < bytes.count {
            do throws(TLSFailure) { written += try tls.write(bytes, from: written) } catch { throw .tls(error) }
            try flush()
        }
    }

    mutating func receive() throws(HTTPClientError) -> [UInt8] {
        while true {
            if let bytes = try read() { return bytes }
        }
    }

    /// Performs one step. Returns bytes, an empty array at the end of the stream, or nil if there are no bytes yet.
    private mutating func read() throws(HTTPClientError) -> [UInt8]? {
        let wasEstablished = tls.isEstablished
        var chunk = [UInt8](repeating: 0, count: 8192)
        var result = TLSConnection.Read.wouldBlock
        var failure: TLSFailure?
        chunk.withUnsafeMutableBytes { buffer in
            do throws(TLSFailure) { result = try tls.read(into: buffer) } catch { failure = error }
        }
        if let failure {
            // OpenSSL's alert about the failure is sent to the server if possible.
            try? flush()
            throw .tls(failure)
        }
        try flush()
        switch result {
        case .bytes(let count): return Array(chunk[..<count])
        case .closed: return []
        case .wouldBlock:
            // After the handshake the client sends first: the server may send nothing before it gets the request.
            guard tls.isEstablished == wasEstablished else { return nil }
            let received = try socket.receive()
            if received.isEmpty { tls.receiveEnd() } else { tls.receive(received.span) }
            return nil
        }
    }

    private mutating func flush() throws(HTTPClientError) {
        guard tls.outputBytes > 0 else { return }
        let output = Array(tls.output[tls.outputStart...])
        try socket.send(output)
        tls.consumeOutput(output.count)
    }
}

extension TLSContext {
    /// Creates a client's TLS context that trusts the system's certificate authorities.
    static func trustingMachine() throws(HTTPClientError) -> TLSContext {
        let path = getenv("SSL_CERT_FILE").map { String(cString: $0) } ?? "/etc/ssl/certs/ca-certificates.crt"
        do throws(OpenSSLError) {
            return try TLSContext(
                clientTrusting: try TrustStore(rootsFile: path), applicationProtocols: ["http/1.1"])
        } catch {
            throw .noAuthorities(path: path, error)
        }
    }
}
