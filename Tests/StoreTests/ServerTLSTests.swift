@testable import PostgresStore
import TestSupport
import Testing

/// A server over TLS: what a store believes of it, and what it refuses.
@Suite(.serialized)
struct ServerTLSTests {
    @Test func `a server is believed whose certificate is for its name, by the authority that was named`() async throws
    {
        let server = try TLSServer(named: "localhost")
        defer { server.remove() }
        try await server.open(at: "localhost", "sslmode=verify-full&sslrootcert=\(server.authority.path)/ca.crt")
        try await server.open(at: "127.0.0.1", "sslmode=verify-ca&sslrootcert=\(server.authority.path)/ca.crt")
        // On this machine nothing is verified unless that is asked for.
        try await server.open(at: "localhost", "")
    }

    @Test func `a server of another name is refused in words`() async throws {
        let server = try TLSServer(named: "database.example")
        defer { server.remove() }
        for host in ["localhost", "127.0.0.1"] {
            let detail = try await server.refusal(
                at: host, "sslmode=verify-full&sslrootcert=\(server.authority.path)/ca.crt")
            #expect(detail.contains(#"server certificate for "database.example""#), "\(detail)")
            #expect(detail.contains(#"does not match host name "\#(host)""#), "\(detail)")
        }
    }

    @Test func `a server whose certificate is by another authority is refused in words`() async throws {
        let server = try TLSServer(named: "localhost")
        defer { server.remove() }
        let other = try TemporaryDirectory()
        defer { other.remove() }
        try TLSServer.makeAuthority(in: other)
        for mode in ["verify-full", "verify-ca"] {
            // The machine's own authorities don't know it either.
            for authorities in ["&sslrootcert=\(other.path)/ca.crt", ""] {
                let detail = try await server.refusal(at: "localhost", "sslmode=\(mode)\(authorities)")
                #expect(detail.contains("certificate verify failed"), "\(detail)")
            }
        }
    }

    @Test func `a server that speaks no TLS is refused in words where it must be verified`() async throws {
        let plain = try PostgresServer.shared()
        let failure = await #expect(throws: PostgresStore.OpenFailure.self) {
            _ = try await PostgresStore(
                patiently: "postgres://postgres:x@localhost:\(plain.port)/postgres?sslmode=verify-full")
        }
        guard case .unreachable(let detail) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(detail.contains("server does not support SSL, but SSL was required"))
    }

    @Test func `an authority's file that isn't there is named`() async throws {
        let server = try TLSServer(named: "localhost")
        defer { server.remove() }
        let detail = try await server.refusal(at: "localhost", "sslmode=verify-full&sslrootcert=/nowhere/ca.crt")
        #expect(detail.contains("/nowhere/ca.crt"))
    }
}
