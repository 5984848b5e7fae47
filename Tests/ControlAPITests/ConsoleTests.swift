import ControlAPI
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

/// The console's files, and the root of the gateway's address.
struct ConsoleTests {
    private static let files = [
        ("", "text/html; charset=utf-8"), ("console/console.js", "text/javascript; charset=utf-8"),
        ("console/console.css", "text/css; charset=utf-8"), ("console/icon.svg", "image/svg+xml"),
    ]
    private static let bearer = ControlAccess.bearer(PresentedPassword(SecretText("a-token")))
    private static let elsewhere = Peer(address: "192.0.2.7", isLoopback: false)

    @Test(arguments: files)
    func `a file has its type and a policy without inline script`(path: String, type: String) async throws {
        let response = try await TestControl().control(.get, path)
        #expect(response.status == 200 && !response.body.isEmpty)
        let fields = response.head.headerFields
        #expect(fields[.contentType] == type)
        #expect(fields[.cacheControl] == "no-cache")
        #expect(fields[.xContentTypeOptions] == "nosniff")
        let policy = try #require(fields[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"))
        #expect(policy.hasSuffix("frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"))
        #expect(!policy.contains("unsafe"))
    }

    @Test func `the page names only files that there are, and has no script of its own`() async throws {
        let control = try TestControl()
        let page = try await control.control(.get, "").text
        let names = page.matches(of: /(?:src|href)="(console\/[^"]+)"/).map { String($0.1) }
        #expect(names.count == 3)
        for name in names { #expect(try await control.control(.get, name).status == 200, "\(name)") }
        #expect(!page.contains("<script>") && !page.contains("<style") && !page.contains(" on"))
    }

    @Test func `every module that a script imports is there`() async throws {
        let control = try TestControl()
        var names: Set = ["console.js"]
        var seen: Set<String> = []
        while let name = names.subtracting(seen).first {
            seen.insert(name)
            let script = try await control.control(.get, "console/\(name)")
            #expect(script.status == 200, "\(name)")
            names.formUnion(script.text.matches(of: /from "\.\/([a-z]+\.js)"/).map { String($0.1) })
        }
        #expect(seen.count > 15)
    }

    @Test func `a browser that has a file gets none`() async throws {
        let control = try TestControl()
        let tag = try #require(try await control.control(.get, "").head.headerFields[.eTag])
        for value in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let response = await control.send(.to(.get, "/_tollgate/", fields: [("If-None-Match", value)]))
            #expect(response?.status == 304 && response?.body.isEmpty == true)
        }
        #expect(await control.send(.to(.get, "/_tollgate/", fields: [("If-None-Match", "\"other\"")]))?.status == 200)
    }

    @Test func `files are only read`() async throws {
        let response = try await TestControl().control(.post, "", "{}")
        #expect(response.status == 405)
        #expect(response.head.headerFields[.allow] == "GET, HEAD")
    }

    @Test func `a control API for this machine hides the console from others`() async throws {
        let control = try TestControl()
        for path in ["/_tollgate/", "/_tollgate/console/console.js", "/", "/favicon.ico"] {
            #expect(control.control.answer(.to(.get, path)) != nil, "\(path)")
            #expect(control.control.answer(.to(.get, path, peer: Self.elsewhere)) == nil, "\(path)")
            #expect(control.control.answer(.to(.get, path, host: "attacker.example")) == nil, "\(path)")
        }
    }

    @Test func `a control API with a bearer token shows the console's files to all, and no data`() async throws {
        let control = try TestControl(access: Self.bearer)
        for path in ["", "console/console.js"] {
            #expect(await control.send(.to(.get, "/_tollgate/\(path)", peer: Self.elsewhere))?.status == 200)
        }
        for path in ["orders", "requests", "events", "sandbox", "merchants", "console/none.js", "console/", "console"] {
            #expect(await control.send(.to(.get, "/_tollgate/\(path)", peer: Self.elsewhere))?.status == 401, "\(path)")
        }
    }

    @Test func `a control API that is off shows no console`() throws {
        let control = try TestControl()
        let off = ControlAPI(control.controlled, access: .loopback, closedReason: { "off" })
        #expect(off.answer(.to(.get, "/")) == nil)
        #expect(off.answer(.to(.get, "/favicon.ico")) == nil)
        guard case .now(let response) = off.answer(.to(.get, "/_tollgate/")) else {
            Issue.record("no answer")
            return
        }
        #expect(response.status == 404 && response.string("error.explanation") == "off")
    }

    @Test(arguments: ["text/html", "text/html,application/xhtml+xml,*/*;q=0.8", "TEXT/HTML;q=0.5"])
    func `the root leads a browser to the console`(accept: String) async throws {
        let response = await (try TestControl()).send(.to(.get, "/", fields: [("Accept", accept)]))
        #expect(response?.status == 303)
        #expect(response?.head.headerFields[.location] == "/_tollgate/")
        #expect(response?.head.headerFields[.vary] == "Accept")
    }

    @Test(arguments: [[], [("Accept", "*/*")], [("Accept", "application/json")]] as [[(String, String)]])
    func `the root gives other clients the addresses to begin with`(fields: [(String, String)]) async throws {
        let control = try TestControl(merchantPort: 8443)
        let response = try #require(await control.send(.to(.get, "/", fields: fields)))
        #expect(response.string("console") == "http://127.0.0.1:8080/_tollgate/")
        #expect(response.string("openapi") == "http://127.0.0.1:8080/_tollgate/openapi.yaml")
        #expect(response.string("sandbox") == "http://127.0.0.1:8080/_tollgate/sandbox")
        #expect(response.string("merchantApi") == "http://127.0.0.1:8443/api/rest")
        #expect(!response.text.contains(TestControl.password))
    }

    @Test func `the root without a sandbox names none`() async throws {
        let control = try TestControl(hasSandbox: false)
        #expect(try #require(await control.send(.to(.get, "/")))["sandbox"] == nil)
        #expect(await control.send(.to(.post, "/", "{}"))?.status == 405)
    }

    @Test func `the icon is where browsers look for it`() async throws {
        let response = await (try TestControl()).send(.to(.get, "/favicon.ico"))
        #expect(response?.head.headerFields[.contentType] == "image/svg+xml")
    }

    @Test func `the simulator shows its amounts and codes`() async throws {
        let outcomes = try await TestControl().control(.get, "simulator")
        #expect(outcomes.elements("amounts").first == ["amount": "5656", "gatewayCode": "APPROVED"])
        #expect(outcomes.elements("gatewayCodes").contains("DECLINED"))
    }
}
