import Testing
import Values

@testable import OpenSSL

struct TLSClientCertificateTests {
    let authority: TLSParty
    let server: TLSIdentity

    static let versions: [Int32] = [0x0303, 0x0304]

    init() throws {
        authority = try TLSParty.authority()
        server = try authority.issue("server", for: .server).identity()
    }

    private func server(_ policy: TLSContext.ClientCertificates) throws -> TLSContext {
        try TLSContext(server: server, clientCertificates: policy, applicationProtocols: [])
    }

    private func client(_ identity: TLSIdentity?, version: Int32 = 0x0304) throws -> TLSContext {
        var profile = TLSProfile.intermediate
        profile.versionMin = version
        profile.versionMax = version
        // A client that presents what it should not.
        profile.securityLevel = 0
        return try TLSContext(
            clientTrusting: authority.trust(), identity: identity, applicationProtocols: [], profile: profile)
    }

    private func expectRefusal(
        _ identity: TLSIdentity, code: Int32, alert: Int32, trust: TrustStore? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for version in Self.versions {
            for policy in try [
                TLSContext.ClientCertificates.required(trust ?? authority.trust()),
                .optional(trust ?? authority.trust()),
            ] {
                let pair = TLSPair(client: try client(identity, version: version), server: try server(policy))
                #expect(pair.server.failure == .certificateRefused(code: code), sourceLocation: sourceLocation)
                #expect(pair.client.failure == .alertReceived(number: alert), sourceLocation: sourceLocation)
                #expect(!pair.server.isEstablished, sourceLocation: sourceLocation)
                #expect(pair.server.fingerprint == nil, sourceLocation: sourceLocation)
            }
        }
    }

    // MARK: Accepted

    @Test(arguments: versions, [TLSParty.Usage.client, .any])
    func `a valid certificate is accepted, and its fingerprint is known`(
        version: Int32, usage: TLSParty.Usage
    ) throws {
        let merchant = try authority.issue("merchant", for: usage)
        for policy in try [TLSContext.ClientCertificates.required(authority.trust()), .optional(authority.trust())] {
            let pair = TLSPair(
                client: try client(merchant.identity(), version: version), server: try server(policy))
            #expect(pair.isEstablished)
            #expect(pair.server.fingerprint == merchant.certificate.fingerprint)
        }
    }

    @Test(arguments: TLSParty.Key.allCases)
    func `a certificate's key may be of every kind`(key: TLSParty.Key) throws {
        let merchant = try authority.issue("merchant", for: .client, key: key)
        for version in Self.versions {
            let pair = TLSPair(
                client: try client(merchant.identity(), version: version),
                server: try server(.required(authority.trust())))
            #expect(pair.server.fingerprint == merchant.certificate.fingerprint)
        }
    }

    @Test func `intermediate authorities come with the certificate`() throws {
        let intermediate = try authority.intermediate("intermediate")
        let merchant = try intermediate.issue("merchant", for: .client)
        let pair = TLSPair(
            client: try client(merchant.identity(with: [intermediate.certificate])),
            server: try server(.required(authority.trust())))
        #expect(pair.server.fingerprint == merchant.certificate.fingerprint)
        try expectRefusal(merchant.identity(), code: 20, alert: 48)
    }

    @Test func `an intermediate authority may be what is trusted`() throws {
        let intermediate = try authority.intermediate("intermediate")
        let merchant = try intermediate.issue("merchant", for: .client)
        let pair = TLSPair(
            client: try client(merchant.identity()), server: try server(.required(intermediate.trust())))
        #expect(pair.server.fingerprint == merchant.certificate.fingerprint)
    }

    @Test func `a client's own certificate may be what is trusted, and then no other is`() throws {
        let merchant = try authority.issue("merchant", for: .client)
        let pair = TLSPair(
            client: try client(merchant.identity()), server: try server(.required(merchant.trust())))
        #expect(pair.server.fingerprint == merchant.certificate.fingerprint)
        let other = try authority.issue("other", for: .client)
        try expectRefusal(other.identity(), code: 20, alert: 48, trust: merchant.trust())
    }

    @Test func `a certificate that signs itself may be what is trusted`() throws {
        let merchant = try TLSParty.selfSigned("merchant", for: .client)
        let pair = TLSPair(
            client: try client(merchant.identity()), server: try server(.required(merchant.trust())))
        #expect(pair.server.fingerprint == merchant.certificate.fingerprint)
    }

    @Test func `where certificates are optional a client without one is served`() throws {
        let pair = TLSPair(client: try client(nil), server: try server(.optional(authority.trust())))
        #expect(pair.isEstablished)
        #expect(pair.server.fingerprint == nil)
    }

    @Test(arguments: versions)
    func `where a certificate is only asked for, one that is not valid counts as none`(version: Int32) throws {
        let policy = TLSContext.ClientCertificates.requested(try authority.trust(), of: [authority.certificate])
        let merchant = try authority.issue("merchant", for: .client)
        let expired = try authority.issue(
            "merchant", for: .client, from: TLSParty.now - 2 * TLSParty.day, to: TLSParty.now - TLSParty.day)
        let other = try TLSParty.selfSigned("merchant", for: .client)
        for (identity, fingerprint) in try [
            (merchant.identity(), merchant.certificate.fingerprint), (expired.identity(), nil), (other.identity(), nil),
        ] {
            let pair = TLSPair(client: try client(identity, version: version), server: try server(policy))
            #expect(pair.isEstablished)
            #expect(pair.server.fingerprint == fingerprint)
        }
        let pair = TLSPair(client: try client(nil, version: version), server: try server(policy))
        #expect(pair.isEstablished && pair.server.fingerprint == nil)
    }

    @Test func `a server that asks for no certificate gets none`() throws {
        let merchant = try authority.issue("merchant", for: .client)
        let pair = TLSPair(client: try client(merchant.identity()), server: try server(.none))
        #expect(pair.isEstablished)
        #expect(pair.server.fingerprint == nil)
    }

    @Test func `a client knows its server's certificate`() throws {
        let pair = TLSPair(client: try client(nil), server: try server(.none))
        #expect(pair.client.fingerprint == server.certificate.fingerprint)
    }

    // MARK: Refused

    @Test(arguments: [(0x0303, 40), (0x0304, 116)] as [(Int32, Int32)])
    func `where certificates are required a client without one is refused`(version: Int32, alert: Int32) throws {
        let pair = TLSPair(
            client: try client(nil, version: version), server: try server(.required(authority.trust())))
        #expect(pair.server.failure == .certificateMissing)
        #expect(pair.client.failure == .alertReceived(number: alert))
        #expect(!pair.server.isEstablished)
    }

    @Test func `a certificate that has expired is refused`() throws {
        let merchant = try authority.issue(
            "merchant", for: .client, from: TLSParty.now - 2 * TLSParty.day, to: TLSParty.now - TLSParty.day)
        try expectRefusal(merchant.identity(), code: 10, alert: 45)
        try expectRefusal(merchant.identity(), code: 10, alert: 45, trust: merchant.trust())
    }

    @Test func `a certificate that is not valid yet is refused`() throws {
        let merchant = try authority.issue(
            "merchant", for: .client, from: TLSParty.now + TLSParty.day, to: TLSParty.now + 2 * TLSParty.day)
        try expectRefusal(merchant.identity(), code: 9, alert: 42)
    }

    @Test func `a certificate of another authority is refused`() throws {
        let merchant = try TLSParty.authority("other").issue("merchant", for: .client)
        try expectRefusal(merchant.identity(), code: 20, alert: 48)
    }

    @Test func `a certificate of another authority of the same name is refused`() throws {
        let merchant = try TLSParty.authority().issue("merchant", for: .client)
        try expectRefusal(merchant.identity(), code: 20, alert: 48)
    }

    @Test func `an authority that comes with the certificate is not trusted for that`() throws {
        let other = try TLSParty.authority("other")
        let merchant = try other.issue("merchant", for: .client)
        try expectRefusal(merchant.identity(with: [other.certificate]), code: 19, alert: 48)
    }

    @Test func `a server's certificate is refused`() throws {
        let merchant = try authority.issue("merchant", for: .server)
        try expectRefusal(merchant.identity(), code: 26, alert: 43)
        try expectRefusal(merchant.identity(), code: 26, alert: 43, trust: merchant.trust())
    }

    @Test func `a certificate that signs itself is refused`() throws {
        try expectRefusal(TLSParty.selfSigned("merchant", for: .client).identity(), code: 18, alert: 48)
    }

    @Test func `a certificate with another signature is refused`() throws {
        let merchant = try authority.issue("merchant", for: .client)
        var der = merchant.certificate.der
        der[der.count - 1] ^= 1
        let altered = TLSParty(key: merchant.key, certificate: try Certificate(der: der))
        try expectRefusal(altered.identity(), code: 7, alert: 51)
    }

    @Test func `a certificate of one that is no authority is refused`() throws {
        let holder = try authority.issue("holder", for: .client)
        let merchant = try holder.issue("merchant", for: .client)
        try expectRefusal(merchant.identity(with: [holder.certificate]), code: 79, alert: 48)
    }

    @Test func `a chain of five authorities is refused`() throws {
        var chain = [authority]
        for level in 1...5 { chain.append(try chain[level - 1].intermediate("intermediate \(level)")) }
        let merchant = try chain[5].issue("merchant", for: .client)
        try expectRefusal(merchant.identity(with: chain[1...].reversed().map(\.certificate)), code: 22, alert: 48)
    }

    @Test(
        .enabled(if: OpenSSLCommand.isInstalled),
        arguments: [("rsa:1024", "sha256", 66), ("rsa:2048", "sha1", 68)] as [(String, String, Int32)])
    func `a weak certificate is refused`(key: String, digest: String, code: Int32) throws {
        let command = try OpenSSLCommand()
        try command.write("authority.pem", authority.certificate.pem())
        try command.write("authority-key.pem", authority.key.pem().withUnsafeBytes { Array($0) })
        try command.run("req -newkey \(key) -nodes -keyout key.pem -out request.pem -subj /CN=merchant")
        try command.run(
            "x509 -req -in request.pem -CA authority.pem -CAkey authority-key.pem -\(digest) -out certificate.pem -days 2"
        )
        let merchant = TLSParty(
            key: try command.read("key.pem").withUnsafeBytes { try PrivateKey(pem: $0) },
            certificate: try Certificate(pem: command.read("certificate.pem")))
        try expectRefusal(merchant.identity(), code: code, alert: 42)
    }
}
