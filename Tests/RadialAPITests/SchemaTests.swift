import Glibc
import HTTP
import HTTPTypes
import Testing
import TestSupport

/// `Config/radial.xsd` itself: it accepts what the API accepts, and refuses what the API refuses.
@Suite(.enabled(if: RadialSchema.isAvailable, "xmllint is not installed"))
struct SchemaTests {
    /// The documented reply, with its comments.
    private static let documentedReply = """
        <?xml version="1.0" encoding="UTF-8"?>
        <CreditCardAuthReply xmlns="\(Message.namespace)">
           <PaymentContext>
              <OrderId>1</OrderId>
              <!-- a token -->
              <PaymentAccountUniqueId isToken="true">4054131ImpMJ6965</PaymentAccountUniqueId>
           </PaymentContext>
           <ResponseCode>APPROVED</ResponseCode>
           <AuthorizationResponseCode>AP01</AuthorizationResponseCode>
           <BankAuthorizationCode>614653</BankAuthorizationCode>
           <CVV2ResponseCode>0</CVV2ResponseCode>
           <AVSResponseCode>E</AVSResponseCode>
           <PhoneResponseCode></PhoneResponseCode> <!-- AmEX only -->
           <NameResponseCode></NameResponseCode>
           <EmailResponseCode></EmailResponseCode>
           <AmountAuthorized currencyCode="USD">14.99</AmountAuthorized>
           <TenderType>VC</TenderType>
        </CreditCardAuthReply>
        """

    private static func isValid(_ text: String) throws -> Bool { try RadialSchema.fault(in: Array(text.utf8)) == nil }

    @Test func `the documented reply is valid, and its optional elements may be absent`() throws {
        let reply = Message(text: Self.documentedReply)
        #expect(try Self.isValid(reply.text))
        for name in ["ResponseCode", "PhoneResponseCode", "NameResponseCode", "EmailResponseCode", "TenderType"] {
            #expect(try Self.isValid(reply.replacing(name, with: nil).text))
        }
        #expect(try Self.isValid(reply.adding("<Extension><Later xmlns=''>1</Later></Extension>").text))
    }

    @Test(
        arguments: [
            ("PaymentContext", nil), ("OrderId", nil), ("OrderId", "<OrderId></OrderId>"),
            ("PaymentAccountUniqueId", nil),
            ("PaymentAccountUniqueId", "<PaymentAccountUniqueId>4054131ImpMJ6965</PaymentAccountUniqueId>"),
            (
                "PaymentAccountUniqueId",
                "<PaymentAccountUniqueId isToken='false'>4054131ImpMJ6965</PaymentAccountUniqueId>"
            ),
            (
                "PaymentAccountUniqueId",
                "<PaymentAccountUniqueId isToken='true'>405413-ImpMJ6965</PaymentAccountUniqueId>"
            ),
            ("ResponseCode", "<ResponseCode>DECLINED</ResponseCode>"), ("ResponseCode", "<ResponseCode/>"),
            ("AuthorizationResponseCode", nil),
            ("AuthorizationResponseCode", "<AuthorizationResponseCode>ND11</AuthorizationResponseCode>"),
            ("AuthorizationResponseCode", "<AuthorizationResponseCode/>"), ("BankAuthorizationCode", nil),
            ("CVV2ResponseCode", nil), ("CVV2ResponseCode", "<CVV2ResponseCode/>"),
            ("CVV2ResponseCode", "<CVV2ResponseCode>Y</CVV2ResponseCode>"), ("AVSResponseCode", nil),
            ("AVSResponseCode", "<AVSResponseCode>BM</AVSResponseCode>"), ("AmountAuthorized", nil),
            ("AmountAuthorized", "<AmountAuthorized>14.99</AmountAuthorized>"),
            ("AmountAuthorized", "<AmountAuthorized currencyCode='USD'>-1.00</AmountAuthorized>"),
            ("AmountAuthorized", "<AmountAuthorized currencyCode='USD'/>"),
            ("TenderType", "<TenderType>V</TenderType>"),
            ("TenderType", "<TenderType>VC</TenderType><Other/>"),
            ("TenderType", "<TenderType>VC</TenderType><ResponseCode>APPROVED</ResponseCode>"),
        ] as [(String, String?)])
    func `a reply that lacks an element, has another or a wrong value is not valid`(
        name: String, replacement: String?
    ) throws {
        #expect(try !Self.isValid(Message(text: Self.documentedReply).replacing(name, with: replacement).text))
    }

    @Test(arguments: RequestChange.all)
    func `the schema and the API agree on what a request is`(change: RequestChange) async throws {
        let message = try Message.card().replacing(change.name, in: change.parent, with: change.replacement)
        #expect(try Self.isValid(message.text) == change.isAccepted)
        let reply = try await TestStore().send("creditcard/auth/VC.xml", message.text)
        #expect((reply.head.status == .ok) == change.isAccepted, "\(reply.faultDescription ?? "")")
        if !change.isAccepted { #expect(reply.faultCode == "SchemaValidationException") }
    }

    @Test(arguments: [
        (nil, false), ("", false), ("1", true), (String(repeating: "1", count: 40), true),
        (String(repeating: "1", count: 41), false),
    ])
    func `they agree on the request's name, too`(requestID: String?, isAccepted: Bool) async throws {
        let message = Message.card().named(requestID)
        #expect(try Self.isValid(message.text) == isAccepted)
        let reply = try await TestStore().send("creditcard/auth/VC.xml", message.text)
        #expect((reply.head.status == .ok) == isAccepted)
    }

    @Test func `every kind of request that is sent here is valid`() throws {
        let token = try LocalMerchant().mint(LocalMerchant().order())
        for message in [
            Message.card(), try Message.wallet(token), try Message.wallet(token, amount: "1.00"),
            .cancel("401200aaaaaa0026"),
            .settle("401200aaaaaa0026"), .settle("401200aaaaaa0026", "Credit"), .confirm("401200aaaaaa0026"),
            .confirm("401200aaaaaa0026", reauthorizing: true),
        ] {
            #expect(try RadialSchema.fault(in: Array(message.text.utf8)) == nil)
        }
    }

    @Test func `a document is checked in a process with thousands of descriptors`() throws {
        // Other tests run at the same time and need some, too.
        let descriptors = (0..<min(3_000, max(0, Int(sysconf(Int32(_SC_OPEN_MAX))) - 1_000))).map { _ in
            dup(STDOUT_FILENO)
        }
        defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
        #expect(try RadialSchema.fault(in: Array(Message.card().text.utf8)) == nil)
        #expect(try RadialSchema.fault(in: Array("<a/>".utf8))?.contains("a") == true)
    }

    @Test(arguments: ["ApplePayTransactionId", "EphemeralPublicKey", "PublicKeyHash", "Version", "Data", "Signature"])
    func `a wallet's token lacks nothing`(name: String) async throws {
        let merchant = try LocalMerchant()
        let message = try Message.wallet(merchant.mint(merchant.order()))
        let store = try TestStore(applePay: merchant.opener)
        for broken in [
            try message.replacing(name, with: nil), try message.replacing(name, with: "<\(name)> \n</\(name)>"),
        ] {
            #expect(try !Self.isValid(broken.text))
            let reply = await store.send("creditcard/auth/DW.xml", broken.text)
            #expect(reply.faultCode == "SchemaValidationException")
            #expect(
                reply.faultDescription?.hasPrefix("/CreditCardAuthRequest/WalletPaymentInformation/\(name): ") == true)
        }
    }
}
