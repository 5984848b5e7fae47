import HTTPServer
import OpenSSL

/// Something that bytes go over.
protocol ByteChannel: Sendable {
    func send(_ bytes: [UInt8]) async throws
    /// What comes next; empty at the end.
    func receiveSome() async throws -> [UInt8]
}

extension RawClient: ByteChannel {}

/// A client that speaks TLS over a ``RawClient``.
actor SecureClient: ByteChannel {
    private let raw: RawClient
    private var tls: TLSConnection
    private var received: [UInt8] = []
    private(set) var isClosed = false
    private let pieceBytes: Int

    /// Connects and shakes hands.
    ///
    /// - Parameter pieceBytes: ciphertext is sent in pieces of so many bytes.
    init(
        _ address: BoundAddress, _ context: TLSContext, receiveBytesMax: Int32? = nil, pieceBytes: Int = .max
    ) async throws {
        raw = try RawClient(address, receiveBytesMax: receiveBytesMax)
        tls = TLSConnection(context, serverName: "localhost")
        self.pieceBytes = pieceBytes
        while !tls.isEstablished { try await exchange() }
        try await sendOutput()
    }

    var applicationProtocol: String? { tls.applicationProtocol }

    func send(_ bytes: [UInt8]) async throws {
        var start = 0
        while start < bytes.count {
            start += try tls.write(bytes, from: start)
            try await sendOutput()
        }
    }

    func receiveSome() async throws -> [UInt8] {
        while received.isEmpty, !isClosed {
            let wasOpen = try await exchange()
            guard wasOpen else { break }
        }
        defer { received = [] }
        return received
    }

    /// One response without pipelined ones behind it: its head, and its content by `Content-Length`.
    func response() async throws -> (head: String, body: String) {
        var bytes: [UInt8] = []
        while true {
            let end = bytes.indices.dropFirst(3).first { bytes[($0 - 3)...$0].elementsEqual("\r\n\r\n".utf8) }
            if let end {
                let head = String(decoding: bytes[..<(end - 3)], as: UTF8.self)
                let field = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                let length = field.flatMap { Int($0.dropFirst(16)) } ?? 0
                while bytes.count < end + 1 + length { bytes += try await receiveMore() }
                return (head, String(decoding: bytes[(end + 1)...], as: UTF8.self))
            }
            bytes += try await receiveMore()
        }
    }

    private func receiveMore() async throws -> [UInt8] {
        let more = try await receiveSome()
        guard !more.isEmpty else { throw RawClient.Failure(call: "end of stream", errno: 0) }
        return more
    }

    /// All that comes before the connection ends by `close_notify`.
    func remainder() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !isClosed { bytes += try await receiveSome() }
        return bytes + received
    }

    /// Waits for bytes and takes them; false at the end of the connection.
    @discardableResult
    private func exchange() async throws -> Bool {
        try read()
        try await sendOutput()
        guard received.isEmpty, !isClosed else { return true }
        let bytes = try await raw.receiveSome()
        if bytes.isEmpty { tls.receiveEnd() } else { tls.receive(bytes.span) }
        try read()
        return !bytes.isEmpty
    }

    private func read() throws {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let read = try buffer.withUnsafeMutableBytes { try tls.read(into: $0) }
            switch read {
            case .bytes(let count): received.append(contentsOf: buffer[..<count])
            case .wouldBlock: return
            case .closed:
                isClosed = true
                return
            }
        }
    }

    private func sendOutput() async throws {
        while tls.outputBytes > 0 {
            let piece = Array(tls.output[tls.outputStart...].prefix(pieceBytes))
            tls.consumeOutput(piece.count)
            try await raw.send(piece)
        }
    }
}
