import HTTP
import HTTPTypes
import Payments
import RadialAPI
import Testing
import TestSupport
import Values
import Vault
import XML

/// What follows an authorization, and what is sent twice.
struct OrderTests {
    private func authorized(
        _ store: TestStore, amount: String = "14.99", order: String = "order-1", requestID: String = "request-1"
    ) async throws -> String {
        let reply = await store.send(
            "creditcard/auth/VC.xml", Message.card(order: order, amount: amount, requestID: requestID).text)
        return try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
    }

    private func order(_ store: TestStore, _ id: String = "order-1") async throws -> Order {
        try await store.gateway.retrieve(OrderKey(merchant: store.merchant.id, order: try OrderID(id))).order
    }

    private static let webhook = HTTPURL("http://127.0.0.1:9/x").map { RadialWebhook(address: $0) }

    /// The event that waits, which is then forgotten.
    private func event(_ store: TestStore) async throws -> Response? {
        let taken = try await store.outbox.take(for: 1000, of: store.merchant.id, at: store.clock.now)
        guard let taken else { return nil }
        try await store.outbox.remove(taken)
        return Response(status: .ok, body: taken.text)
    }

    @Test func `the same request has the same bytes, and moves no money again`() async throws {
        let store = try TestStore()
        let message = Message.card().text
        let first = await store.send("creditcard/auth/VC.xml", message)
        store.clock.advance(byMilliseconds: 3_600_000)
        let second = await store.send("creditcard/auth/VC.xml", message)
        #expect(first.body == second.body)
        #expect(try await order(store).version == 1)
    }

    @Test func `a name whose request failed for the store stays taken, as it may have been carried out`() async throws {
        let ledger = InMemoryStore()
        let store = try TestStore(store: LateStore(ledger: ledger), sealedStore: ledger)
        let message = Message.card()
        let failed = await store.send("creditcard/auth/VC.xml", message.text)
        #expect(failed.head.status == .serviceUnavailable)
        let other = await store.send("creditcard/auth/VC.xml", Message.card(order: "order-2").text)
        #expect(other.faultCode == "DuplicateRequestException")
        let again = await store.send("creditcard/auth/VC.xml", message.text)
        #expect(try again.text("ResponseCode") == "APPROVED")
        #expect(try await order(store).version == 1)
    }

    @Test func `white space, comments and the order of elements make no other request`() async throws {
        let store = try TestStore()
        let message = Message.card()
        let first = await store.send("creditcard/auth/VC.xml", message.text)
        let moved = try message.replacing("SchemaVersion", with: nil).text
            .replacing("<PaymentContext>", with: "<!-- again -->\n  <SchemaVersion>1.2</SchemaVersion><PaymentContext>")
        let second = await store.send("creditcard/auth/VC.xml", moved)
        #expect(first.body == second.body)
    }

    @Test(arguments: ["amount", "order", "email", "tender"])
    func `other content under the same requestId is a fault, and moves no money`(change: String) async throws {
        let store = try TestStore()
        _ = try await authorized(store)
        var message = Message.card()
        switch change {
        case "amount": message = Message.card(amount: "15.00")
        case "order": message = Message.card(order: "order-2")
        case "email":
            message = try message.replacing("CustomerEmail", with: "<CustomerEmail>other@sample.com</CustomerEmail>")
        default: message = Message.card("5123450000000008")
        }
        let reply = await store.send("creditcard/auth/\(change == "tender" ? "MC" : "VC").xml", message.text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == "DuplicateRequestException")
        #expect(reply.faultDescription?.hasPrefix("/CreditCardAuthRequest/@requestId: ") == true)
        #expect(try await order(store).version == 1)
        await #expect(throws: Refusal.self) { try await order(store, "order-2") }
    }

    @Test func `a requestId whose request was refused may be used again`() async throws {
        let store = try TestStore(currencies: [.usd])
        let refused = await store.send("creditcard/auth/VC.xml", Message.card(currency: "EUR").text)
        #expect(refused.head.status == .badRequest)
        let reply = await store.send("creditcard/auth/VC.xml", Message.card().text)
        #expect(reply.head.status == .ok)
    }

    @Test func `twins at one time are one authorization`() async throws {
        let store = try TestStore()
        let message = Message.card().text
        let bodies = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { await store.send("creditcard/auth/VC.xml", message).body } }
            return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(try await order(store).version == 1)
    }

    @Test func `an order that is authorized is not authorized again`() async throws {
        let store = try TestStore()
        _ = try await authorized(store)
        let reply = await store.send("creditcard/auth/VC.xml", Message.card(requestID: "request-2").text)
        #expect(reply.faultCode == "DuplicateOrderException")
        #expect(reply.faultDescription?.hasPrefix("/CreditCardAuthRequest/PaymentContext/OrderId") == true)
    }

    @Test func `an authorization is cancelled once`() async throws {
        let store = try TestStore()
        let token = try await authorized(store)
        let reply = await store.send("auth/cancel/VC.xml", Message.cancel(token).text)
        #expect(
            try reply.xml.children.map(\.name) == [
                "PaymentContext", "TenderType", "ResponseCode", "Amount", "ExtendedResponseCode", "StoreId",
            ])
        #expect(try reply.text("ResponseCode") == "Success")
        #expect(try reply.text("ExtendedResponseCode")?.isEmpty == true)
        #expect(try reply.text("TenderType") == "VC")
        #expect(try reply.text("StoreId") == TestStore.id)
        #expect(try await order(store).status == .cancelled)
        #expect(await store.send("auth/cancel/VC.xml", Message.cancel(token).text).body == reply.body)
        let again = await store.send("auth/cancel/VC.xml", Message.cancel(token, requestID: "cancel-2").text)
        #expect(try again.text("ResponseCode") == "Fail")
        #expect(try again.text("ExtendedResponseCode") == "NoAuthFoundException")
    }

    @Test(arguments: ["order", "account"])
    func `there is nothing to cancel of another order or account`(other: String) async throws {
        let store = try TestStore()
        let token = try await authorized(store)
        let message =
            other == "order" ? Message.cancel(token, order: "order-2") : Message.cancel("401200AAAAAA0026")
        let reply = await store.send("auth/cancel/VC.xml", message.text)
        #expect(try reply.text("ResponseCode") == "Fail")
        #expect(try reply.text("ExtendedResponseCode") == "NoAuthFoundException")
        #expect(try await order(store).status == .authorized)
    }

    @Test(arguments: [("DW", "InvalidTenderTypeException"), ("MC", "InvalidTenderTypeException")])
    func `after the authorization the tender type is its reply's`(tender: String, code: String) async throws {
        let store = try TestStore()
        let token = try await authorized(store)
        for (service, message) in [
            ("auth/cancel", Message.cancel(token)), ("funds/confirm", .confirm(token)),
            ("settlement/create", .settle(token)),
        ] {
            let reply = await store.send("\(service)/\(tender).xml", message.text)
            #expect(reply.faultCode == code)
        }
    }

    @Test func `a wallet of a brand without a tender type is settled and cancelled under DW, as its reply says`()
        async throws
    {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        func authorized(_ order: String) async throws -> String {
            let token = try merchant.mint(merchant.order(pan: "135492354874528", amountMinorUnits: 1499))
            let message = try Message.wallet(token, order: order, requestID: order)
            let reply = await store.send("creditcard/auth/DW.xml", message.text)
            #expect(try reply.text("TenderType") == "DW")
            return try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
        }
        let first = try await authorized("order-1")
        let other = await store.send("auth/cancel/VC.xml", Message.cancel(first).text)
        #expect(other.faultCode == "InvalidTenderTypeException")
        let cancelled = await store.send("auth/cancel/DW.xml", Message.cancel(first).text)
        #expect(try cancelled.text("ResponseCode") == "Success")
        #expect(try cancelled.text("TenderType") == "DW")

        let second = try await authorized("order-2")
        let confirmed = await store.send("funds/confirm/DW.xml", Message.confirm(second, order: "order-2").text)
        #expect(try confirmed.text("FundsAvailable") == "Success")
        let settled = await store.send("settlement/create/DW.xml", Message.settle(second, order: "order-2").text)
        #expect(settled.head.status == .ok)
        #expect(try await order(store, "order-2").status == .captured)
    }

    @Test(arguments: ["isToken=\"false\"", "isToken=\"0\"", ""])
    func `a cancellation and a settlement name the account by its token, and never by its number`(
        attribute: String
    ) async throws {
        let store = try TestStore(webhook: Self.webhook)
        _ = try await authorized(store)
        for (service, message) in [
            ("auth/cancel", Message.cancel("4012000033330026")), ("settlement/create", .settle("4012000033330026")),
        ] {
            let text = message.text.replacing(" isToken=\"true\"", with: attribute.isEmpty ? "" : " \(attribute)")
            let reply = await store.send("\(service)/VC.xml", text)
            #expect(reply.faultCode == "SchemaValidationException")
            #expect(
                reply.faultDescription?.contains("/PaymentContext/PaymentAccountUniqueId/@isToken: must be true")
                    == true)
            let isValid = try RadialSchema.isAvailable && RadialSchema.fault(in: Array(text.utf8)) == nil
            #expect(!isValid)
        }
        #expect(try await event(store) == nil)
        #expect(try await order(store).version == 1)
    }

    @Test func `a part of an authorization is not cancelled`() async throws {
        let store = try TestStore()
        let token = try await authorized(store)
        let reply = await store.send("auth/cancel/VC.xml", Message.cancel(token, amount: "1.00").text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultDescription?.hasPrefix("/PaymentAuthCancelRequest/Amount: ") == true)
    }

    @Test func `a debit and a credit go through the ledger, and are reported`() async throws {
        let store = try TestStore(webhook: Self.webhook)
        let token = try await authorized(store)
        let confirmed = await store.send("funds/confirm/VC.xml", Message.confirm(token).text)
        #expect(
            try confirmed.xml.children.map(\.name) == ["PaymentContext", "FundsAvailable", "ReauthorizationAttempted"])
        #expect(try confirmed.text("FundsAvailable") == "Success")

        let debit = await store.send("settlement/create/VC.xml", Message.settle(token).text)
        #expect(try debit.xml.name == "PaymentSettlementReply")
        #expect(try await order(store).status == .captured)
        let credit = await store.send(
            "settlement/create/VC.xml", Message.settle(token, "Credit", requestID: "settle-2").text)
        #expect(credit.head.status == .ok)
        #expect(try await order(store).status == .refunded)

        for type in ["Debit", "Credit"] {
            let event = try #require(try await event(store))
            let status = try #require(try event.xml["PaymentSettlementStatus"])
            #expect(
                status.children.map(\.name) == [
                    "PaymentContext", "TenderType", "Amount", "SettlementType", "SettlementStatus", "ClientContext",
                    "StoreId",
                ])
            #expect(status["SettlementType"]?.text == type)
            #expect(status["SettlementStatus"]?.text == "S")
            #expect(status["ClientContext"]?.text == "context-1")
        }
        #expect(try await event(store) == nil)
    }

    @Test func `a repeated settlement is reported once`() async throws {
        let store = try TestStore(webhook: Self.webhook)
        let token = try await authorized(store)
        let first = await store.send("settlement/create/VC.xml", Message.settle(token).text)
        let second = await store.send("settlement/create/VC.xml", Message.settle(token).text)
        #expect(first.body == second.body)
        #expect(try await event(store) != nil)
        #expect(try await event(store) == nil)
        #expect(try await order(store).version == 2)
    }

    @Test(arguments: [
        ("Debit", "15.00", "AmountExceedsAvailableException"), ("Credit", "14.99", "NoAuthFoundException"),
    ])
    func `what the ledger does not allow is acknowledged, and reported as refused`(
        type: String, amount: String, reason: String
    ) async throws {
        let store = try TestStore(webhook: Self.webhook)
        let token = try await authorized(store)
        let reply = await store.send("settlement/create/VC.xml", Message.settle(token, type, amount: amount).text)
        #expect(reply.head.status == .ok)
        let status = try #require(try await event(store)?.xml["PaymentSettlementStatus"])
        #expect(status["SettlementStatus"]?.text == "R")
        #expect(status["DeclineReason"]?.text == reason)
        #expect(try await order(store).status == .authorized)
    }

    @Test func `several debits are credited, the last first`() async throws {
        let store = try TestStore()
        let token = try await authorized(store)
        for (id, amount) in [("d1", "10.00"), ("d2", "4.99")] {
            _ = await store.send("settlement/create/VC.xml", Message.settle(token, amount: amount, requestID: id).text)
        }
        for (id, amount) in [("c1", "10.00"), ("c2", "4.99")] {
            let message = Message.settle(token, "Credit", amount: amount, requestID: id)
            #expect(await store.send("settlement/create/VC.xml", message.text).head.status == .ok)
        }
        #expect(try await order(store).status == .refunded)
    }

    @Test(arguments: ["order", "account", "currency", "tax", "type", "code"])
    func `a settlement that names nothing, or is not of its form, is a fault`(change: String) async throws {
        let store = try TestStore(webhook: Self.webhook)
        let token = try await authorized(store)
        let message: Message =
            switch change {
            case "order": .settle(token, order: "order-2")
            case "account": .settle("401200AAAAAA0026")
            case "currency":
                try Message.settle(token).replacing("Amount", with: "<Amount currencyCode=\"EUR\">14.99</Amount>")
                    .replacing("TaxAmount", with: "<TaxAmount currencyCode=\"EUR\">0.00</TaxAmount>")
            case "tax": try Message.settle(token).replacing("TaxAmount", with: nil)
            case "type": try Message.settle(token).replacing("SettlementType", with: nil)
            default: Message.settle(token).adding("<AuthorizationResponseCode>ND11</AuthorizationResponseCode>")
            }
        let reply = await store.send("settlement/create/VC.xml", message.text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultDescription?.hasPrefix("/PaymentSettlementRequest/") == true)
        #expect(try await event(store) == nil)
        #expect(try await order(store).version == 1)
    }

    @Test(arguments: [
        ("14.99", false, "Success", "false"), ("15.00", false, "Fail", "false"), ("20.00", true, "Success", "true"),
    ])
    func `funds are there as far as they are authorized, or are authorized again`(
        amount: String, reauthorizing: Bool, available: String, attempted: String
    ) async throws {
        let store = try TestStore()
        let token = try await authorized(store)
        let message = Message.confirm(token, amount: amount, reauthorizing: reauthorizing)
        let reply = await store.send("funds/confirm/VC.xml", message.text)
        #expect(try reply.text("FundsAvailable") == available)
        #expect(try reply.text("ReauthorizationAttempted") == attempted)
        #expect(await store.send("funds/confirm/VC.xml", message.text).body == reply.body)
    }

    @Test func `an order that Mastercard's API made is settled by its number's token`() async throws {
        let store = try TestStore()
        let payment = TestPayment {
            $0.order = "order-m"
            $0.amount = "14.99"
            $0.sourceOfFunds = try? .card(TestPayment.plainCard("4012000033330026"))
        }
        _ = try await store.gateway.perform(payment.command, at: store.clock.now)
        let protected = await store.send("pan/protect.xml", Self.protect("4012000033330026"))
        let token = try #require(try protected.text("Token"))
        let reply = await store.send("settlement/create/VC.xml", Message.settle(token, order: "order-m").text)
        #expect(reply.head.status == .ok)
        #expect(try await order(store, "order-m").status == .captured)
    }

    private static func protect(_ number: String) -> String {
        """
        <ProtectPanRequest xmlns="\(Message.namespace)"><PaymentAccountNumber>\(number)</PaymentAccountNumber>
        <TenderClass>CreditCard</TenderClass></ProtectPanRequest>
        """
    }

    @Test func `a number's token is the authorization's, and stays the same`() async throws {
        let store = try TestStore()
        let first = await store.send("pan/protect.xml", Self.protect("4012000033330026"))
        let second = await store.send("pan/protect/VC.xml", Self.protect("4012000033330026"))
        #expect(first.body == second.body)
        #expect(try await authorized(store) == first.text("Token"))
    }

    @Test(arguments: [
        ("4012000033330027", "PanFailsLuhnCheckException"), ("4012", "SchemaValidationException"),
        ("", "SchemaValidationException"),
    ])
    func `an invalid number gets no token`(number: String, code: String) async throws {
        #expect(try await TestStore().send("pan/protect.xml", Self.protect(number)).faultCode == code)
    }

    @Test(arguments: [
        ("4012000033330026", "USD", "VC", "TENDER_TYPE_FOUND"), ("5123450000000008", "USD", "MC", "TENDER_TYPE_FOUND"),
        ("378282246310005", "USD", "AM", "TENDER_TYPE_FOUND"), ("4012000033330027", "USD", nil, "PAN_FAILS_LUHN_CHECK"),
        ("9000000000000001", "USD", nil, "NO_TENDER_TYPE_FOUND"),
        ("4012000033330026", "EUR", nil, "PAN_NOT_CONFIGURED_TO_STORE"),
    ])
    func `a number's tender type is looked up`(
        number: String, currency: String, tender: String?, responseCode: String
    ) async throws {
        let reply = try await TestStore(currencies: [.usd]).send(
            "tendertype/lookup.xml",
            """
            <TenderTypeLookupRequest xmlns="\(Message.namespace)">
            <PaymentAccountUniqueId isToken="false">\(number)</PaymentAccountUniqueId>
            <TenderClass>CreditCard</TenderClass><CurrencyCode>\(currency)</CurrencyCode></TenderTypeLookupRequest>
            """)
        #expect(reply.head.status == .ok)
        #expect(try reply.text("TenderType") == tender)
        #expect(try reply.text("ResponseCode") == responseCode)
    }
}
