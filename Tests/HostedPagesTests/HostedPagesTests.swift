import Access
import HTTP
import HTTPTypes
import HostedPages
import TestSupport
import Testing

/// What the pages serve, and how they refuse.
struct HostedPagesTests {
    private let pages: TestPages
    private let script = "/apple-pay/apple-pay.js"

    init() throws { pages = try TestPages() }

    @Test func `any page may load the script, which a browser keeps until it changes`() async throws {
        let response = try #require(await pages.send(.get, script + "?auto=pay"))
        #expect(response.head.status == .ok)
        let fields = response.head.headerFields
        #expect(fields[.contentType] == "text/javascript; charset=utf-8")
        #expect(fields[.cacheControl] == "no-cache" && fields[.accessControlAllowOrigin] == "*")
        #expect(fields[.xContentTypeOptions] == "nosniff")
        #expect(fields[try #require(HTTPField.Name("Referrer-Policy"))] == "no-referrer")
        #expect(fields[try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))] == "cross-origin")
        #expect(String(decoding: response.body, as: UTF8.self).contains("class ApplePaySession"))
        let tag = try #require(fields[.eTag])
        #expect(tag.wholeMatch(of: /"[0-9a-f]{1,16}"/) != nil)
        for known in [tag, "W/\(tag)", "\"a\", \(tag)", "*"] {
            let kept = try #require(await pages.send(.get, script, "", [.ifNoneMatch: known]))
            #expect(kept.head.status == .notModified && kept.body.isEmpty)
            #expect(kept.head.headerFields[.eTag] == tag)
        }
        #expect(await pages.send(.get, script, "", [.ifNoneMatch: "\"a\""])?.head.status == .ok)
    }

    @Test func `the domain association file is plain text`() async throws {
        let path = "/.well-known/apple-developer-merchantid-domain-association"
        let response = try #require(await pages.send(.get, path))
        #expect(response.head.status == .ok && response.head.headerFields[.contentType] == "text/plain")
        #expect(String(decoding: response.body, as: UTF8.self).wholeMatch(of: /[0-9a-f]+/) != nil)
    }

    @Test(arguments: [
        ("GET", "/apple-pay/redeem", "POST"), ("PUT", "/apple-pay/token", "POST"),
        ("POST", "/apple-pay/apple-pay.js", "GET, HEAD"),
        ("GET", "/paymentservices/paymentSession", "POST"), ("OPTIONS", "/paymentservices/startSession", "POST"),
        ("OPTIONS", "/apple-pay/redeem", "POST"),
        ("DELETE", "/.well-known/apple-developer-merchantid-domain-association", "GET, HEAD"),
    ])
    func `another method is refused`(method: String, path: String, allowed: String) async throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let response = try #require(await pages.send(method, path))
        #expect(response.head.status == .methodNotAllowed)
        #expect(response.head.headerFields[.allow] == allowed)
    }

    @Test(arguments: [
        "/", "/apple-pay", "/apple-pay/", "/apple-pay/other", "/paymentservices/", "/paymentservices/paymentSession/",
        "/.well-known/other", "/APPLE-PAY/redeem", "/api/rest/version/100/information", "/apple-pay/%72edeem",
    ])
    func `another path is for another API`(path: String) async {
        #expect(await pages.send(.get, path) == nil)
    }

    @Test(arguments: ["/apple-pay/redeem", "/apple-pay/token"])
    func `a browser may send what pages post, without credentials`(path: String) async throws {
        let fields: HTTPFields = [.origin: "http://shop.example", .accessControlRequestMethod: "POST"]
        let response = try #require(await pages.send(.options, path, "", fields))
        #expect(response.head.status == .noContent && response.body.isEmpty)
        #expect(response.head.headerFields[.accessControlAllowOrigin] == "http://shop.example")
        #expect(response.head.headerFields[.accessControlAllowMethods] == "POST")
        #expect(response.head.headerFields[.accessControlAllowHeaders] == "Content-Type")
        #expect(response.head.headerFields[.accessControlMaxAge] == "600")
        #expect(response.head.headerFields[.vary] == "Origin")
        #expect(response.head.headerFields[.accessControlAllowCredentials] == nil)
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"])
    func `content that a page posts without being asked is refused`(type: String) async throws {
        let response = try #require(
            await pages.send(.post, "/apple-pay/redeem", "{}", [.origin: "http://shop.example", .contentType: type]))
        #expect(response.head.status == .unsupportedMediaType)
    }

    @Test func `logs and metrics know each operation`() async throws {
        #expect(
            HostedPages.operations.map(\.route.text).sorted() == [
                "/.well-known/apple-developer-merchantid-domain-association", "/apple-pay/apple-pay.js",
                "/apple-pay/redeem", "/apple-pay/token", "/paymentservices/paymentSession",
                "/paymentservices/startSession",
            ])
        #expect(Set(HostedPages.operations.map(\.name)).count == HostedPages.operations.count)
    }
}
