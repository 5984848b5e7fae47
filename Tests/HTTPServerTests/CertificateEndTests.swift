import HTTP
import HTTPServer
import HTTPTypes
import OpenSSL
import Synchronization
import TestSupport
import Testing

/// A connection ends with the certificate by which its client is known. The time is what the test says.
@Suite(.timeLimit(.minutes(30)))
struct CertificateEndTests {
    private let identity: TestIdentity
    private let clock = Instants()

    /// Seconds since 1970-01-01 00:00:00 UTC.
    private final class Instants: Sendable {
        private let seconds = Mutex<Int64>(0)
        var now: Int64 {
            get { seconds.withLock(\.self) }
            set { seconds.withLock { $0 = newValue } }
        }
    }

    init() throws { identity = try TestIdentity.client.get() }

    private var notAfter: Int64 { identity.identity.certificate.notAfterSecondsSinceEpoch }

    private func configuration() throws -> HTTPServerConfiguration {
        let context = try TestIdentity.serverContext(.optional(identity.trust))
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = { context }
        configuration.certificateClock = { [clock] in clock.now }
        return configuration
    }

    private func client(_ address: BoundAddress, _ name: String, isKnown: Bool = true) async throws -> SecureClient {
        try await SecureClient(
            address, try TestIdentity.clientContext([name], presenting: isKnown ? identity.identity : nil))
    }

    @Test func `a request after the certificate's end is not handled, and the connection ends`() async throws {
        let gate = Gate()
        try await withServer(configuration(), gate: gate) { _, address in
            clock.now = notAfter
            let client = try await client(address, "http/1.1")
            try await client.send(Array((get("/gated") + get("/2")).utf8))
            await gate.arrivals(1)
            clock.now = notAfter + 1
            gate.open()
            let answers = String(decoding: try await client.remainder(), as: UTF8.self)
            #expect(answers.hasPrefix("HTTP/1.1 200 "))
            #expect(answers.contains("HTTP/1.1 421 ") && answers.contains("\r\nConnection: close"))
            #expect(!answers.contains("/2"))
        }
    }

    @Test func `a stream after the certificate's end is not handled, and the connection ends`() async throws {
        let gate = Gate()
        try await withServer(configuration(), gate: gate) { _, address in
            clock.now = notAfter
            let client = StreamClient(try await client(address, "h2"), scheme: "https")
            let first = try #require(try await client.submit(["/gated"]).first)
            await gate.arrivals(1)
            clock.now = notAfter + 1
            let second = try #require(try await client.submit(["/2"]).first)
            #expect(try await client.response(second)?.head.status.code == 421)
            gate.open()
            #expect(try await client.response(first)?.head.status.code == 200)
            try await client.goAway()
        }
    }

    @Test(arguments: ["http/1.1", "h2"])
    func `a connection on which nothing comes ends with the certificate`(name: String) async throws {
        try await withServer(configuration()) { server, address in
            clock.now = notAfter
            let client = try await client(address, name)
            if name == "h2" {
                #expect(try await StreamClient(client, scheme: "https").get("/1") == "/1")
            } else {
                try await client.send(Array(get("/1").utf8))
                #expect(try await client.response().body == "/1")
            }
            clock.now = notAfter + 1
            while try await !client.receiveSome().isEmpty {}
        }
    }

    @Test func `a client without a certificate is served at any time`() async throws {
        try await withServer(configuration()) { _, address in
            let client = try await client(address, "http/1.1", isKnown: false)
            clock.now = .max
            for _ in 0..<2 {
                try await client.send(Array(get("/1").utf8))
                #expect(try await client.response().body == "/1")
            }
        }
    }
}
