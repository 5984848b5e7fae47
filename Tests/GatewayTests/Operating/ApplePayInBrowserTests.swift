import Foundation
import JSON
import Testing

/// Apple Pay in a browser as the built program serves it: from the merchant session to an authorized payment.
@Suite(.timeLimit(.minutes(30)))
struct ApplePayInBrowserTests {
    private static let origin = "http://localhost:3000"
    private static let wanted = #"""
        {"merchantIdentifier":"merchant.local.tollgate.testmerchant","displayName":"Shop","initiative":"web",
        "initiativeContext":"localhost"}
        """#

    @Test(arguments: [
        ("5656.00", "APPROVED"), ("5757.00", "DECLINED"), ("5858.00", "TIMED_OUT"), ("6161.00", "PARTIALLY_APPROVED"),
    ])
    func `a token that a page got is authorized`(amount: String, code: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try gateway.send("GET", "/apple-pay/apple-pay.js", nil, fields: "").status == 200)
        let grant = try gateway.grant()
        let minted = try gateway.page("token", Self.order(grant, amount: amount))
        #expect(minted.status == 200)
        let token = try #require(try minted.json["token"]?["paymentData"])
        let text = String(decoding: token.serialized(), as: UTF8.self)
        let paid = try gateway.put(TransactionPath(), PaymentRequest.token(text, amount: amount))
        #expect(paid.status == 201)
        #expect(paid["response.gatewayCode"] == code)
        #expect(try gateway.page("token", Self.order(grant, amount: amount)).status == 409)
    }

    @Test func `a session is refused elsewhere, later and again`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let session = try gateway.session()
        #expect(try gateway.page("redeem", session, origin: "http://127.0.0.1:3000").status == 403)
        #expect(try gateway.page("redeem", session).status == 200)
        #expect(try gateway.page("redeem", session).status == 409)
        let other = try gateway.session()
        let later = Date().addingTimeInterval(400).ISO8601Format()
        _ = try gateway.control("PUT", "clock", #"{"instant":"\#(later)"}"#)
        #expect(try gateway.page("redeem", other).status == 410)
        #expect(try gateway.page("token", Self.order("AAAA", amount: "1.00")).status == 403)
        let fields = "Origin: \(Self.origin)\r\nContent-Type: application/json\r\n"
        let asked = try gateway.send(
            "POST", "/paymentservices/paymentSession", Array(Self.wanted.utf8), fields: fields)
        #expect(asked.status == 403)
    }

    @Test func `no log and no journal shows a grant, a session or a token`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let log = folder.path + "/access.log"
        let gateway = try RunningGateway(in: folder, "--access-log", log)
        defer { gateway.kill() }
        let grant = try gateway.grant()
        let minted = try gateway.page("token", Self.order(grant, amount: "1.00"))
        _ = try gateway.page("token", Self.order(grant, amount: "1.00"))
        let journal = try gateway.control("GET", "requests").text
        #expect(journal.contains("/apple-pay/token"))
        #expect(!journal.contains(grant) && !journal.contains("ephemeralPublicKey"))
        let data = try #require(try minted.json["token"]?["paymentData"]?["data"]?.text)
        #expect(!journal.contains(data))
        #expect(try gateway.stop() == .exited(0))
        let lines = try folder.text("access.log")
        #expect(lines.contains(#""/apple-pay/token""#) && lines.contains("MINT_APPLE_PAY_TOKEN"))
        #expect(!lines.contains(grant))
    }

    @Test(arguments: [
        ("GET", "/apple-pay/apple-pay.js"), ("POST", "/apple-pay/redeem"), ("POST", "/apple-pay/token"),
        ("POST", "/paymentservices/paymentSession"), ("POST", "/paymentservices/startSession"),
        ("GET", "/.well-known/apple-developer-merchantid-domain-association"),
    ])
    func `a gateway without a sandbox has none of it`(method: String, path: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let password = String(repeating: "a", count: 32)
        try folder.write("config/merchants/SHOP.yaml", Array("passwords:\n  - environment: SHOP_PASSWORD\n".utf8))
        let gateway = try RunningGateway(
            in: folder, ["--config", folder.path + "/config"], environment: ["SHOP_PASSWORD": password],
            credentials: RunningGateway.Credentials(merchant: "SHOP", password: password))
        defer { gateway.kill() }
        #expect(try Exchange.reply(method, path, Array("{}".utf8), port: gateway.port).status == 404)
    }

    private static func order(_ grant: String, amount: String) -> JSONValue {
        [
            "amount": .string(amount), "card": "visa", "countryCode": "US", "currencyCode": "USD",
            "grant": .string(grant),
        ]
    }

    /// The content of a request for a merchant session.
    fileprivate static var wantedBytes: [UInt8] { Array(wanted.utf8) }
}

extension RunningGateway {
    /// Posts as a page of a shop on this machine.
    fileprivate func page(
        _ name: String, _ content: JSONValue, origin: String = "http://localhost:3000"
    ) throws -> HTTPReply {
        try send(
            "POST", "/apple-pay/\(name)", content.serialized(),
            fields: "Origin: \(origin)\r\nContent-Type: application/json\r\n")
    }

    /// What a page posts to use a new merchant session up.
    fileprivate func session() throws -> JSONValue {
        let reply = try send(
            "POST", "/paymentservices/paymentSession", ApplePayInBrowserTests.wantedBytes, fields: "")
        return ["merchantSession": try reply.json]
    }

    fileprivate func grant() throws -> String { try #require(try page("redeem", try session()).json["grant"]?.text) }
}
