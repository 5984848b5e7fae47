import ApplePay
import HTTP
import HTTPTypes
import JSON
import Payments
import RadialAPI
import Testing
import TestSupport
import XML

/// `CreditCardAuth` as the seed describes it.
struct CreditCardAuthTests {
    private static let elements = [
        "PaymentContext", "ResponseCode", "AuthorizationResponseCode", "BankAuthorizationCode", "CVV2ResponseCode",
        "AVSResponseCode", "PhoneResponseCode", "NameResponseCode", "EmailResponseCode", "AmountAuthorized",
        "TenderType",
    ]

    @Test func `a minted token gets the documented reply, every element in its order`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let token = try merchant.mint(merchant.order(pan: "4012000033330026", amountMinorUnits: 1499))
        let reply = await store.send("creditcard/auth/DW.xml", try Message.wallet(token, order: "1").text)
        #expect(reply.head.status == .ok)
        let root = try reply.xml
        #expect(root.name == "CreditCardAuthReply")
        #expect(root.namespace == Message.namespace)
        #expect(root.children.map(\.name) == Self.elements)
        #expect(root["PaymentContext"]?.children.map(\.name) == ["OrderId", "PaymentAccountUniqueId"])
        #expect(try reply.text("PaymentContext/OrderId") == "1")
        let account = try #require(root["PaymentContext"]?["PaymentAccountUniqueId"])
        #expect(account.attribute("isToken") == "true")
        #expect(account.text.count == 16)
        #expect(account.text.hasPrefix("401200"))
        #expect(account.text.hasSuffix("0026"))
        #expect(try reply.text("ResponseCode") == "APPROVED")
        #expect(try reply.text("AuthorizationResponseCode") == "AP01")
        #expect(try reply.text("BankAuthorizationCode") == "614653")
        #expect(try reply.text("CVV2ResponseCode") == "0")
        #expect(try reply.text("AVSResponseCode") == "E")
        for name in ["PhoneResponseCode", "NameResponseCode", "EmailResponseCode"] {
            #expect(try reply.text(name)?.isEmpty == true)
        }
        #expect(try reply.text("AmountAuthorized") == "14.99")
        #expect(root["AmountAuthorized"]?.attribute("currencyCode") == "USD")
        #expect(try reply.text("TenderType") == "VC")
    }

    @Test func `line breaks, indentation and missing padding in a token's texts are passed over`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let token = try merchant.mint(merchant.order())
        var message = try Message.wallet(token)
        for name in ["ApplePayTransactionId", "EphemeralPublicKey", "PublicKeyHash", "Data", "Signature"] {
            let text = try #require(try XMLDocument(Array(message.text.utf8)).root["WalletPaymentInformation"]?[name])
                .text
            let broken = text.filter { $0 != "=" }.enumerated()
                .map { $0 % 60 == 59 ? "\($1)\n\t   " : "\($1)" }.joined()
            message = try message.replacing(name, with: "<\(name)>\n      \(broken)\n   </\(name)>")
        }
        let reply = await store.send("creditcard/auth/DW.xml", message.text)
        #expect(try reply.text("ResponseCode") == "APPROVED")
        #expect(try reply.text("AmountAuthorized") == "56.56")
    }

    @Test(arguments: [("1.0", false), ("1", false), ("1.1", true), ("1.2", true), ("2", true), ("1.10", true)])
    func `a wallet's reply always has TenderType, and ResponseCode from schema version 1_1 on`(
        version: String, hasResponseCode: Bool
    ) async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let message = try Message.wallet(merchant.mint(merchant.order()))
            .adding("<SchemaVersion>\(version)</SchemaVersion>")
        let reply = await store.send("creditcard/auth/DW.xml", message.text)
        #expect(try reply.text("TenderType") == "MC")
        #expect((try reply.text("ResponseCode") != nil) == hasResponseCode)
    }

    @Test(arguments: [(nil, []), ("1.0", []), ("1.1", ["ResponseCode"]), ("1.2", ["ResponseCode", "TenderType"])])
    func `a card's reply has ResponseCode from schema version 1_1 on, TenderType from 1_2 on`(
        version: String?, names: [String]
    ) async throws {
        let message = try Message.card().replacing(
            "SchemaVersion", with: version.map { "<SchemaVersion>\($0)</SchemaVersion>" })
        let reply = try await TestStore().send("creditcard/auth/VC.xml", message.text)
        let found = try reply.xml.children.map(\.name)
        #expect(found == Self.elements.filter { !["ResponseCode", "TenderType"].contains($0) || names.contains($0) })
    }

    @Test(arguments: [
        ("5656.00", "APPROVED", "AP01", "614653", "5656.00"), ("5757.00", "DECL", "ND01", "", "0.00"),
        ("5858.00", "TIMEOUT", "TO01", "", "0.00"), ("5959.00", "DECL", "NR12", "", "0.00"),
        ("6161.00", "APPROVED", "AP01", "614653", "3080.50"), ("6262.00", "DECL", "NR12", "", "0.00"),
        ("6363.00", "TIMEOUT", "TO01", "", "0.00"), ("7.00", "APPROVED", "AP01", "614653", "7.00"),
    ])
    func `an amount of the simulator has its Radial codes`(
        amount: String, responseCode: String, authorizationCode: String, bankCode: String, authorized: String
    ) async throws {
        let reply = try await TestStore().send("creditcard/auth/VC.xml", Message.card(amount: amount).text)
        #expect(reply.head.status == .ok)
        #expect(try reply.text("ResponseCode") == responseCode)
        #expect(try reply.text("AuthorizationResponseCode") == authorizationCode)
        #expect(try reply.text("BankAuthorizationCode") == bankCode)
        #expect(try reply.text("AmountAuthorized") == authorized)
    }

    @Test(arguments: [
        ("4012000033330026", "VC"), ("5123450000000008", "MC"), ("378282246310005", "AM"), ("6011003179988686", "DC"),
    ])
    func `a plain card is authorized under its tender type`(number: String, tender: String) async throws {
        let code = tender == "AM" ? "1000" : "100"
        let reply = try await TestStore().send(
            "creditcard/auth/\(tender).xml", Message.card(number, securityCode: code).text)
        #expect(try reply.text("TenderType") == tender)
        let token = try #require(try reply.text("PaymentContext/PaymentAccountUniqueId"))
        #expect(token.count == number.count)
        #expect(token.prefix(6) == number.prefix(6) && token.suffix(4) == number.suffix(4))
        #expect(token != number && token.contains(where: \.isLetter))
        #expect((try reply.text("PhoneResponseCode")?.isEmpty == false) == (tender == "AM"))
        #expect(try reply.text("AVSResponseCode") == (tender == "AM" ? "AM" : "Y"))
    }

    @Test(arguments: [("100", "M"), ("102", "N"), ("1010", "P"), ("999", "M"), ("", "P")])
    func `the security code decides CVV2ResponseCode`(code: String, result: String) async throws {
        let reply = try await TestStore().send("creditcard/auth/VC.xml", Message.card(securityCode: code).text)
        #expect(try reply.text("CVV2ResponseCode") == result)
        #expect(try reply.text("AuthorizationResponseCode") == "AP01")
    }

    @Test(arguments: [
        (GatewayCode.insufficientFunds, "DECLF", "ND02", "M", "Y"), (.expiredCard, "DECL", "NR09", "M", "Y"),
        (.declinedCSC, "CSC", "AP01", "N", "Y"), (.declinedAVS, "AVS", "AP01", "M", "N"),
        (.declinedAVSCSC, "AVSCSC", "AP01", "N", "N"), (.declinedDoNotContact, "DECLR", "NC01", "M", "Y"),
        (.acquirerSystemError, "DECL", "NR03", "M", "Y"),
    ])
    func `every kind of refusal has its codes`(
        gatewayCode: GatewayCode, responseCode: String, authorizationCode: String, cvv2: String, avs: String
    ) async throws {
        let store = try TestStore(
            acquirer: try TestSimulator.acquirer(always: gatewayCode, apiCodes: SimulatedRadialChecks()))
        let reply = await store.send("creditcard/auth/VC.xml", Message.card().text)
        #expect(try reply.text("ResponseCode") == responseCode)
        #expect(try reply.text("AuthorizationResponseCode") == authorizationCode)
        #expect(try reply.text("CVV2ResponseCode") == cvv2)
        #expect(try reply.text("AVSResponseCode") == avs)
        #expect(try reply.text("AmountAuthorized") == "0.00")
        #expect(try reply.text("BankAuthorizationCode")?.isEmpty == true)
    }

    @Test func `an American Express wallet's reply has the payer's codes, and a wallet's for card and address`()
        async throws
    {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let token = try merchant.mint(merchant.order(pan: "378282246310005"))
        let reply = await store.send("creditcard/auth/DW.xml", try Message.wallet(token).text)
        #expect(try reply.text("TenderType") == "AM")
        #expect(try reply.text("CVV2ResponseCode") == "0")
        #expect(try reply.text("AVSResponseCode") == "E")
        for name in ["PhoneResponseCode", "NameResponseCode", "EmailResponseCode"] {
            #expect(try reply.text(name) == "Y")
        }
    }

    @Test(arguments: [("56.56", true), ("56.55", false)])
    func `an amount that a wallet's request names must be the token's`(amount: String, isAccepted: Bool) async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let reply = await store.send(
            "creditcard/auth/DW.xml", try Message.wallet(merchant.mint(merchant.order()), amount: amount).text)
        #expect((reply.head.status == .ok) == isAccepted)
        #expect(isAccepted || reply.faultCode == "ApplePayTokenException")
        #expect(isAccepted || reply.faultDescription?.contains("transactionDetails") == true)
    }

    @Test func `a token that gives the amount is opened once`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        // A token that were opened at a second look at the clock would be too old by then.
        store.clock.advanceWithEachLook(byMilliseconds: (TokenOpener.defaultWindowSeconds + 1) * 1000)
        let reply = await store.send(
            "creditcard/auth/DW.xml", try Message.wallet(merchant.mint(merchant.order())).text)
        #expect(reply.head.status == .ok, "\(reply.faultDescription ?? "")")
        #expect(try reply.text("AmountAuthorized") == "56.56")
    }

    @Test func `a token that gives the amount is judged by all that the merchant demands`() async throws {
        let merchant = try LocalMerchant()
        for matching in [
            TokenMatching(applicationData: .orderID), TokenMatching(payee: .submerchant("nobody")),
        ] {
            let store = try TestStore(applePay: merchant.opener, tokenMatching: matching)
            let token = try merchant.mint(merchant.order())
            let reply = await store.send("creditcard/auth/DW.xml", try Message.wallet(token).text)
            #expect(reply.faultCode == "ApplePayTokenException")
            #expect(reply.faultDescription?.contains("transactionDetails") == true)
            // What was refused is not used.
            let other = try TestStore(applePay: merchant.opener, store: store.ledger, sealedStore: store.ledger)
            #expect(await other.send("creditcard/auth/DW.xml", try Message.wallet(token).text).head.status == .ok)
        }
    }

    @Test func `a wallet's token pays once`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let token = try merchant.mint(merchant.order())
        let first = await store.send("creditcard/auth/DW.xml", try Message.wallet(token).text)
        #expect(first.head.status == .ok)
        let second = await store.send(
            "creditcard/auth/DW.xml", try Message.wallet(token, order: "order-2", requestID: "request-2").text)
        #expect(second.faultCode == "ApplePayTokenException")
        #expect(second.faultDescription?.contains("replay") == true)
        // The first request again has its answer, though the token is too old by now.
        store.clock.advance(byMilliseconds: 86_400_000)
        let third = await store.send("creditcard/auth/DW.xml", try Message.wallet(token).text)
        #expect(third.body == first.body)
    }

    @Test func `a token that stands for a card pays like the card`() async throws {
        let store = try TestStore()
        let first = await store.send("creditcard/auth/VC.xml", Message.card().text)
        let token = try #require(try first.text("PaymentContext/PaymentAccountUniqueId"))
        let second = await store.send(
            "creditcard/auth/VC.xml",
            Message.card(token, order: "order-2", requestID: "request-2", isToken: true).text)
        #expect(try second.text("ResponseCode") == "APPROVED")
        #expect(try second.text("PaymentContext/PaymentAccountUniqueId") == token)
    }

    @Test func `the order is the one that Mastercard's API retrieves`() async throws {
        let store = try TestStore()
        _ = await store.send("creditcard/auth/VC.xml", Message.card(order: "order-7", requestID: "request-7").text)
        let key = OrderKey(merchant: store.merchant.id, order: try OrderID("order-7"))
        let found = try await store.gateway.retrieve(try TransactionID("request-7"), of: key)
        #expect(found.transaction.type == .authorization)
        #expect(found.order.status == .authorized)
        #expect(found.order.amount.minorUnits == 1499)
        #expect(found.transaction.particulars["customer"]?["email"] == "customer@sample.com")
        #expect(found.transaction.particulars["billing"]?["address"]?["city"] == "Philadelphia")
    }
}
