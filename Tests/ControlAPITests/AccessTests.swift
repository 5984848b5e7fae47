import ControlAPI
import HTTP
import HTTPTypes
import Payments
import Testing
import Values

struct AccessTests {
    private static let token = "a-token-of-the-tests"
    private static let address = Peer(address: "192.0.2.7", isLoopback: false)
    /// What the merchants' API says of paths that it doesn't know.
    private static let unknownPath = "After url path /, expected /api"

    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8080", "127.255.3.4:80", "[::1]",
        "[::1]:8080",
    ])
    func `a loopback host is this machine`(host: String) async throws {
        let response = try await TestControl().send(.to(.get, "/_tollgate/clock", host: host))
        #expect(response?.status == 200)
    }

    @Test(arguments: [
        "tollgate.example", "localhost.example", "127.0.0.1.example", "127.0.0.1.nip.io:8080", "128.0.0.1", "127.1",
        "127.0.0.01", "127.0.0.256", "127.0.0.1.1", "0x7f.0.0.1", "2130706433", "0.0.0.0", "[::]", "[::2]",
        "[::1", "[::1]x", "[::1]:x", "::1", "[::ffff:127.0.0.1]", "localhost:65536", "localhost:80:80", "localhost:+1",
        "user@localhost", "localhost:", "",
    ])
    func `for another host there is no control`(host: String) async throws {
        let response = try await TestControl().send(.to(.get, "/_tollgate/clock", host: host))
        #expect(response?.status == 404)
        #expect(response?.string("error.explanation") == Self.unknownPath)
    }

    @Test func `without a host there is no control`() async throws {
        let response = try await TestControl().send(.to(.get, "/_tollgate/clock", host: nil))
        #expect(response?.string("error.explanation") == Self.unknownPath)
    }

    @Test(arguments: [address, nil])
    func `for a peer that is not this machine there is no control`(peer: Peer?) async throws {
        for (method, path) in [(HTTPRequest.Method.get, "sandbox"), (.post, "reset"), (.get, "nothing")] {
            let response = try await TestControl().send(.to(method, "/_tollgate/" + path, peer: peer))
            #expect(response?.status == 404)
            #expect(response?.string("error.explanation") == Self.unknownPath)
        }
    }

    @Test(arguments: [
        [("Origin", "https://evil.example")], [("Origin", "null")], [("Origin", "http://localhost.evil.example")],
        [("Origin", "ftp://localhost")], [("Origin", "localhost")], [("Origin", "http://localhost/path")],
        [("Origin", "http://localhost"), ("Origin", "http://evil.example")], [("X-Forwarded-For", "192.0.2.7")],
        [("Forwarded", "for=192.0.2.7")], [("Via", "1.1 proxy")], [("X-Real-IP", "127.0.0.1")],
        [("X-Forwarded-Host", "localhost")], [("X-Forwarded-Proto", "https")], [("x-forwarded", "for=192.0.2.7")],
        [("CF-Connecting-IP", "192.0.2.7")], [("True-Client-IP", "192.0.2.7")], [("X-Client-IP", "192.0.2.7")],
        [("X-Original-Host", "tollgate.example")], [("X-Original-Forwarded-For", "192.0.2.7")],
        [("X-Envoy-External-Address", "192.0.2.7")], [("X-Azure-ClientIP", "192.0.2.7")],
        [("X-Amzn-Trace-Id", "Root=1-67891233-abcdef012345678912345678")], [("X-ProxyUser-Ip", "192.0.2.7")],
        [("X-Scheme", "https")], [("X-Request-Start", "t=1732300000.000")], [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "script")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "none")],
    ])
    func `for pages of elsewhere and behind a proxy there is no control`(fields: [(String, String)]) async throws {
        let response = try await TestControl().send(.to(.get, "/_tollgate/sandbox", fields: fields))
        #expect(response?.string("error.explanation") == Self.unknownPath)
        #expect(response?.text.contains(TestControl.password) == false)
    }

    @Test(arguments: [
        [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")], [("Sec-Fetch-Site", "same-origin")],
        [("Sec-Fetch-Site", "same-site")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")],
        [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost:3000")],
    ])
    func `a page that is gone to, and a page of this machine's, find control`(fields: [(String, String)]) async throws {
        let response = try await TestControl().send(.to(.get, "/_tollgate/clock", fields: fields))
        #expect(response?.status == 200)
    }

    @Test func `a link from elsewhere only reaches pages, and changes nothing`() async throws {
        let fields = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
        let response = try await TestControl().send(.to(.post, "/_tollgate/reset", fields: fields))
        #expect(response?.string("error.explanation") == Self.unknownPath)
    }

    @Test(arguments: ["%06", "%7F", "a%0Ab"])
    func `a control character of a query is called by its name`(value: String) async throws {
        let response = try await TestControl().control(.get, "requests?merchant=\(value)")
        #expect(response.refusal == "400 merchant")
        #expect(response.string("error.explanation")?.contains("control character") == true)
        #expect(response.string("error.explanation")?.contains("percent") == false)
    }

    @Test(arguments: ["Bearer \(token)", "bearer \(token)"])
    func `a bearer token is taken from wherever it comes`(value: String) async throws {
        let control = try TestControl(access: .bearer(PresentedPassword(SecretText(Self.token))))
        let request = Request.to(
            .get, "/_tollgate/clock", host: "tollgate.example", peer: Self.address, fields: [("Authorization", value)])
        #expect(await control.send(request)?.status == 200)
    }

    @Test(arguments: [
        [], ["Bearer"], ["Bearer "], ["Bearer x"], ["Bearer \(token)x"], ["Basic \(token)"],
        [token],
        ["Bearer \(token)", "Bearer \(token)"], ["Bearer  \(token)"],
    ])
    func `without the bearer token even this machine is refused`(values: [String]) async throws {
        let control = try TestControl(access: .bearer(PresentedPassword(SecretText(Self.token))))
        for path in ["sandbox", "nothing", "reset"] {
            let request = Request.to(.post, "/_tollgate/" + path, fields: values.map { ("Authorization", $0) })
            let response = await control.send(request)
            #expect(response?.status == 401)
            #expect(response?.head.headerFields[.wwwAuthenticate]?.hasPrefix("Bearer ") == true)
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/_tollgate"), (.get, "/_tollgatex/clock"), (.get, "//"),
        (.get, "/api/_tollgate/clock"),
        (.get, "/%5Ftollgate/clock"),
    ])
    func `what is not under the prefix is the merchants'`(method: HTTPRequest.Method, path: String) async throws {
        #expect(try TestControl().control.answer(.to(method, path)) == nil)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "nothing", "404 -"), (.get, "clock/", "404 -"),
        (.get, "reports/", "404 -"), (.get, "reports/none", "404 -"), (.get, "clock/now", "404 -"),
        (.get, "%zz", "404 -"),
        (.get, "../clock", "404 -"), (.get, "CLOCK", "404 -"), (.get, "reset", "405 -"), (.post, "clock", "405 -"),
        (.put, "tokens", "405 -"), (.delete, "requests", "405 -"), (.post, "sandbox", "405 -"),
        (.options, "tokens", "405 -"),
        (.get, "clock?x=1", "400 -"), (.get, "requests?limit=0", "400 limit"),
        (.get, "requests?limit=257", "400 limit"),
        (.get, "requests?limit=x", "400 limit"), (.get, "requests?x=1", "400 -"), (.get, "requests?order", "400 -"),
        (.get, "requests?order=%zz", "400 order"), (.get, "requests?outcome=declined", "400 outcome"),
        (.get, "requests?outcome=%C2%84", "400 outcome"), (.get, "requests?status=20", "400 status"),
        (.get, "requests?order=1&order=2", "400 -"),
    ])
    func `what is not there is refused`(method: HTTPRequest.Method, path: String, refusal: String) async throws {
        #expect(try await TestControl().control(method, path).refusal == refusal)
    }

    @Test func `a refused method's reply lists the allowed ones`() async throws {
        let response = try await TestControl().control(.put, "outcomes")
        #expect(response.head.headerFields[.allow] == "GET, HEAD, POST, DELETE")
    }

    @Test func `nothing of it is kept or sniffed`() async throws {
        for path in ["sandbox", "openapi.yaml", "requests", "nothing"] {
            let fields = try await TestControl().control(.get, path).head.headerFields
            #expect(fields[.cacheControl] == "no-store")
            #expect(fields[.xContentTypeOptions] == "nosniff")
        }
    }
}
