import Testing

@testable import OpenSSL

struct TLSDataTests {
    let client: TLSContext
    let server: TLSContext

    init() throws {
        let authority = try TLSParty.authority()
        client = try TLSContext(clientTrusting: authority.trust(), applicationProtocols: [])
        server = try TLSContext(
            server: authority.issue("server", for: .server).identity(), applicationProtocols: [])
    }

    /// What a connection may hold of output: what is taken, and one more record (RFC 8446 §5.2).
    private static let outputBytesMax = TLSConnection.outputBytesMax + 16 * 1024 + 5 + 256

    @Test(arguments: [1, 7, 1000, 16 * 1024, 100_000])
    func `a mebibyte arrives whole, however little of it the peer takes at a time`(pieceBytes: Int) throws {
        let pair = TLSPair(client: client, server: server)
        let bytes = (0..<(pieceBytes == 1 ? 64 << 10 : 1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var position = 0
        while position < bytes.count || pair.server.outputBytes > 0 {
            if position < bytes.count { position += try pair.server.write(bytes, from: position) }
            #expect(pair.server.outputBytes <= Self.outputBytesMax)
            pair.client.receive(pair.server.takeOutput(pieceBytes))
            #expect(pair.client.inputBytes <= pieceBytes)
        }
        #expect(pair.client.received == bytes)
    }

    @Test func `nothing is taken while the peer takes nothing`() throws {
        let pair = TLSPair(client: client, server: server)
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        var taken = 0
        while case let count = try pair.server.write(bytes, from: taken), count > 0 { taken += count }
        #expect(taken == 48 * 1024)
        #expect(try pair.server.write(bytes, from: taken) == 0)
        #expect(pair.server.outputBytes <= Self.outputBytesMax)
    }

    @Test func `a peer that sends and takes nothing is not read from`() throws {
        let pair = TLSPair(client: client, server: server)
        let bytes = [UInt8](repeating: 7, count: 100_000)
        while try pair.server.write(bytes) > 0 {}
        let ciphertext = Array(repeating: [UInt8](repeating: 9, count: 1024), count: 100)
        var count = 0
        for each in ciphertext where pair.server.wantsBytes {
            try pair.client.send(each)
            pair.server.receive(pair.client.takeOutput())
            count += 1
        }
        #expect(pair.server.received.isEmpty)
        #expect(!pair.server.wantsBytes)
        #expect(pair.server.inputBytes < TLSConnection.inputBytesMax + 2048)
        // Once it takes what waits for it, what it sent is read.
        _ = pair.server.takeOutput()
        pair.server.advance()
        #expect(pair.server.received.count == count * 1024)
        #expect(pair.server.wantsBytes)
    }

    @Test func `nothing of no bytes is sent`() throws {
        let pair = TLSPair(client: client, server: server)
        #expect(try pair.server.write([]) == 0)
        #expect(try pair.server.write([1], from: 1) == 0)
        #expect(pair.server.outputBytes == 0)
    }

    @Test func `an idle connection holds no buffers`() throws {
        let pair = TLSPair(client: client, server: server)
        try pair.client.send([UInt8](repeating: 7, count: 40_000))
        pair.exchange()
        #expect(pair.server.received.count == 40_000)
        #expect(pair.server.inputBytes == 0)
        #expect(pair.server.outputBytes == 0)
        #expect(pair.client.outputBytes == 0)
    }

    // MARK: The end

    @Test func `close_notify is the end, behind everything that was sent`() throws {
        let pair = TLSPair(client: client, server: server)
        try pair.client.send([1, 2, 3])
        pair.client.close()
        pair.exchange()
        #expect(pair.server.received == [1, 2, 3])
        #expect(pair.server.isClosed)
        #expect(pair.server.failure == nil)
        #expect(!pair.server.wantsBytes)
        // What comes behind it counts for nothing, and the other direction goes on.
        pair.server.receive([UInt8](repeating: 1, count: 100))
        #expect(pair.server.inputBytes == 0)
        pair.server.end()
        #expect(pair.server.failure == nil)
        try pair.server.send([4, 5])
        pair.exchange()
        #expect(pair.client.received == [4, 5])
        pair.server.close()
        pair.exchange()
        #expect(pair.client.isClosed)
    }

    @Test func `an end without close_notify is a truncation, and what came before it is read`() throws {
        let pair = TLSPair(client: client, server: server)
        try pair.client.send([1, 2, 3])
        pair.exchange()
        pair.server.end()
        #expect(pair.server.received == [1, 2, 3])
        #expect(pair.server.failure == .truncated)
        #expect(!pair.server.isClosed)
    }

    @Test func `an end within a record is a truncation`() throws {
        let pair = TLSPair(client: client, server: server)
        try pair.client.send([UInt8](repeating: 1, count: 100))
        pair.server.receive(pair.client.takeOutput().dropLast())
        pair.server.end()
        #expect(pair.server.received.isEmpty)
        #expect(pair.server.failure == .truncated)
    }

    @Test func `an end before the handshake is one, too`() throws {
        let end = TLSEnd(server)
        end.end()
        #expect(end.failure == .truncated)
    }

    @Test func `close_notify is sent once, and not before the handshake is done`() throws {
        let pair = TLSPair(client: client, server: server, exchanging: false)
        pair.server.close()
        #expect(pair.server.outputBytes == 0)
        pair.exchange()
        #expect(pair.isEstablished)
        pair.server.close()
        let bytes = pair.server.takeOutput()
        #expect(bytes.count > 0)
        pair.server.close()
        #expect(pair.server.outputBytes == 0)
    }

    @Test func `a record that was altered on its way ends the connection`() throws {
        let pair = TLSPair(client: client, server: server)
        try pair.client.send([1, 2, 3])
        var record = pair.client.takeOutput()
        record[record.count - 1] ^= 1
        pair.server.receive(record)
        #expect(pair.server.failure == .recordAltered)
        #expect(pair.server.received.isEmpty)
        // bad_record_mac
        pair.client.receive(pair.server.takeOutput())
        #expect(pair.client.failure == .alertReceived(number: 20))
    }

    @Test func `a record that arrives twice ends the connection`() throws {
        let pair = TLSPair(client: client, server: server)
        try pair.client.send([1, 2, 3])
        let record = pair.client.takeOutput()
        pair.server.receive(record + record)
        #expect(pair.server.received == [1, 2, 3])
        #expect(pair.server.failure == .recordAltered)
    }

    @Test func `a failure stays, and nothing more is taken`() throws {
        let pair = TLSPair(client: client, server: server)
        pair.server.receive([UInt8](repeating: 0, count: 64))
        let failure = try #require(pair.server.failure)
        #expect(throws: failure) { try pair.server.write([1]) }
        pair.server.receive([UInt8](repeating: 0, count: 1 << 20))
        #expect(pair.server.inputBytes == 0)
        #expect(!pair.server.wantsBytes)
    }
}
