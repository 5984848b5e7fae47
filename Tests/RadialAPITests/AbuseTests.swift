import HTTP
import HTTPTypes
import JSON
import Payments
import RadialAPI
import Testing
import TestSupport
import Values
import Vault

/// What a client does that is broken, in a hurry or hostile.
struct AbuseTests {
    private static let webhook = HTTPURL("http://127.0.0.1:9/x").map { RadialWebhook(address: $0) }

    /// The replies to requests that are in flight together.
    private static func together(
        _ messages: [Message], _ service: String, _ store: TestStore
    ) async -> [Response] {
        await withTaskGroup(of: Response.self) { group in
            for message in messages { group.addTask { await store.send(service, message.text) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func transactions(_ store: TestStore, of order: String = "order-1") async throws -> [Transaction] {
        try await store.gateway.retrieve(OrderKey(merchant: store.merchant.id, order: try OrderID(order))).transactions
    }

    @Test(arguments: [
        "", " ", "x", "{}", "null", "[]", "<", "<a/>", "<CreditCardAuthRequest/>", "%PDF-1.4", "a=b&c=d", "\u{FEFF}",
        "\u{0}",
        "<html><body>hello</body></html>", "<?xml version='1.1'?><CreditCardAuthRequest/>",
        "<?xml version='1.0' encoding='UTF-16'?><CreditCardAuthRequest/>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><CreditCardAuthRequest>&e;</CreditCardAuthRequest>",
        "<CreditCardAuthRequest xmlns='\(Message.namespace)'>text</CreditCardAuthRequest>",
        "<CreditCardAuthRequest xmlns='\(Message.namespace)' requestId='1' other='2'/>",
        "<p:CreditCardAuthRequest xmlns:p='\(Message.namespace)/'/>",
        "<CreditCardAuthRequest xmlns='\(Message.namespace)' requestId='1'/><x/>",
    ])
    func `nonsense is a fault, whatever the service`(body: String) async throws {
        let store = try TestStore(decryptsBlobs: true)
        for service in [
            "creditcard/auth/VC.xml", "creditcard/auth/DW.xml", "auth/cancel/VC.xml", "settlement/create/VC.xml",
            "funds/confirm/VC.xml", "pan/protect.xml", "tendertype/lookup.xml",
        ] {
            let reply = await store.send(service, body)
            #expect(reply.head.status == .badRequest)
            #expect(["MalformedXmlException", "SchemaValidationException"].contains(reply.faultCode), "\(service)")
            #expect(reply.faultDescription?.contains("passwd") == false)
        }
    }

    @Test func `a request of one kind is none of another`() async throws {
        let store = try TestStore()
        let account = "401200aaaaaa0026"
        for message in [Message.cancel(account), .settle(account), .confirm(account)] {
            let reply = await store.send("creditcard/auth/VC.xml", message.text)
            #expect(reply.faultCode == "SchemaValidationException")
        }
    }

    @Test(arguments: [
        ("/v1.0/stores/TMSUS/payments/pan/protect.xml", true), ("/v2.0/stores/TMSUS/payments/pan/protect.xml", true),
        ("/v10.22/stores", true), ("/v1.0/stores/", true), ("/v1/stores/TMSUS", false), ("/v1.0.0/stores/x", false),
        ("/vx.y/stores/x", false), ("/v1./stores/x", false), ("/v1.0/storesx", false), ("/V1.0/stores/x", false),
        ("/v1.0/store/x", false), ("/api/rest/version/100/information", false), ("//v1.0/stores/x", false), ("", false),
        ("v1.0/stores/x", false), ("/", false),
    ])
    func `a path of any version with a store is answered in XML`(path: String, isAddressed: Bool) {
        let head = HTTPRequest(method: .post, scheme: "https", authority: "localhost", path: path)
        #expect(RadialAPI.isAddressed(by: Request(head: head, body: [])) == isAddressed)
    }

    @Test(arguments: [
        "application/json", "text/plain", "text/html", "application/soap+xml", "multipart/form-data; boundary=x", "xml",
        "",
        "text/xml; charset=UTF-16", "text/xml;charset=ISO-8859-1", "application/xml; charset=utf-7",
        "text/xml, text/xml",
        "application/x-www-form-urlencoded",
    ])
    func `content of another type is 415`(contentType: String) async throws {
        let reply = try await TestStore().send("creditcard/auth/VC.xml", Message.card().text, contentType: contentType)
        #expect(reply.head.status == .unsupportedMediaType)
        #expect(reply.faultCode == "UnsupportedMediaTypeException")
    }

    @Test(arguments: [
        nil, "text/xml", "application/xml", "TEXT/XML", "text/xml; charset=utf-8", "application/xml;charset=\"UTF-8\"",
        "text/xml ; charset=US-ASCII",
    ])
    func `XML in UTF-8 is read by any of its names`(contentType: String?) async throws {
        let reply = try await TestStore().send("creditcard/auth/VC.xml", Message.card().text, contentType: contentType)
        #expect(reply.head.status == .ok)
    }

    @Test func `what is larger than 256 KiB is refused, be it white space`() async throws {
        let store = try TestStore()
        let message = Message.card().text
        let spaces = String(repeating: " ", count: 1 << 18)
        for body in [
            message + spaces, spaces + message,
            message.replacing("<PaymentContext>", with: "\(spaces)<PaymentContext>"),
        ] {
            let reply = await store.send("creditcard/auth/VC.xml", body)
            #expect(reply.faultCode == "MalformedXmlException")
            #expect(reply.faultDescription?.hasSuffix(": the document is too large") == true)
        }
        #expect(
            await store.send("creditcard/auth/VC.xml", message + String(repeating: " ", count: 1 << 16)).head.status
                == .ok)
    }

    @Test func `of different requests under one requestId at one time one is carried out`() async throws {
        let store = try TestStore()
        let messages = (1...12).map { Message.card(order: "order-\($0)", amount: "\($0).00", requestID: "same") }
        let replies = await Self.together(messages, "creditcard/auth/VC.xml", store)
        #expect(replies.filter { $0.head.status == .ok }.count == 1)
        #expect(replies.filter { $0.faultCode == "DuplicateRequestException" }.count == 11)
        var orders = 0
        for number in 1...12 {
            orders += (try? await Self.transactions(store, of: "order-\(number)"))?.count ?? 0
        }
        #expect(orders == 1)
    }

    @Test func `of one token at one time, for several orders, one is authorized`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let token = try merchant.mint(merchant.order())
        let messages = try (1...8).map { try Message.wallet(token, order: "order-\($0)", requestID: "request-\($0)") }
        let replies = await Self.together(messages, "creditcard/auth/DW.xml", store)
        #expect(replies.filter { $0.head.status == .ok }.count == 1)
        #expect(replies.filter { $0.faultCode == "ApplePayTokenException" }.count == 7)
    }

    @Test func `one settlement at one time, sent often, is one debit and one event`() async throws {
        let store = try TestStore(webhook: Self.webhook)
        let reply = await store.send("creditcard/auth/VC.xml", Message.card().text)
        let account = try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
        let replies = await Self.together(
            Array(repeating: .settle(account), count: 12), "settlement/create/VC.xml", store)
        #expect(Set(replies.map(\.body)).count == 1)
        #expect(try await Self.transactions(store).filter { $0.type == .capture }.count == 1)
        var events = 0
        while let event = try await store.outbox.take(for: 1000, of: store.merchant.id, at: store.clock.now) {
            events += 1
            try await store.outbox.remove(event)
        }
        #expect(events == 1)
    }

    @Test func `of several debits at one time no more is taken than was authorized`() async throws {
        let store = try TestStore()
        let reply = await store.send("creditcard/auth/VC.xml", Message.card(amount: "10.00").text)
        let account = try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
        let messages = (1...8).map { Message.settle(account, amount: "3.00", requestID: "settle-\($0)") }
        _ = await Self.together(messages, "settlement/create/VC.xml", store)
        let captures = try await Self.transactions(store).filter { $0.type == .capture }
        #expect(captures.count == 3)
    }

    @Test func `a token that one API has used is refused by the other`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let token = try merchant.mint(merchant.order())
        #expect(await store.send("creditcard/auth/DW.xml", try Message.wallet(token).text).head.status == .ok)
        await #expect(throws: Refusal.self) { try await Self.pay(token, "order-2", store) }

        let other = try merchant.mint(merchant.order())
        _ = try await Self.pay(other, "order-3", store)
        let reply = await store.send(
            "creditcard/auth/DW.xml", try Message.wallet(other, order: "order-4", requestID: "request-4").text)
        #expect(reply.faultCode == "ApplePayTokenException")
        #expect(reply.faultDescription?.contains("replay") == true)
        let made = try? await Self.transactions(store, of: "order-4")
        #expect(made == nil)
    }

    /// A payment by the ledger's other API.
    private static func pay(_ token: String, _ order: String, _ store: TestStore) async throws(Refusal) -> Transaction {
        guard let order = try? OrderID(order), let id = try? TransactionID("1"),
            let amount = Amount(exactly: 5656, .usd)
        else { preconditionFailure("lawful names") }
        return try await store.gateway.perform(
            .authorize(
                Authorize(
                    operation: .authorize,
                    instruction: Instruction(
                        merchant: store.merchant, order: order, transaction: id, source: .internet,
                        parameters: SecretText("pay"), particulars: .object(JSONObject())),
                    amount: amount, sourceOfFunds: .applePayToken(SecretText(token)), walletProvider: .applePay)),
            at: store.clock.now)
    }

    @Test func `a store sees neither another one's orders nor its accounts`() async throws {
        let other = Merchant(
            id: try MerchantID("OTHER"), passwords: [], applePay: nil,
            sections: [
                RadialStore(
                    id: try MerchantID("OTHERSTORE"), apiKeys: [APIPassword(digesting: SecretText("another-key"))])
            ])
        let store = try TestStore(others: [other])
        let reply = await store.send("creditcard/auth/VC.xml", Message.card().text)
        let account = try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))

        func send(_ service: String, _ message: Message) async -> Response {
            await store.send(service, message.text, apiKey: "another-key", store: "OTHERSTORE")
        }
        // Its key opens no other store, nor another's key this one.
        #expect(
            await store.send("creditcard/auth/VC.xml", Message.card().text, apiKey: "another-key").head.status
                == .unauthorized)
        #expect(
            await store.send("creditcard/auth/VC.xml", Message.card().text, store: "OTHERSTORE").head.status
                == .unauthorized)

        let cancelled = await send("auth/cancel/VC.xml", .cancel(account))
        #expect(try cancelled.text("ResponseCode") == "Fail")
        #expect(try cancelled.text("ExtendedResponseCode") == "NoAuthFoundException")
        #expect(await send("settlement/create/VC.xml", .settle(account)).faultCode == "NoAuthFoundException")
        let confirmed = await send("funds/confirm/VC.xml", .confirm(account))
        #expect(try confirmed.text("FundsAvailable") == "Fail")
        #expect(
            await send("creditcard/auth/VC.xml", .card(account, isToken: true)).faultCode == "TokenNotFoundException")
        #expect(try await Self.transactions(store).count == 1)

        // The same names are another order there, and the same number another token.
        let own = await send("creditcard/auth/VC.xml", .card())
        #expect(own.head.status == .ok)
        #expect(try own.text("PaymentContext/PaymentAccountUniqueId") != account)
    }
}
