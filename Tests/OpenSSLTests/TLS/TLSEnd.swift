@testable import OpenSSL

/// One side of a connection in memory, and what has come of it.
final class TLSEnd {
    private var connection: TLSConnection
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false
    private(set) var failure: TLSFailure?

    init(_ context: TLSContext, serverName: String? = nil, resuming session: TLSSession? = nil) {
        connection = TLSConnection(context, serverName: serverName, resuming: session)
    }

    /// Reads until there is nothing to read.
    func advance() {
        guard failure == nil else { return }
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            do throws(TLSFailure) {
                while case .bytes(let count) = try read(into: buffer) {
                    received.append(contentsOf: buffer[..<count])
                }
            } catch {
                failure = error
            }
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSFailure) -> TLSConnection.Read {
        let read = try connection.read(into: buffer)
        if read == .closed { isClosed = true }
        return read
    }

    func receive(_ bytes: some Collection<UInt8>) {
        connection.receive(Array(bytes).span)
        advance()
    }

    func end() {
        connection.receiveEnd()
        advance()
    }

    /// Takes the output, or the beginning of it.
    func takeOutput(_ countMax: Int = .max) -> [UInt8] {
        let start = connection.outputStart
        let bytes = Array(connection.output[start...].prefix(countMax))
        connection.consumeOutput(bytes.count)
        return bytes
    }

    func send(_ bytes: [UInt8]) throws {
        var position = 0
        while position < bytes.count {
            let count = try connection.write(bytes, from: position)
            guard count > 0 else { throw Stuck() }
            position += count
        }
    }

    func write(_ bytes: [UInt8], from start: Int = 0) throws -> Int { try connection.write(bytes, from: start) }
    func close() { connection.close() }

    var isEstablished: Bool { connection.isEstablished }
    var applicationProtocol: String? { connection.applicationProtocol }
    var fingerprint: [UInt8]? { connection.peerCertificateFingerprint }
    var version: TLSVersion? { connection.version }
    var cipherSuite: String? { connection.cipherSuite }
    var isResumed: Bool { connection.isResumed }
    var session: TLSSession? { connection.session }
    var inputBytes: Int { connection.inputBytes }
    var outputBytes: Int { connection.outputBytes }
    var wantsBytes: Bool { connection.wantsBytes }

    /// A write was not taken.
    struct Stuck: Error {}
}

/// A client and a server that exchange bytes until neither has any for the other.
struct TLSPair {
    let client: TLSEnd
    let server: TLSEnd

    init(
        client: TLSContext, server: TLSContext, serverName: String? = nil, resuming session: TLSSession? = nil,
        exchanging: Bool = true
    ) {
        self.client = TLSEnd(client, serverName: serverName, resuming: session)
        self.server = TLSEnd(server)
        if exchanging { exchange() }
    }

    func exchange() {
        client.advance()
        server.advance()
        while client.outputBytes + server.outputBytes > 0 {
            server.receive(client.takeOutput())
            client.receive(server.takeOutput())
        }
    }

    /// Both are done with the handshake, and neither has failed since.
    var isEstablished: Bool {
        client.isEstablished && server.isEstablished && client.failure == nil
            && server.failure == nil
    }
}
