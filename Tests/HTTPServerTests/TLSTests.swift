import HTTP
import HTTPServer
import HTTPTypes
import OpenSSL
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct TLSTests {
    @Test(arguments: [[], ["http/1.1"]])
    func `without h2 a client is answered in HTTP 1.1`(offered: [String]) async throws {
        try await withServer(encrypted()) { server, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext(offered))
            #expect(await client.applicationProtocol == offered.first)
            for path in ["/1", "/scheme"] {
                try await client.send(Array(get(path).utf8))
                #expect(try await client.response().body == (path == "/scheme" ? "https" : path))
            }
            #expect(server.statistics.http2Connections == 0)
        }
    }

    @Test func `a client that offers h2 is answered in HTTP 2`() async throws {
        try await withServer(encrypted()) { server, address in
            let context = try TestIdentity.clientContext(["http/1.1", "h2"])
            let client = StreamClient(try await SecureClient(address, context), scheme: "https")
            #expect(try await client.get("/1") == "/1")
            #expect(try await client.get("/scheme") == "https")
            #expect(server.statistics.http2Connections == 1)
            #expect(server.statistics.streams == 2)
        }
    }

    @Test func `prior knowledge counts for nothing within TLS`() async throws {
        try await withServer(encrypted()) { _, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext(["http/1.1"]))
            try await client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
            #expect(try await client.response().head.hasPrefix("HTTP/1.1 505 "))
        }
    }

    @Test(arguments: ["http/1.1", "h2"])
    func `a client's certificate reaches the handler`(name: String) async throws {
        let identity = try TestIdentity.client.get()
        for isRequired in [true, false] {
            let policy: TLSContext.ClientCertificates =
                isRequired ? .required(identity.trust) : .optional(identity.trust)
            try await withServer(encrypted(policy)) { _, address in
                let context = try TestIdentity.clientContext([name], presenting: identity.identity)
                let channel = try await SecureClient(address, context)
                if name == "h2" {
                    let client = StreamClient(channel, scheme: "https")
                    let stream = try #require(try await client.submit(["/certificate"]).first)
                    #expect(try await client.response(stream)?.body == identity.fingerprint)
                } else {
                    try await channel.send(Array(get("/certificate").utf8))
                    var bytes: [UInt8] = []
                    while bytes.suffix(32) != identity.fingerprint[...] {
                        let more = try await channel.receiveSome()
                        try #require(!more.isEmpty)
                        bytes += more
                    }
                }
            }
        }
    }

    @Test func `a client without a certificate has none where none is required`() async throws {
        try await withServer(encrypted(.optional(try TestIdentity.client.get().trust))) { server, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await client.send(Array(get("/certificate").utf8))
            #expect(try await client.response().body == "")
            #expect(server.statistics.handshakesFailed == 0)
        }
    }

    @Test func `a client without a certificate is told that one is required`() async throws {
        try await withServer(encrypted(.required(try TestIdentity.client.get().trust))) { server, address in
            // In TLS 1.3 the client is done before the server has seen that there is no certificate.
            await #expect(throws: TLSFailure.alertReceived(number: 116)) {
                let client = try await SecureClient(address, try TestIdentity.clientContext([]))
                _ = try await client.receiveSome()
            }
            try await eventually { server.statistics.handshakesFailed == 1 }
        }
    }

    @Test func `ciphertext that comes byte by byte is understood`() async throws {
        try await withServer(encrypted()) { _, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext([]), pieceBytes: 1)
            try await client.send(Array("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8))
            #expect(try await client.response().body == "hello")
        }
    }

    @Test func `a megabyte arrives whole and goes back whole`() async throws {
        try await withServer(encrypted()) { _, address in
            let content = String(repeating: "0123456789abcdef", count: 65_536)
            let client = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await client.send(
                Array("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n\(content)".utf8))
            #expect(try await client.response().body == content)
        }
    }

    @Test func `pipelined requests within one record are all answered`() async throws {
        try await withServer(encrypted()) { _, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await client.send(Array((String(repeating: get("/1"), count: 2000) + get("/last")).utf8))
            var bytes: [UInt8] = []
            while !bytes.suffix(5).elementsEqual("/last".utf8) {
                let more = try await client.receiveSome()
                try #require(!more.isEmpty)
                bytes += more
            }
            #expect(String(decoding: bytes, as: UTF8.self).split(separator: "HTTP/1.1 200 OK").count == 2001)
        }
    }

    @Test func `an idle connection is closed with a notice`() async throws {
        var configuration = try encrypted()
        configuration.idleTimeoutSeconds = 0.05
        try await withServer(configuration) { _, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await client.send(Array(get("/1").utf8))
            #expect(try await client.response().body == "/1")
            #expect(try await client.remainder() == [])
        }
    }

    @Test func `a request that is refused ends the connection with a notice`() async throws {
        try await withServer(encrypted()) { _, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
            let bytes = try await client.remainder()
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `a new certificate is presented to the next client`() async throws {
        let other = try TestIdentity(isServer: true)
        let current = Mutex(try TestIdentity.serverContext())
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = { current.withLock { $0 } }
        try await withServer(configuration) { _, address in
            let first = try await SecureClient(address, try TestIdentity.clientContext([]))
            let next = try TLSContext(server: other.identity, applicationProtocols: ["http/1.1"])
            current.withLock { $0 = next }
            let context = try TLSContext(clientTrusting: other.trust, applicationProtocols: [])
            let second = try await SecureClient(address, context)
            for client in [first, second] {
                try await client.send(Array(get("/1").utf8))
                #expect(try await client.response().body == "/1")
            }
        }
    }

    // MARK: Hostile clients

    @Test(arguments: [[], [0x16], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] as [[UInt8]])
    func `a handshake that does not come to an end is cut`(bytes: [UInt8]) async throws {
        var configuration = try encrypted()
        configuration.handshakeTimeoutSeconds = 0.05
        try await withServer(configuration) { server, address in
            let client = try RawClient(address)
            try await client.send(bytes)
            #expect(await client.drain() == 0)
            try await eventually { server.statistics.handshakesFailed == 1 && server.statistics.connectionsOpen == 0 }
        }
    }

    @Test func `a peer that speaks neither TLS nor HTTP is not answered`() async throws {
        try await withServer(encrypted()) { server, address in
            let client = try RawClient(address)
            try await client.send([0x7F, 0x45, 0x4C, 0x46, 0x0D, 0x0A])
            #expect(!(try await client.remainder().contains("HTTP")))
            try await eventually { server.statistics.handshakesFailed == 1 }
        }
    }

    @Test func `a peer that leaves during the handshake leaves nothing behind`() async throws {
        try await withServer(encrypted()) { server, address in
            for isReset in [true, false] {
                let client = try RawClient(address)
                try await client.send([0x16, 0x03, 0x01])
                if isReset { await client.resetOnClose() }
            }
            try await eventually { server.statistics.handshakesFailed == 2 && server.statistics.connectionsOpen == 0 }
        }
    }

    @Test func `a connection too many is closed without a handshake`() async throws {
        var configuration = try encrypted()
        configuration.connectionsMax = 1
        try await withServer(configuration) { server, address in
            let first = try await SecureClient(address, try TestIdentity.clientContext([]))
            let second = try RawClient(address)
            #expect(await second.drain() == 0)
            try await first.send(Array(get("/1").utf8))
            #expect(try await first.response().body == "/1")
            #expect(server.statistics.connectionsRefused == 1)
        }
    }

    @Test func `a client that never reads is cut`() async throws {
        var configuration = try encrypted()
        configuration.writeTimeoutSeconds = 0.05
        try await withServer(configuration) { server, address in
            let context = try TestIdentity.clientContext([])
            let client = try await SecureClient(address, context, receiveBytesMax: 4096)
            try await client.send(Array(get("/large").utf8))
            try await eventually {
                server.statistics.connectionsAccepted == 1 && server.statistics.connectionsOpen == 0
            }
        }
    }

    @Test func `a slow reader of much holds nobody up`() async throws {
        var configuration = try encrypted()
        configuration.eventLoopCount = 1
        try await withServer(configuration) { _, address in
            let slow = try await SecureClient(address, try TestIdentity.clientContext([]), receiveBytesMax: 4096)
            try await slow.send(Array(get("/large").utf8))
            let other = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await other.send(Array(get("/1").utf8))
            #expect(try await other.response().body == "/1")
            var count = 0
            while count < largeBytes { count += try await slow.receiveSome().count }
        }
    }

    // MARK: Stopping

    @Test func `a request in flight is finished before the server stops`() async throws {
        let gate = Gate()
        try await withServer(encrypted(), gate: gate) { server, address in
            let client = try await SecureClient(address, try TestIdentity.clientContext([]))
            let idle = try await SecureClient(address, try TestIdentity.clientContext([]))
            try await idle.send(Array(get("/1").utf8))
            #expect(try await idle.response().body == "/1")
            try await client.send(Array(get("/gated").utf8))
            await gate.arrivals(1)
            async let cutCount = server.stop(withinSeconds: 3600)
            #expect(try await idle.remainder() == [])
            gate.open()
            let answer = String(decoding: try await client.remainder(), as: UTF8.self)
            #expect(answer.contains("\r\nConnection: close"))
            #expect(answer.hasSuffix("gated"))
            #expect(await cutCount == 0)
        }
    }

    @Test func `a handshake does not keep a server from stopping`() async throws {
        try await withServer(encrypted()) { server, address in
            let client = try RawClient(address)
            try await client.send([0x16])
            try await eventually { server.statistics.connectionsOpen == 1 }
            #expect(await server.stop(withinSeconds: 3600) == 0)
            #expect(await client.drain() == 0)
        }
    }

    private func encrypted(_ policy: TLSContext.ClientCertificates = .none) throws -> HTTPServerConfiguration {
        let context = try TestIdentity.serverContext(policy)
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = { context }
        return configuration
    }
}
