import Testing

@testable import OpenSSL

struct TLSHandshakeTests {
    let authority: TLSParty

    init() throws { authority = try TLSParty.authority() }

    private func server(
        _ kind: TLSParty.Key = .p256, applicationProtocols: [String] = ["h2", "http/1.1"]
    ) throws -> TLSContext {
        try TLSContext(
            server: authority.issue("server", for: .server, key: kind).identity(),
            applicationProtocols: applicationProtocols)
    }

    private func client(
        applicationProtocols: [String] = [], _ change: (inout TLSProfile) -> Void = { _ in }
    ) throws -> TLSContext {
        var profile = TLSProfile.intermediate
        change(&profile)
        return try TLSContext(
            clientTrusting: authority.trust(), applicationProtocols: applicationProtocols, profile: profile)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], TLSParty.Key.allCases)
    func `both versions come about with every kind of key`(version: TLSVersion, key: TLSParty.Key) throws {
        let number = version == .tls12 ? 0x0303 : 0x0304
        let client = try client { $0.versionMax = Int32(number) }
        let pair = TLSPair(client: client, server: try server(key))
        #expect(pair.server.failure == nil)
        #expect(pair.isEstablished)
        #expect(pair.server.version == version)
        #expect(pair.client.version == version)
        try pair.client.send(Array("ping".utf8))
        try pair.server.send(Array("pong".utf8))
        pair.exchange()
        #expect(pair.server.received == Array("ping".utf8))
        #expect(pair.client.received == Array("pong".utf8))
    }

    @Test(arguments: [(0x0301, 0x0301), (0x0302, 0x0302), (0x0301, 0x0302)] as [(Int32, Int32)])
    func `TLS 1 and 1·1 are refused`(versionMin: Int32, versionMax: Int32) throws {
        let client = try client {
            $0.versionMin = versionMin
            $0.versionMax = versionMax
            $0.securityLevel = 0
            $0.suites = ["ALL"]
            $0.signatureAlgorithms += ["ECDSA+SHA1", "RSA+SHA1"]
        }
        let pair = TLSPair(client: client, server: try server())
        #expect(pair.server.failure == .versionUnsupported)
        #expect(pair.client.failure == .alertReceived(number: 70))
    }

    static let accepted12: [(String, TLSParty.Key, String)] = [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", .p256, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
        ("ECDHE-ECDSA-AES256-GCM-SHA384", .p384, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
        ("ECDHE-ECDSA-CHACHA20-POLY1305", .p256, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
        ("ECDHE-RSA-AES128-GCM-SHA256", .rsa2048, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
        ("ECDHE-RSA-AES256-GCM-SHA384", .rsa2048, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
        ("ECDHE-RSA-CHACHA20-POLY1305", .rsa2048, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
    ]

    @Test(arguments: accepted12)
    func `a suite of TLS 1·2 with ECDHE and AEAD is accepted`(suite: String, key: TLSParty.Key, name: String) throws {
        let client = try client {
            $0.versionMax = 0x0303
            $0.suites = [suite]
        }
        let pair = TLSPair(client: client, server: try server(key))
        #expect(pair.isEstablished)
        #expect(pair.server.cipherSuite == name)
    }

    @Test(arguments: [
        ("AES128-GCM-SHA256", TLSParty.Key.rsa2048), ("AES256-SHA", .rsa2048), ("ECDHE-RSA-AES128-SHA256", .rsa2048),
        ("ECDHE-RSA-AES256-SHA", .rsa2048), ("DHE-RSA-AES256-GCM-SHA384", .rsa2048),
        ("DHE-RSA-CHACHA20-POLY1305", .rsa2048), ("ECDHE-ECDSA-AES128-SHA", .p256),
        ("ECDHE-ECDSA-AES256-SHA384", .p256), ("ECDHE-ECDSA-AES128-CCM", .p256), ("ECDHE-ECDSA-AES128-CCM8", .p256),
        ("AECDH-AES128-SHA", .p256), ("ADH-AES128-GCM-SHA256", .rsa2048), ("ECDHE-ECDSA-NULL-SHA", .p256),
        ("ECDHE-ECDSA-ARIA128-GCM-SHA256", .p256), ("ECDHE-ECDSA-CAMELLIA128-SHA256", .p256),
    ])
    func `another suite of TLS 1·2 is refused`(suite: String, key: TLSParty.Key) throws {
        let client = try client {
            $0.versionMax = 0x0303
            $0.suites = [suite]
            $0.securityLevel = 0
        }
        let pair = TLSPair(client: client, server: try server(key))
        #expect(pair.server.failure == .noCommonSuite)
        #expect(pair.client.failure == .alertReceived(number: 40))
    }

    @Test(arguments: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])
    func `a suite of TLS 1·3 is accepted`(suite: String) throws {
        let pair = TLSPair(client: try client { $0.suites13 = [suite] }, server: try server())
        #expect(pair.isEstablished)
        #expect(pair.server.cipherSuite == suite)
    }

    @Test(arguments: ["TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256"])
    func `a suite of TLS 1·3 for small machines is refused`(suite: String) throws {
        let client = try client {
            $0.versionMin = 0x0304
            $0.suites13 = [suite]
            $0.securityLevel = 0
        }
        let pair = TLSPair(client: client, server: try server())
        #expect(pair.server.failure == .noCommonSuite)
        #expect(pair.client.failure == .alertReceived(number: 40))
    }

    @Test func `the server's order of suites decides, unless the client is only fast with ChaCha20`() throws {
        let both = try client {
            $0.versionMax = 0x0303
            $0.suites = ["ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-GCM-SHA256"]
        }
        let first = TLSPair(client: both, server: try server())
        #expect(first.server.cipherSuite == "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
        let chacha = try client {
            $0.versionMax = 0x0303
            $0.suites = ["ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES128-GCM-SHA256"]
        }
        let second = TLSPair(client: chacha, server: try server())
        #expect(second.server.cipherSuite == "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256")
    }

    @Test(arguments: ["X25519", "P-256", "P-384"], [0x0303, 0x0304] as [Int32])
    func `a modern group is accepted`(group: String, version: Int32) throws {
        let client = try client {
            $0.versionMin = version
            $0.versionMax = version
            $0.groups = [group]
        }
        // In TLS 1.2 the certificate's curve must be among the client's groups as well.
        let key: TLSParty.Key = version == 0x0303 ? .rsa2048 : .p256
        #expect(TLSPair(client: client, server: try server(key)).isEstablished)
    }

    @Test func `a client that guesses another group first gets a second chance`() throws {
        let client = try client { $0.groups = ["P-521", "P-384"] }
        #expect(TLSPair(client: client, server: try server()).isEstablished)
    }

    @Test(arguments: [("P-521", 0x0304), ("X448", 0x0304), ("ffdhe2048", 0x0304)] as [(String, Int32)])
    func `another group of TLS 1·3 is refused`(group: String, version: Int32) throws {
        let client = try client {
            $0.versionMin = version
            $0.groups = [group]
        }
        let pair = TLSPair(client: client, server: try server())
        #expect(pair.server.failure == .noCommonGroup)
        #expect(pair.client.failure == .alertReceived(number: 40))
    }

    @Test(arguments: ["P-521", "X448", "brainpoolP256r1", "secp256k1"])
    func `another group of TLS 1·2 leaves no suite`(group: String) throws {
        let client = try client {
            $0.versionMax = 0x0303
            $0.groups = [group]
            $0.securityLevel = 0
        }
        let pair = TLSPair(client: client, server: try server(.rsa2048))
        #expect(pair.server.failure == .noCommonSuite)
        #expect(pair.client.failure == .alertReceived(number: 40))
    }

    @Test func `a client that wants SHA-1 is refused`() throws {
        let client = try client {
            $0.versionMax = 0x0303
            $0.signatureAlgorithms = ["ECDSA+SHA1", "RSA+SHA1"]
            $0.securityLevel = 0
        }
        let pair = TLSPair(client: client, server: try server())
        #expect(pair.server.failure == .noCommonSignatureAlgorithm)
        #expect(pair.client.failure == .alertReceived(number: 40))
    }

    @Test(arguments: [
        (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"),
        (["spdy/3", "http/1.1"], "http/1.1"), (["h2c", "h2"], "h2"),
    ])
    func `the server's first protocol that the client offers is spoken`(offered: [String], spoken: String) throws {
        let pair = TLSPair(client: try client(applicationProtocols: offered), server: try server())
        #expect(pair.isEstablished)
        #expect(pair.server.applicationProtocol == spoken)
        #expect(pair.client.applicationProtocol == spoken)
    }

    @Test func `a client that offers no protocol is served without one`() throws {
        let pair = TLSPair(client: try client(), server: try server())
        #expect(pair.isEstablished)
        #expect(pair.server.applicationProtocol == nil)
    }

    @Test func `a server without protocols selects none`() throws {
        let pair = TLSPair(
            client: try client(applicationProtocols: ["h2"]), server: try server(applicationProtocols: []))
        #expect(pair.isEstablished)
        #expect(pair.client.applicationProtocol == nil)
    }

    @Test(arguments: [["smtp"], ["h2c"], ["H2"], ["http/1.0", "http/1"], ["h", "2"], ["h2 "]])
    func `a client that offers other protocols only is refused`(offered: [String]) throws {
        let pair = TLSPair(client: try client(applicationProtocols: offered), server: try server())
        #expect(pair.server.failure == .noCommonApplicationProtocol)
        #expect(pair.client.failure == .alertReceived(number: 120))
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a client is content with a certificate for the name it wants`(name: String) throws {
        #expect(TLSPair(client: try client(), server: try server(), serverName: name).isEstablished)
    }

    @Test(arguments: [("example.org", 62), ("host", 62), ("127.0.0.2", 64), ("::1", 64)] as [(String, Int32)])
    func `a client refuses a certificate for another name`(name: String, code: Int32) throws {
        let pair = TLSPair(client: try client(), server: try server(), serverName: name)
        #expect(pair.client.failure == .certificateRefused(code: code))
        #expect(!pair.server.isEstablished)
    }

    @Test func `nothing is taken before the handshake is done`() throws {
        let pair = TLSPair(client: try client(), server: try server(), exchanging: false)
        #expect(try pair.server.write([1, 2, 3]) == 0)
        #expect(pair.server.outputBytes == 0)
    }
}
