import Access
import ApplePaySandbox
import HTTP
import HTTPTypes
import Payments
import TestSupport
import Testing

/// `Tollgate-Notice`: what a reply says beside its content, the same as that of Mastercard's API.
///
/// A token comes in elements here, so that it can't be wrapped, and application data comes in none.
struct NoticeTests {
    private static let parts =
        "The 2 amounts of authenticationResponses come to 0.02 USD, transactionAmount is 56.56 USD."

    private static func notices(_ response: Response) throws -> [String] {
        response.head.headerFields[values: try #require(HTTPField.Name("Tollgate-Notice"))]
    }

    private static func orderInParts(_ merchant: LocalMerchant) throws -> MintOrder {
        var order = try merchant.order()
        order.submerchants = ["one", "two"].map { name in
            MintOrder.Submerchant(merchantIdentifier: name, amountMinorUnits: 1)
        }
        return order
    }

    @Test(arguments: [nil, "56.56"])
    func `parts of a payment for several that don't come to its total are said to be so`(amount: String?) async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let message = try Message.wallet(merchant.mint(Self.orderInParts(merchant)), amount: amount)
        let trace = RequestTrace(now: { 0 }, arrival: nil)
        let reply = await store.send("creditcard/auth/DW.xml", message.text, tracing: trace)
        #expect(try reply.text("ResponseCode") == "APPROVED")
        #expect(try Self.notices(reply) == [Self.parts])
        #expect(trace.facts.notices == [Self.parts])
    }

    @Test(arguments: [nil, "56.56"])
    func `a fault has the notices too`(amount: String?) async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        store.clock.advance(byMilliseconds: 3_600_000)
        let message = try Message.wallet(merchant.mint(Self.orderInParts(merchant)), amount: amount)
        let trace = RequestTrace(now: { 0 }, arrival: nil)
        let reply = await store.send("creditcard/auth/DW.xml", message.text, tracing: trace)
        #expect(reply.faultCode == "ApplePayTokenException")
        #expect(try Self.notices(reply) == [Self.parts])
        #expect(trace.facts.notices == [Self.parts])
    }

    @Test func `application data of the order that was lost on the way is said to be so`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(
            applePay: merchant.opener, tokenMatching: TokenMatching(applicationData: .orderID))
        var order = try merchant.order()
        order.applicationData = Array("order-1".utf8)
        let message = try Message.wallet(merchant.mint(order), amount: "56.56")
        let reply = await store.send("creditcard/auth/DW.xml", message.text)
        #expect(reply.faultCode == "ApplePayTokenException")
        let notices = try Self.notices(reply)
        #expect(
            notices == [
                "The token was signed with the applicationData of the order: header.applicationData was lost on the way."
            ])
    }

    @Test func `a token that is only opened has its notices`() async throws {
        let merchant = try LocalMerchant()
        let fingerprint = [UInt8](repeating: 7, count: 32)
        let store = try TestStore(
            applePay: merchant.opener, privileges: Set(Privilege.allCases), decryptsBlobs: true,
            certificateFingerprints: [fingerprint])
        let token = try WalletText(merchant.mint(Self.orderInParts(merchant)))
        let message = """
            <DecryptBlobRequest xmlns="\(Message.namespace)"><AlgorithmVersion>apd</AlgorithmVersion>
            <EncryptionHeader><EphemeralPublicKey>\(token.ephemeralPublicKey)</EphemeralPublicKey>
            <TransactionId>\(token.transactionID)</TransactionId>
            <PublicKeyHash>\(token.publicKeyHash)</PublicKeyHash></EncryptionHeader>
            <Version>\(token.version)</Version><Data>\(token.data)</Data><Signature>\(token.signature)</Signature>
            </DecryptBlobRequest>
            """
        let reply = await store.send(
            "decryptblob", message, certificate: ClientCertificate(verifiedFingerprint: fingerprint))
        #expect(reply.head.status == .ok)
        #expect(try Self.notices(reply) == [Self.parts])
    }

    @Test func `a token as it should be, and every other reply, has no notice`() async throws {
        let merchant = try LocalMerchant()
        let store = try TestStore(applePay: merchant.opener)
        let paid = await store.send("creditcard/auth/DW.xml", try Message.wallet(merchant.mint(merchant.order())).text)
        #expect(try paid.text("ResponseCode") == "APPROVED")
        #expect(try Self.notices(paid) == [])
        let card = Message.card(order: "order-2", requestID: "request-2").text
        #expect(try Self.notices(await store.send("creditcard/auth/VC.xml", card)) == [])
        #expect(try Self.notices(await store.send("creditcard/auth/VC.xml", card, apiKey: "wrong")) == [])
        #expect(try Self.notices(await store.send("nothing", card)) == [])
    }
}
