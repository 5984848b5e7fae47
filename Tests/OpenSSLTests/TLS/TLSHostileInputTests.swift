import Testing
import Values

@testable import OpenSSL

struct TLSHostileInputTests {
    let authority: TLSParty
    let client: TLSContext
    let server: TLSContext

    init() throws {
        authority = try TLSParty.authority()
        let merchant = try authority.issue("merchant", for: .client)
        client = try TLSContext(
            clientTrusting: authority.trust(), identity: merchant.identity(), applicationProtocols: ["http/1.1"])
        server = try TLSContext(
            server: authority.issue("server", for: .server).identity(),
            clientCertificates: .required(authority.trust()), applicationProtocols: ["http/1.1"])
    }

    /// A server that has the client's first flight, and the client's second.
    private func secondFlight() -> (server: TLSEnd, flight: [UInt8]) {
        let pair = TLSPair(client: client, server: server, exchanging: false)
        pair.client.advance()
        pair.server.receive(pair.client.takeOutput())
        pair.client.receive(pair.server.takeOutput())
        return (pair.server, pair.client.takeOutput())
    }

    private func hello() -> [UInt8] {
        let end = TLSEnd(client)
        end.advance()
        return end.takeOutput()
    }

    /// A handshake record in clear around a message (RFC 8446 §4, §5.1).
    private static func record(_ content: [UInt8], type: UInt8 = 22) -> [UInt8] {
        [type, 3, 3, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    // MARK: Bytes that are cut, altered or made up

    @Test func `a first flight that is cut anywhere fails`() {
        let hello = hello()
        for count in 0..<hello.count {
            let end = TLSEnd(server)
            end.receive(hello.prefix(count))
            #expect(end.failure == nil)
            #expect(end.outputBytes == 0)
            end.end()
            #expect(end.failure == .truncated)
            #expect(!end.isEstablished)
        }
    }

    @Test func `a second flight that is cut anywhere fails`() {
        let length = secondFlight().flight.count
        for count in stride(from: 0, to: length, by: 3) {
            let (end, flight) = secondFlight()
            end.receive(flight.prefix(min(count, flight.count - 1)))
            #expect(!end.isEstablished)
            end.end()
            #expect(end.failure == .truncated)
            #expect(end.fingerprint == nil)
        }
    }

    @Test func `a first flight with one altered byte never ends in a connection`() {
        let hello = hello()
        for position in hello.indices {
            var altered = hello
            altered[position] ^= 0x41
            let end = TLSEnd(server)
            end.receive(altered)
            end.end()
            #expect(end.failure != nil)
            #expect(!end.isEstablished)
        }
    }

    @Test func `a second flight with one altered byte never ends in a connection`() {
        let length = secondFlight().flight.count
        for position in stride(from: 0, to: length, by: 5) {
            var (end, flight) = secondFlight()
            flight[min(position, flight.count - 1)] ^= 0x41
            end.receive(flight)
            end.end()
            #expect(end.failure != nil)
            #expect(!end.isEstablished)
            #expect(end.fingerprint == nil)
        }
    }

    @Test func `what is made up is refused`() {
        var random = SeededGenerator(seed: 1)
        for length in 1...600 {
            let end = TLSEnd(server)
            end.receive((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            end.end()
            #expect(end.failure != nil)
            #expect(end.outputBytes <= 64)
        }
    }

    @Test(arguments: [UInt8(20), 21, 22, 23, 24, 0, 255])
    func `records of made up content are refused, also behind a good hello`(type: UInt8) {
        var random = SeededGenerator(seed: 1)
        let hello = hello()
        for length in 0...300 {
            let content = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            for prefix in [[], hello] {
                let end = TLSEnd(server)
                end.receive(prefix + Self.record(content, type: type))
                end.end()
                #expect(end.failure != nil)
                #expect(!end.isEstablished)
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\n", "HEAD / HTTP/1.0\r\n", "PUT /x HTTP/1.1\r\n"])
    func `HTTP without TLS is reported as such`(text: String) {
        let end = TLSEnd(server)
        end.receive(text.bytes)
        #expect(end.failure == .plaintextHTTP)
    }

    @Test(arguments: [
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\0\0\0\0\0\0\0\0\0\0\0", "EHLO a\r\n\r\n",
    ])
    func `what is not TLS is refused`(text: String) {
        let end = TLSEnd(server)
        end.receive(text.bytes)
        #expect(end.failure == .notTLS)
    }

    @Test func `a hello in the form of SSL 2 is refused`() {
        let end = TLSEnd(server)
        end.receive(
            hex("802e0100020015000000100100800300800700c0060040020080040080") + [UInt8](repeating: 1, count: 40))
        #expect(end.failure == .notTLS)
        #expect(end.takeOutput() == hex("15030300020246"))
    }

    // MARK: Sizes

    @Test func `a handshake may arrive byte by byte`() {
        let pair = TLSPair(client: client, server: server, exchanging: false)
        pair.client.advance()
        while pair.client.outputBytes + pair.server.outputBytes > 0 {
            pair.server.receive(pair.client.takeOutput(1))
            pair.client.receive(pair.server.takeOutput(1))
        }
        #expect(pair.isEstablished)
        #expect(pair.server.fingerprint != nil)
    }

    @Test func `a hello may come in records of one byte`() {
        let hello = hello()
        let end = TLSEnd(server)
        for byte in hello[5...] { end.receive(Self.record([byte])) }
        #expect(end.failure == nil)
        #expect(end.outputBytes > 0)
    }

    @Test(arguments: [16 * 1024 + 1, 65_536, 131_000, 0xFF_FFFF])
    func `a hello that claims to be long is refused before there is room for it`(length: Int) {
        let header = [1, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        let whole = TLSEnd(server)
        whole.receive(Self.record(header))
        #expect(whole.failure == .tooLarge)
        #expect(whole.takeOutput() == hex("1503030002022f"))
        let parts = TLSEnd(server)
        for byte in header { parts.receive(Self.record([byte])) }
        #expect(parts.failure == .tooLarge)
    }

    @Test func `a second hello that claims to be long is refused`() throws {
        var profile = TLSProfile.intermediate
        profile.groups = ["P-521", "P-384"]
        let client = try TLSContext(clientTrusting: authority.trust(), applicationProtocols: [], profile: profile)
        let pair = TLSPair(client: client, server: server, exchanging: false)
        pair.client.advance()
        pair.server.receive(pair.client.takeOutput())
        #expect(pair.server.failure == nil)
        pair.server.receive(Self.record([1], type: 20) + Self.record([1, 1, 0, 0]))
        #expect(pair.server.failure == .tooLarge)
    }

    @Test func `a chain of certificates over the limit is refused`() throws {
        let merchant = try authority.issue("merchant", for: .client)
        let others = try (0..<100).map { try authority.issue("other \($0)", for: .client).certificate }
        let client = try TLSContext(
            clientTrusting: authority.trust(), identity: merchant.identity(with: others),
            applicationProtocols: ["http/1.1"])
        let pair = TLSPair(client: client, server: server)
        #expect(pair.server.failure == .tooLarge)
        #expect(!pair.server.isEstablished)
    }

    @Test func `a record over the limit is refused`() {
        let end = TLSEnd(server)
        end.receive([22, 3, 1, 0x48, 0x01] + [UInt8](repeating: 0, count: 100))
        #expect(end.failure == .tooLarge)
    }

    @Test func `a handshake that goes on and on is refused`() {
        let end = TLSEnd(server)
        // A hello of 16 KiB, byte by byte, each in a record of its own that an empty one follows.
        end.receive(Self.record([1, 0, 0x40, 0]))
        var sent = 0
        while end.failure == nil, sent < 1 << 20 {
            let bytes = Self.record([0])
            end.receive(bytes)
            sent += bytes.count
            #expect(end.inputBytes == 0)
        }
        #expect(end.failure != nil)
        #expect(sent <= 128 * 1024)
    }

    @Test(
        arguments: [
            (20, [1]), (21, [1, 0]), (21, [1, 90]), (22, []),
        ] as [(UInt8, [UInt8])])
    func `a peer that repeats a record of nothing is cut`(type: UInt8, content: [UInt8]) {
        for prefix in [[], hello()] {
            let end = TLSEnd(server)
            end.receive(prefix)
            var count = 0
            while end.failure == nil, end.wantsBytes, count < 1000 {
                end.receive(Self.record(content, type: type))
                count += 1
            }
            #expect(end.failure != nil || end.isClosed)
            #expect(end.inputBytes == 0)
            #expect(count <= 40)
            #expect(end.outputBytes <= 8192)
        }
    }
}
