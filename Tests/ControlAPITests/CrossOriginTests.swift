import Access
import ControlAPI
import HTTP
import HTTPTypes
import Payments
import Testing
import Values

/// What pages of other origins may ask of the control API (WHATWG Fetch, "CORS protocol").
struct CrossOriginTests {
    private static let token = "a-token-of-the-tests"
    private static let page = "http://localhost:3000"
    private static let listed = "https://shop.staging.example"

    private static func control(_ access: ControlAccess = .loopback) throws -> TestControl {
        try TestControl(access: access, origins: ControlOrigins([#require(WebOrigin(listed))]))
    }

    private static func bearer() throws -> TestControl {
        try control(.bearer(PresentedPassword(SecretText(token))))
    }

    private static func preflight(_ path: String, from origin: String, _ method: String = "POST") -> Request {
        .to(
            .options, "/_tollgate/" + path,
            fields: [
                ("Origin", origin), ("Access-Control-Request-Method", method),
                ("Access-Control-Request-Headers", "content-type"),
            ])
    }

    private static func grants(_ response: Response?) -> [String: String] {
        var fields: [String: String] = [:]
        for field in response?.head.headerFields ?? [:] {
            let name = field.name.canonicalName
            if name.hasPrefix("access-control") || name == "vary" { fields[field.name.rawName] = field.value }
        }
        return fields
    }

    @Test(arguments: [page, "https://127.0.0.1", "http://[::1]:5173", listed])
    func `a page of this machine, or of a listed origin, reads the reply`(origin: String) async throws {
        let response = try await Self.control().send(.to(.get, "/_tollgate/clock", fields: [("Origin", origin)]))
        #expect(response?.status == 200)
        #expect(Self.grants(response) == ["Access-Control-Allow-Origin": origin, "Vary": "Origin"])
    }

    @Test(arguments: [page, listed])
    func `a page reads errors as well`(origin: String) async throws {
        let response = try await Self.control().send(.to(.post, "/_tollgate/tokens", "{", fields: [("Origin", origin)]))
        #expect(response?.status == 400)
        #expect(Self.grants(response) == ["Access-Control-Allow-Origin": origin, "Vary": "Origin"])
    }

    @Test(arguments: [page, listed])
    func `a page's preflight is answered, without credentials`(origin: String) async throws {
        let response = try await Self.control().send(Self.preflight("tokens", from: origin))
        #expect(response?.status == 204)
        #expect(response?.text.isEmpty == true)
        #expect(
            Self.grants(response) == [
                "Access-Control-Allow-Origin": origin, "Vary": "Origin",
                "Access-Control-Allow-Methods": "DELETE, GET, POST, PUT",
                "Access-Control-Allow-Headers": "Authorization, Content-Type", "Access-Control-Max-Age": "600",
            ])
    }

    @Test(arguments: [
        "https://evil.example", "null", "http://localhost.evil.example", "https://shop.staging.example:444",
        "http://shop.staging.example", "https://SHOP.staging.example", "https://x.shop.staging.example",
    ])
    func `a page of any other origin gets no control`(origin: String) async throws {
        for request in [
            Self.preflight("tokens", from: origin), .to(.get, "/_tollgate/clock", fields: [("Origin", origin)]),
        ] {
            let response = try await Self.control().send(request)
            #expect(response?.status != 200)
            #expect(response?.status != 204)
            #expect(response?.head.headerFields[.accessControlAllowOrigin] != origin)
        }
    }

    @Test func `two origins are none`() async throws {
        let fields = [("Origin", Self.page), ("Origin", "http://localhost:3001")]
        let response = try await Self.control().send(.to(.get, "/_tollgate/clock", fields: fields))
        #expect(Self.grants(response)["Access-Control-Allow-Origin"] != Self.page)
        #expect(response?.status != 200)
    }

    @Test(arguments: [page, listed])
    func `the sandbox's password never goes to another origin`(origin: String) async throws {
        let control = try Self.control()
        let response = await control.send(.to(.get, "/_tollgate/sandbox", fields: [("Origin", origin)]))
        #expect(response?.status == 403)
        #expect(response?.text.contains(TestControl.password) == false)
        #expect(Self.grants(response).isEmpty)
        #expect(await control.send(Self.preflight("sandbox", from: origin, "GET"))?.status == 403)
    }

    @Test func `a page of the gateway's own origin reads the sandbox`() async throws {
        let response = try await Self.control().send(
            .to(.get, "/_tollgate/sandbox", fields: [("Origin", "http://127.0.0.1:8080")]))
        #expect(response?.status == 200)
        #expect(Self.grants(response).isEmpty)
    }

    @Test func `with a bearer token a preflight needs none`() async throws {
        let control = try Self.bearer()
        #expect(await control.send(Self.preflight("reset", from: Self.listed))?.status == 204)
        #expect(await control.send(Self.preflight("reset", from: Self.page))?.status == 204)
        #expect(await control.send(Self.preflight("reset", from: "https://evil.example"))?.status == 401)
        let response = await control.send(.to(.get, "/_tollgate/clock", fields: [("Origin", Self.listed)]))
        #expect(response?.status == 401)
        #expect(Self.grants(response)["Access-Control-Allow-Origin"] == Self.listed)
    }

    @Test func `with a bearer token a page of another origin is not told the reply`() async throws {
        let fields = [("Origin", "https://evil.example"), ("Authorization", "Bearer \(Self.token)")]
        let response = try await Self.bearer().send(.to(.get, "/_tollgate/clock", fields: fields))
        #expect(response?.status == 200)
        #expect(Self.grants(response).isEmpty)
    }

    @Test func `OPTIONS without a method to ask for is no preflight`() async throws {
        let response = try await Self.control().send(
            .to(.options, "/_tollgate/clock", fields: [("Origin", Self.page)]))
        #expect(response?.status == 405)
    }
}
