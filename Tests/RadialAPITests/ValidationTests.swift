import HTTP
import HTTPTypes
import Testing
import TestSupport
import XML

/// One rule of the documentation's tables, broken.
struct BrokenRule: Sendable, CustomTestStringConvertible {
    let name: String
    var parent: String?
    /// The whole element in place of the one of the sample; nothing leaves it out.
    let replacement: String?
    var code = "SchemaValidationException"
    var path: String?

    var testDescription: String { "\(parent.map { $0 + "/" } ?? "")\(name) = \(replacement?.prefix(60) ?? "absent")" }

    /// Where the fault must be.
    func path(in root: String) -> String { path ?? "/\(root)/\(parent.map { $0 + "/" } ?? "")\(name)" }

    static func absent(_ name: String, in parent: String? = nil) -> BrokenRule {
        BrokenRule(name: name, parent: parent, replacement: nil)
    }

    static func text(_ name: String, _ text: String, in parent: String? = nil) -> BrokenRule {
        BrokenRule(name: name, parent: parent, replacement: "<\(name)>\(text)</\(name)>")
    }
}

/// Every rule of the tables has a request that breaks it.
struct ValidationTests {
    private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let addressRules: [BrokenRule] = ["BillingAddress", "ShippingAddress"].flatMap {
        (address: String) -> [BrokenRule] in
        [
            .absent("Line1", in: address), .text("Line1", "", in: address), .text("Line1", "   ", in: address),
            .text("Line1", long(71), in: address), .text("Line2", "", in: address), .text("Line2", " ", in: address),
            .text("Line2", long(71), in: address), .text("Line3", "", in: address),
            .text("Line3", long(71), in: address), .text("Line4", "", in: address),
            .text("Line4", long(71), in: address), .absent("City", in: address), .text("City", "", in: address),
            .text("City", long(41), in: address), .text("MainDivision", "", in: address),
            .text("MainDivision", long(36), in: address), .absent("CountryCode", in: address),
            .text("CountryCode", "U", in: address), .text("CountryCode", long(41), in: address),
            .text("PostalCode", "", in: address), .text("PostalCode", long(16), in: address),
            BrokenRule(
                name: "MainDivision", parent: address, replacement: "<MainDivisionCode>PA</MainDivisionCode>",
                path: "/CreditCardAuthRequest/\(address)/MainDivisionCode"),
        ]
    }

    private static let payerRules: [BrokenRule] =
        [
            .absent("BillingFirstName"), .text("BillingFirstName", ""), .absent("BillingLastName"),
            .text("BillingLastName", " "), .absent("BillingPhoneNo"), .text("BillingPhoneNo", ""),
            .absent("BillingAddress"), .absent("CustomerEmail"), .text("CustomerEmail", ""),
            .text("CustomerEmail", long(71)), .absent("CustomerIPAddress"), .text("CustomerIPAddress", ""),
            .text("CustomerIPAddress", "208.247.73"), .text("CustomerIPAddress", "208.247.73.256"),
            .text("CustomerIPAddress", "208.247.73.1.1"), .text("CustomerIPAddress", "208.247.73.+1"),
            .text("CustomerIPAddress", "::1"), .absent("ShipToFirstName"), .text("ShipToFirstName", ""),
            .absent("ShipToLastName"), .text("ShipToLastName", ""), .text("ShipToPhoneNo", ""),
            .absent("ShippingAddress"),
        ] + addressRules

    @Test(arguments: payerRules)
    func `a payer's rule that is broken is a fault with the element's path`(rule: BrokenRule) async throws {
        let store = try TestStore()
        let message = try Message.card().replacing(rule.name, in: rule.parent, with: rule.replacement)
        try await expect(rule, "CreditCardAuthRequest", await store.send("creditcard/auth/VC.xml", message.text))
    }

    private static let amounts: [BrokenRule] = [
        "", ".", "14.", ".99", "14.999", "-1.00", "+1.00", "1,00", "1e2", "0.00", "0", "2000000000000.00", "1.2.3",
    ].map { (text: String) in
        BrokenRule(name: "Amount", replacement: "<Amount currencyCode=\"USD\">\(text)</Amount>")
    }

    private static let cardRules: [BrokenRule] =
        [
            .absent("PaymentContext"), .absent("OrderId", in: "PaymentContext"),
            .text("OrderId", "", in: "PaymentContext"),
            .text("OrderId", long(21), in: "PaymentContext"), .absent("PaymentAccountUniqueId", in: "PaymentContext"),
            .text("PaymentAccountUniqueId", "4012", in: "PaymentContext"),
            .text("PaymentAccountUniqueId", "4012-0000-3333-0026", in: "PaymentContext"),
            .text("PaymentAccountUniqueId", "401200003333002600001", in: "PaymentContext"),
            BrokenRule(
                name: "PaymentAccountUniqueId", parent: "PaymentContext",
                replacement: "<PaymentAccountUniqueId isToken=\"maybe\">4012000033330026</PaymentAccountUniqueId>",
                path: "/CreditCardAuthRequest/PaymentContext/PaymentAccountUniqueId/@isToken"),
            BrokenRule(
                name: "PaymentAccountUniqueId", parent: "PaymentContext",
                replacement: "<PaymentAccountUniqueId>4012000033330027</PaymentAccountUniqueId>",
                code: "PanFailsLuhnCheckException"),
            BrokenRule(
                name: "PaymentAccountUniqueId", parent: "PaymentContext",
                replacement: "<PaymentAccountUniqueId>9000000000000001</PaymentAccountUniqueId>",
                code: "UnknownPanBinRangeException"),
            BrokenRule(
                name: "PaymentAccountUniqueId", parent: "PaymentContext",
                replacement: "<PaymentAccountUniqueId>5123450000000008</PaymentAccountUniqueId>",
                code: "InvalidTenderTypeException"),
            BrokenRule(
                name: "PaymentAccountUniqueId", parent: "PaymentContext",
                replacement: "<PaymentAccountUniqueId isToken=\"true\">401200xxxxxx0026</PaymentAccountUniqueId>",
                code: "TokenNotFoundException"),
            BrokenRule(
                name: "PaymentAccountUniqueId", parent: "PaymentContext",
                replacement: "<EncryptedPaymentAccountUniqueId>AAAA</EncryptedPaymentAccountUniqueId>",
                code: "TenderGatewayConfigurationException",
                path: "/CreditCardAuthRequest/PaymentContext/EncryptedPaymentAccountUniqueId"),
            .absent("ExpirationDate"), .text("ExpirationDate", ""), .text("ExpirationDate", "2039-13"),
            .text("ExpirationDate", "2039-00"), .text("ExpirationDate", "39-01"), .text("ExpirationDate", "1999-12"),
            .text("ExpirationDate", "01/2039"), .text("ExpirationDate", "2039-1"), .text("CardSecurityCode", "12"),
            .text("CardSecurityCode", "12345"), .text("CardSecurityCode", "12a"), .absent("Amount"),
            BrokenRule(
                name: "Amount", replacement: "<Amount>14.99</Amount>",
                path: "/CreditCardAuthRequest/Amount/@currencyCode"),
            BrokenRule(
                name: "Amount", replacement: "<Amount currencyCode=\"USDX\">14.99</Amount>",
                path: "/CreditCardAuthRequest/Amount/@currencyCode"),
        ]
        + amounts
        + [
            BrokenRule(name: "Amount", replacement: "<Amount currencyCode=\"JPY\">14.99</Amount>"),
            .text("isRequestToCorrectCVVOrAVSError", "yes"), .text("SchemaVersion", ""),
            .text("SchemaVersion", "1."), .text("SchemaVersion", ".1"), .text("SchemaVersion", "1.2a"),
            .text("SchemaVersion", "v1"),
        ]

    @Test(arguments: cardRules)
    func `a card's rule that is broken is a fault with the element's path`(rule: BrokenRule) async throws {
        let store = try TestStore()
        let message = try Message.card().replacing(rule.name, in: rule.parent, with: rule.replacement)
        try await expect(rule, "CreditCardAuthRequest", await store.send("creditcard/auth/VC.xml", message.text))
    }

    private static let wallet = "WalletPaymentInformation"
    private static let walletRules: [BrokenRule] =
        [
            .absent(wallet), .absent("OrderId"), .text("OrderId", ""), .text("OrderId", long(21)),
            .absent("Version", in: wallet), .text("Version", "", in: wallet),
            .text("ApplePayTransactionId", "84a7e1757g", in: wallet),
            .text("ApplePayTransactionId", "84a", in: wallet),
        ]
        + ["ApplePayTransactionId", "EphemeralPublicKey", "PublicKeyHash", "Data", "Signature"].flatMap {
            (name: String) -> [BrokenRule] in
            [.absent(name, in: wallet), .text(name, " \n ", in: wallet)]
        }
        + ["EphemeralPublicKey", "PublicKeyHash", "Data", "Signature"].flatMap { (name: String) -> [BrokenRule] in
            [
                .text(name, "AAA-", in: wallet), .text(name, "A", in: wallet), .text(name, "AA=A", in: wallet),
            ]
        }

    @Test(arguments: walletRules)
    func `a wallet's rule that is broken is a fault with the element's path`(rule: BrokenRule) async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let message = try Message.wallet(merchant.mint(merchant.order()))
            .replacing(rule.name, in: rule.parent, with: rule.replacement)
        try await expect(rule, "CreditCardAuthRequest", await store.send("creditcard/auth/DW.xml", message.text))
    }

    private func expect(_ rule: BrokenRule, _ root: String, _ reply: Response) async throws {
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == rule.code)
        let path = rule.path(in: root)
        #expect(reply.faultDescription?.hasPrefix(path + ": ") == true, "\(reply.faultDescription ?? "")")
        #expect(try reply.xml.children.map(\.name) == ["CreateTimestamp", "Code", "Description"])
    }

    @Test(arguments: [nil, "", "   ", String(repeating: "r", count: 41)])
    func `a request has a requestId of 1 to 40 characters`(requestID: String?) async throws {
        let reply = try await TestStore().send("creditcard/auth/VC.xml", Message.card().named(requestID).text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultDescription?.hasPrefix("/CreditCardAuthRequest/@requestId: ") == true)
    }

    @Test(arguments: ["", String(repeating: "s", count: 41)])
    func `a sessionId has 1 to 40 characters`(sessionID: String) async throws {
        var message = Message.card()
        message.text = message.text.replacing(" requestId=", with: " sessionId=\"\(sessionID)\" requestId=")
        let reply = try await TestStore().send("creditcard/auth/VC.xml", message.text)
        #expect(reply.faultDescription?.hasPrefix("/CreditCardAuthRequest/@sessionId: ") == true)
    }

    @Test(arguments: [
        ("<Line5>x</Line5>", "/CreditCardAuthRequest/Line5"),
        ("<OrderId>2</OrderId>", "/CreditCardAuthRequest/OrderId"),
        ("<SchemaVersion>1.2</SchemaVersion>", "/CreditCardAuthRequest/SchemaVersion"),
        ("<x xmlns=\"urn:other\"/>", "/CreditCardAuthRequest/x"),
    ])
    func `an element that is unknown, of another namespace or there twice is refused`(
        element: String, path: String
    ) async throws {
        let reply = try await TestStore().send("creditcard/auth/VC.xml", Message.card().adding(element).text)
        #expect(reply.faultCode == "SchemaValidationException")
        #expect(reply.faultDescription?.hasPrefix(path) == true)
    }

    @Test(arguments: ["DW", "VC"])
    func `a wallet pays under DW, and a card under its own tender type`(tender: String) async throws {
        let merchant = try LocalMerchant()
        let message = tender == "DW" ? Message.card() : try Message.wallet(merchant.mint(merchant.order()))
        let reply = try await TestStore().send("creditcard/auth/\(tender).xml", message.text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == "InvalidTenderTypeException")
    }

    @Test func `nothing of a card is quoted in a fault`() async throws {
        let message = try Message.card().replacing(
            "CardSecurityCode", with: "<CardSecurityCode>98765</CardSecurityCode>")
        let reply = try await TestStore().send("creditcard/auth/VC.xml", message.text)
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(!text.contains("98765") && !text.contains("4012000033330026"))
    }

    @Test(arguments: [
        ("creditcard/auth/VC.xml", "Amount currencyCode=\"JPY\">500.00</Amount", "500"),
        ("creditcard/auth/VC.xml", "Amount currencyCode=\"USD\">5</Amount", "5.00"),
        ("creditcard/auth/VC.xml", "Amount currencyCode=\"USD\">\n 5.5 </Amount", "5.50"),
    ])
    func `an amount may have fewer decimals, or zeros that its currency lacks`(
        service: String, amount: String, authorized: String
    ) async throws {
        let message = try Message.card().replacing("Amount", with: "<" + amount + ">")
        let reply = try await TestStore().send(service, message.text)
        #expect(try reply.text("AmountAuthorized") == authorized)
    }
}
