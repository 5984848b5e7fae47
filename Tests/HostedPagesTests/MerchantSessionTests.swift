import HTTPTypes
import JSON
import OpenSSL
import TestSupport
import Testing
import Values

@testable import HostedPages

/// A shop's server gets merchant sessions, and pages of their domain use each up once.
struct MerchantSessionTests {
    private let pages: TestPages

    init() throws { pages = try TestPages() }

    @Test func `a merchant session has Apple's members`() async throws {
        let session = try await pages.session()
        #expect(session.status == 200)
        guard case .object(let members) = session.json else { throw TestPages.Missing() }
        #expect(
            members.map(\.name) == [
                "displayName", "domainName", "epochTimestamp", "expiresAt", "merchantIdentifier",
                "merchantSessionIdentifier", "nonce", "operationalAnalyticsIdentifier", "pspId", "retries", "signature",
            ])
        let hash = Hexadecimal.encoded(SHA256.hash(Array(LocalMerchant.merchantIdentifier.utf8))).uppercased()
        let now = LocalMerchant.instant.millisecondsSinceEpoch
        #expect(session["merchantIdentifier"] == .string(hash) && session["pspId"] == .string(hash))
        #expect(session["epochTimestamp"] == .number(JSONNumber(now)))
        #expect(session["expiresAt"] == .number(JSONNumber(now + 3_600_000)))
        #expect(session["domainName"] == "shop.example" && session["displayName"] == "Shop" && session["retries"] == 0)
        #expect(session["operationalAnalyticsIdentifier"] == .string("Shop:\(hash)"))
        let identifier = try #require(session["merchantSessionIdentifier"]?.string)
        #expect(identifier.wholeMatch(of: /SSH[0-9A-F]{32}_[0-9A-F]{64}/) != nil)
        #expect(session["nonce"]?.string?.wholeMatch(of: /[0-9a-f]{8}/) != nil)
    }

    @Test func `the merchant is named by the identifier or by its hash, in either path`() async throws {
        let hash = Hexadecimal.encoded(SHA256.hash(Array(LocalMerchant.merchantIdentifier.utf8)))
        for identifier in [hash, hash.uppercased(), LocalMerchant.merchantIdentifier] {
            let session = try await pages.session(TestPages.wanted(domain: "shop.example", identifier: identifier))
            #expect(session.status == 200)
            let old = try await pages.session(
                #"{"merchantIdentifier":"\#(identifier)","domainName":"Shop.Example","displayName":"Shop"}"#,
                at: "/paymentservices/startSession")
            #expect(old.status == 200)
            #expect(old["domainName"] == "shop.example")
        }
    }

    @Test(arguments: [
        ("", "JSON"), ("[]", "object"), ("{}", "missing merchant identifier"),
        (#"{"merchantIdentifier":"m"}"#, "missing display name"), (#"{"merchantIdentifier":7}"#, "merchantIdentifier"),
        (#"{"merchantIdentifier":"m","displayName":"S"}"#, "missing initiative"),
        (#"{"merchantIdentifier":"m","displayName":"S","initiative":"messaging","initiativeContext":"a"}"#, "web"),
        (#"{"merchantIdentifier":"m","displayName":"S","initiative":"web"}"#, "missing initiative context"),
        (TestPages.wanted(domain: "http://shop.example"), "domain"),
        (TestPages.wanted(domain: "shop.example:80"), "domain"),
        (TestPages.wanted(domain: "shop.example/"), "domain"), (TestPages.wanted(domain: "*.example"), "domain"),
        (TestPages.wanted(domain: String(repeating: "a", count: 254)), "domain"),
        (TestPages.wanted(domain: "shop.example", identifier: String(repeating: "m", count: 257)), "256"),
    ])
    func `a request without what a session needs is refused in Apple's form`(body: String, words: String) async throws {
        let reply = try await pages.session(body)
        #expect(reply.status == 400)
        #expect(reply["statusCode"] == "400")
        #expect(reply.message.hasPrefix("Payment Services Exception "))
        #expect(reply.message.contains(words), "\(reply.message)")
    }

    @Test func `a merchant of whom the gateway has no key gets none, and neither does a disabled one`() async throws {
        let unknown = try await pages.session(TestPages.wanted(domain: "shop.example", identifier: "merchant.other"))
        #expect(unknown.status == 417 && unknown["statusCode"] == "417")
        #expect(try await TestPages(isEnabled: false).session().status == 417)
    }

    @Test(arguments: ["http://shop.example:3000", "null", "http://127.0.0.1:8080", ""])
    func `a page gets no merchant session`(origin: String) async throws {
        let reply = try await pages.session(nil, [.origin: origin])
        #expect(reply.status == 403)
        #expect(reply.message.contains("server"))
        #expect(reply.fields[.accessControlAllowOrigin] == nil)
    }

    @Test func `the page of the domain uses a session up, once`() async throws {
        let session = try await pages.session().json
        let redeemed = try await pages.redeem(session)
        #expect(redeemed.status == 200)
        #expect(redeemed["grant"]?.string?.wholeMatch(of: /[0-9A-Za-z_-]{43}/) != nil)
        #expect(redeemed["displayName"] == "Shop" && redeemed["domainName"] == "shop.example")
        #expect(redeemed.fields[.accessControlAllowOrigin] == TestPages.origin && redeemed.fields[.vary] == "Origin")
        #expect(redeemed.fields[.accessControlAllowCredentials] == nil)
        guard case .array(let cards) = redeemed["cards"] else { throw TestPages.Missing() }
        #expect(
            cards.first == ["displayName": "Visa 1019", "id": "visa", "network": "visa", "type": "credit"])
        let again = try await pages.redeem(session)
        #expect(again.status == 409)
        #expect(again.message.contains("used before"))
    }

    @Test(arguments: [(300_000, 200), (300_001, 410), (-1, 410)])
    func `a session lasts five minutes by the gateway's clock`(milliseconds: Int64, status: Int) async throws {
        let session = try await pages.session().json
        pages.clock.advance(byMilliseconds: milliseconds)
        #expect(try await pages.redeem(session).status == status)
    }

    @Test(arguments: [
        "http://shop.example", "https://shop.example", "http://other.example", "http://a.shop.example",
        "http://shop.example.evil", "http://127.0.0.1:3000", "http://localhost",
    ])
    func `only pages of the session's host use it`(origin: String) async throws {
        let reply = try await pages.redeem(try await pages.session().json, from: origin)
        #expect(reply.status == (origin.hasSuffix("//shop.example") ? 200 : 403))
        #expect(reply.fields[.accessControlAllowOrigin] == origin)
    }

    @Test func `loopback names match themselves alone`() async throws {
        for (domain, origin, status) in [
            ("localhost", "http://localhost:3000", 200), ("127.0.0.1", "http://127.0.0.1:3000", 200),
            ("localhost", "http://127.0.0.1:3000", 403), ("127.0.0.1", "http://localhost:3000", 403),
        ] {
            let session = try await pages.session(TestPages.wanted(domain: domain))
            #expect(try await pages.redeem(session.json, from: origin).status == status, "\(domain) \(origin)")
        }
    }

    @Test(arguments: [nil, "null", "shop.example", "HTTP://shop.example", "file://"])
    func `a session is not used without a page's origin`(origin: String?) async throws {
        let reply = try await pages.redeem(try await pages.session().json, from: origin)
        #expect(reply.status == 403)
        #expect(reply.fields[.accessControlAllowOrigin] == nil)
    }

    @Test(arguments: [
        "domainName", "displayName", "epochTimestamp", "merchantIdentifier", "merchantSessionIdentifier", "signature",
        "expiresAt", "nonce", "added",
    ])
    func `a session that was changed is refused`(name: String) async throws {
        guard case .object(var members) = try await pages.session().json else { throw TestPages.Missing() }
        members[name] = name == "epochTimestamp" ? 1_630_522_991_000 : "other.example"
        let reply = try await pages.redeem(.object(members))
        #expect([400, 403].contains(reply.status))
        #expect(reply.message.contains("unchanged") || reply.message.contains(name))
        if name != "added" {
            members[name] = nil
            #expect([400, 403].contains(try await pages.redeem(.object(members)).status))
        }
    }

    @Test func `a session of another authority is refused`() async throws {
        let other = try TestPages()
        let reply = try await pages.redeem(try await other.session().json)
        #expect(reply.status == 403)
        #expect(reply.message.contains("not signed"))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"merchantSession":null}"#, #"{"merchantSession":[]}"#, #"{"merchantSession":{},"a":1}"#,
    ])
    func `something else is no session`(body: String) async throws {
        #expect(try await pages.post("/apple-pay/redeem", body).status == 400)
    }

    @Test func `the oldest used session of a merchant is forgotten first, and no other merchant's`() throws {
        let register = GrantRegister()
        let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        func redeem(_ session: String, _ merchant: [UInt8]) -> String? {
            register.redeem(session: session, merchantIdentifierHash: merchant, origin: TestPages.origin)
        }
        let others = try #require(redeem("a", other))
        let first = try #require(redeem("a", one))
        #expect(redeem("a", one) == nil)
        for number in 1..<GrantRegister.countMax { #expect(redeem("\(number)", one) != nil) }
        _ = try register.grant(first, origin: TestPages.origin)
        #expect(redeem("last", one) != nil)
        #expect(throws: GrantRegister.Refusal.unknown) { try register.grant(first, origin: TestPages.origin) }
        _ = try register.grant(others, origin: TestPages.origin)
    }
}
