@testable import PostgresStore
import Payments
import TestSupport
import Testing

/// What a store's URL may say, and what is never said of it.
struct ServerAddressTests {
    @Test(arguments: [
        "", "store.sqlite", "mysql://host/database", "postgres:/host", "postgres://user:se@cret@host/database",
        "postgres://user:se/cret@host/database", "postgres://user:se#cret@host/database",
        "postgres://user:se?cret@host/database", "postgres://user:secret@host:port/database",
        "postgres://user:secret@host:70000/database", "postgres://user:secret@host/database?sslmode=secret",
        "postgres://user:secret@host/database?unknown=secret", "postgres://user:se%zzcret@host/database",
    ])
    func `a URL that can't be used is refused without a word of it`(url: String) throws {
        let failure = #expect(throws: PostgresStore.OpenFailure.self) { _ = try ServerAddress(url: url) }
        guard case .url(let detail) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!detail.contains("cret"))
    }

    @Test(arguments: [
        ("postgres://host/database", "verify-full"), ("postgresql://host/database?sslmode=require", "require"),
        ("postgres://host/database?sslmode=disable", "disable"), ("postgres:///database", "verify-full"),
        ("postgres://localhost.example/database", "verify-full"), ("postgres://127.example/database", "verify-full"),
        ("postgres://localhost,host/database", "verify-full"), ("postgres://%2Frun/database", "verify-full"),
        ("postgres://localhost/database?hostaddr=192.0.2.1", "verify-full"),
        ("postgres://localhost/database?service=other", "verify-full"),
        ("postgres://localhost/database", "prefer"), ("postgres://127.0.0.2:5433,[::1]/database", "prefer"),
        ("postgres://localhost/database?sslmode=verify-full", "verify-full"),
    ])
    func `only another machine's server must prove who it is unless the URL says otherwise`(
        url: String, mode: String
    ) throws {
        let address = try ServerAddress(url: url)
        let index = try #require(address.keywords.firstIndex(of: "sslmode"))
        #expect(address.values[index] == mode)
    }

    @Test func `an address shows nothing of its password`() throws {
        let address = try ServerAddress(url: "postgres://user:s%40cret@host/database")
        #expect(address.isRevealed(by: "a message with s@cret in it"))
        var dumped = ""
        dump(address, to: &dumped)
        for shown in ["\(address)", String(reflecting: address), dumped] { #expect(!shown.contains("cret")) }
    }

    @Test(arguments: [
        ("postgres://host/database", true), ("postgres://host/database?sslmode=verify-ca", true),
        ("postgres://host/database?sslmode=require", false), ("postgres://localhost/database", false),
    ])
    func `only who verifies needs authorities`(url: String, needsAuthorities: Bool) throws {
        #expect(try ServerAddress(url: url).keywords.contains("sslrootcert") == needsAuthorities)
    }

    @Test(arguments: [
        ("postgres://user:secret@host/database", "host, database database"),
        ("postgres://user:secret@one:1,two:2/database", "one:1,two:2, database database"),
        ("postgres://user:secret@one,two:2/", "one,two:2"),
        ("postgres:///database", "libpq's default host, database database"),
        ("postgres://user@/database?hostaddr=192.0.2.1&password=secret", "192.0.2.1, database database"),
    ])
    func `a server is named without its user and password`(url: String, place: String) throws {
        #expect(try ServerAddress(url: url).place == place)
    }

    @Test(arguments: ["sslmode=disable", "sslmode=verify-full"])
    func `a server that refuses the connection is named, and the password is not`(parameters: String) async throws {
        let port = try PostgresServer.shared().port
        let failure = await #expect(throws: PostgresStore.OpenFailure.self) {
            _ = try await PostgresStore(
                patiently: "postgres://postgres:swordfish@127.0.0.1:\(port)/postgres?\(parameters)")
        }
        guard case .unreachable(let detail) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(detail.contains("127.0.0.1") && !detail.contains("swordfish"))
        #expect(detail.contains(parameters.hasSuffix("full") ? "SSL" : "password authentication failed"))
    }

    @Test func `a password goes with the URL over TCP`() async throws {
        let server = try PostgresServer.shared()
        let schema = try #require(server.url().split(separator: "%3D").last.map(String.init))
        let store = try await PostgresStore(
            patiently:
                "postgres://postgres:a%20pass%26word%2Fof%3Atests@127.0.0.1:\(server.port)/postgres?sslmode=disable"
                + "&options=-c%20search_path%3D\(schema)")
        #expect(try await store.commit(CommitFixture()) == .committed)
    }
}
