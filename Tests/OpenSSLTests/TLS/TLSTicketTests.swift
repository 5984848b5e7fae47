import Testing

@testable import OpenSSL

struct TLSTicketTests {
    let authority: TLSParty
    let merchant: TLSParty
    let identity: TLSIdentity

    static let versions: [Int32] = [0x0303, 0x0304]

    init() throws {
        authority = try TLSParty.authority()
        merchant = try authority.issue("merchant", for: .client)
        identity = try authority.issue("server", for: .server).identity()
    }

    private func server(_ policy: TLSContext.ClientCertificates = .none) throws -> TLSContext {
        try TLSContext(server: identity, clientCertificates: policy, applicationProtocols: ["http/1.1"])
    }

    private func client(_ version: Int32) throws -> TLSContext {
        var profile = TLSProfile.intermediate
        profile.versionMax = version
        return try TLSContext(
            clientTrusting: authority.trust(), identity: merchant.identity(), applicationProtocols: ["http/1.1"],
            profile: profile)
    }

    private func session(_ client: TLSContext, _ server: TLSContext) throws -> TLSSession {
        let pair = TLSPair(client: client, server: server)
        #expect(pair.isEstablished)
        #expect(!pair.server.isResumed)
        return try #require(pair.client.session)
    }

    @Test(arguments: versions)
    func `a ticket resumes, and so does the one that comes of it`(version: Int32) throws {
        let (client, server) = (try client(version), try server())
        let first = try session(client, server)
        let second = TLSPair(client: client, server: server, resuming: first)
        #expect(second.isEstablished)
        #expect(second.server.isResumed)
        let renewed: TLSSession = try #require(second.client.session)
        let third = TLSPair(client: client, server: server, resuming: renewed)
        #expect(third.isEstablished)
        #expect(third.server.isResumed)
        #expect(third.server.applicationProtocol == "http/1.1")
    }

    @Test(arguments: versions)
    func `a connection that resumes keeps the client's certificate`(version: Int32) throws {
        for policy in try [TLSContext.ClientCertificates.required(authority.trust()), .optional(authority.trust())] {
            let (client, server) = (try client(version), try server(policy))
            let session = try session(client, server)
            let resumed = TLSPair(client: client, server: server, resuming: session)
            #expect(resumed.server.isResumed)
            #expect(resumed.server.fingerprint == merchant.certificate.fingerprint)
        }
    }

    @Test(arguments: versions)
    func `a ticket outlives one rotation of the keys, and not two`(version: Int32) throws {
        let (client, server) = (try client(version), try server())
        let session = try session(client, server)
        server.rotateTicketKeys()
        let second = TLSPair(client: client, server: server, resuming: session)
        #expect(second.server.isResumed)
        server.rotateTicketKeys()
        let third = TLSPair(client: client, server: server, resuming: session)
        #expect(third.isEstablished)
        #expect(!third.server.isResumed)
        // The second's was made when the keys had been rotated once.
        let renewed: TLSSession = try #require(second.client.session)
        let fourth = TLSPair(client: client, server: server, resuming: renewed)
        #expect(fourth.server.isResumed)
    }

    @Test(arguments: versions)
    func `a ticket is worth nothing to another context, be it like the one it is from`(version: Int32) throws {
        let client = try client(version)
        let session = try session(client, try server())
        for policy in try [
            TLSContext.ClientCertificates.none, .optional(authority.trust()), .required(authority.trust()),
        ] {
            let pair = TLSPair(client: client, server: try server(policy), resuming: session)
            #expect(pair.isEstablished)
            #expect(!pair.server.isResumed)
        }
    }

    @Test(arguments: versions)
    func `a ticket does not take the place of a certificate that is required since`(version: Int32) throws {
        var profile = TLSProfile.intermediate
        profile.versionMax = version
        let nobody = try TLSContext(
            clientTrusting: authority.trust(), applicationProtocols: ["http/1.1"], profile: profile)
        let session = try session(nobody, try server())
        let pair = TLSPair(client: nobody, server: try server(.required(authority.trust())), resuming: session)
        #expect(pair.server.failure == .certificateMissing)
    }

    @Test(arguments: versions)
    func `an altered ticket does not resume`(version: Int32) throws {
        let (client, server) = (try client(version), try server())
        let session = try session(client, server)
        let hello = TLSEnd(client, resuming: session)
        hello.advance()
        let bytes = hello.takeOutput()
        let ticket = try Self.ticket(in: bytes)
        #expect(ticket.count > 100)
        for position in ticket {
            var altered = bytes
            altered[position] ^= 0x20
            let end = TLSEnd(server)
            end.receive(altered)
            #expect(!end.isResumed)
            #expect(end.failure == nil)
        }
        let untouched = TLSEnd(server)
        untouched.receive(bytes)
        #expect(untouched.isResumed)
    }

    /// Where the ticket lies in a ClientHello: in `session_ticket` (RFC 5077 §3.2) or `pre_shared_key` (RFC 8446 §4.2.11).
    private static func ticket(in hello: [UInt8]) throws -> Range<Int> {
        func number(at position: Int) -> Int { Int(hello[position]) << 8 | Int(hello[position + 1]) }
        // The headers of record and message, version and random.
        var position = 5 + 4 + 2 + 32
        position += 1 + Int(hello[position])
        position += 2 + number(at: position)
        position += 1 + Int(hello[position]) + 2
        while position < hello.count {
            let (kind, count) = (number(at: position), number(at: position + 2))
            position += 4
            if kind == 35, count > 0 { return position..<(position + count) }
            if kind == 41 { return (position + 4)..<(position + 4 + number(at: position + 2)) }
            position += count
        }
        throw NoTicket()
    }

    struct NoTicket: Error {}

    @Test func `tickets of one key differ, and none holds the certificate in clear`() throws {
        let (client, server) = (try client(0x0303), try server(.required(authority.trust())))
        var flights: [[UInt8]] = []
        for _ in 0..<2 {
            let end = TLSEnd(client, resuming: try session(client, server))
            end.advance()
            flights.append(end.takeOutput())
        }
        let modulus = Array(merchant.certificate.der.suffix(32))
        for flight in flights {
            #expect(!flight.indices.contains { flight[$0...].starts(with: modulus) })
        }
        #expect(flights[0].suffix(64) != flights[1].suffix(64))
    }
}
