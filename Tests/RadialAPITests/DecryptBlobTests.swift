import ApplePaySandbox
import HTTP
import HTTPTypes
import Payments
import Testing
import TestSupport
import XML

/// `DecryptBlob`, which returns card data in clear.
struct DecryptBlobTests {
    private static let fingerprint = [UInt8](repeating: 7, count: 32)
    private static let number = "4012000033330026"

    private func message(_ merchant: LocalMerchant, applicationData: String? = nil) throws -> String {
        var order = try merchant.order(pan: Self.number, amountMinorUnits: 1499)
        order.applicationData = applicationData.map { Array($0.utf8) }
        let token = try WalletText(merchant.mint(order))
        return """
            <DecryptBlobRequest xmlns="\(Message.namespace)"><AlgorithmVersion>apd</AlgorithmVersion>
            <EncryptionHeader><EphemeralPublicKey>\(token.ephemeralPublicKey)</EphemeralPublicKey>
            <TransactionId>\(token.transactionID)</TransactionId><PublicKeyHash>\(token.publicKeyHash)</PublicKeyHash>
            </EncryptionHeader><Version>\(token.version)</Version><Data>\(token.data)</Data>
            <Signature>\(token.signature)</Signature></DecryptBlobRequest>
            """
    }

    private func store(
        _ merchant: LocalMerchant, isOn: Bool = true, privileges: Set<Privilege> = Set(Privilege.allCases)
    ) throws -> TestStore {
        try TestStore(
            applePay: merchant.opener, privileges: privileges, decryptsBlobs: isOn,
            certificateFingerprints: [Self.fingerprint])
    }

    private var certificate: ClientCertificate { ClientCertificate(verifiedFingerprint: Self.fingerprint) }

    @Test(arguments: ["decryptblob", "decryptblob.xml"])
    func `a store with the privilege gets the content, and may still pay with it`(service: String) async throws {
        let merchant = try LocalMerchant()
        let store = try store(merchant)
        let reply = await store.send(service, try message(merchant), certificate: certificate)
        #expect(reply.head.status == .ok)
        #expect(try reply.text("PaymentAccountNumber") == Self.number)
        #expect(try reply.text("ExpirationDate") == "2039-12")
        #expect(try reply.text("Amount") == "14.99")
        #expect(try reply.text("OnlinePaymentCryptogram")?.isEmpty == false)
        #expect(try reply.text("TenderType") == "VC")
        let paid = await store.send(
            "creditcard/auth/DW.xml",
            try Message.wallet(merchant.mint(merchant.order(pan: Self.number, amountMinorUnits: 1499))).text)
        #expect(paid.head.status == .ok)
    }

    @Test func `it is not there unless it is switched on`() async throws {
        let merchant = try LocalMerchant()
        let reply = try await store(merchant, isOn: false).send(
            "decryptblob", message(merchant), certificate: certificate)
        #expect(reply.head.status == .notFound)
    }

    @Test func `without the privilege it is a fault`() async throws {
        let merchant = try LocalMerchant()
        let reply = try await store(merchant, privileges: .usual).send(
            "decryptblob", message(merchant), certificate: certificate)
        #expect(reply.faultCode == "AccessNotConfiguredException")
        #expect(!String(decoding: reply.body, as: UTF8.self).contains(Self.number))
    }

    @Test(arguments: [nil, [UInt8](repeating: 8, count: 32)])
    func `without a certificate of the merchant's it is a fault`(fingerprint: [UInt8]?) async throws {
        let merchant = try LocalMerchant()
        let reply = try await store(merchant).send(
            "decryptblob", message(merchant),
            certificate: fingerprint.map { ClientCertificate(verifiedFingerprint: $0) })
        #expect(reply.faultCode == "AccessNotConfiguredException")
    }

    @Test func `a token that is refused is a fault`() async throws {
        let merchant = try LocalMerchant()
        let store = try store(merchant)
        store.clock.advance(byMilliseconds: 3_600_000)
        let reply = await store.send("decryptblob", try message(merchant), certificate: certificate)
        #expect(reply.faultCode == "ApplePayTokenException")
    }

    @Test func `a token that is refused is a fault of the message, which has no other element around it`() async throws
    {
        let merchant = try LocalMerchant()
        let store = try store(merchant)
        store.clock.advance(byMilliseconds: 3_600_000)
        let reply = await store.send("decryptblob", try message(merchant), certificate: certificate)
        #expect(reply.faultDescription?.hasPrefix("/DecryptBlobRequest: token refused at step 'signingTime'") == true)
    }

    @Test func `a token with application data is refused for it, in both messages that can't carry it`() async throws {
        let merchant = try LocalMerchant()
        let store = try store(merchant)
        let message = try message(merchant, applicationData: "order-1")
        let reply = await store.send("decryptblob", message, certificate: certificate)
        #expect(reply.faultCode == "ApplePayTokenException")
        let words = "it was made with applicationData, which no element of this API carries, or was altered"
        #expect(reply.faultDescription == "/DecryptBlobRequest: token refused at step 'signature': \(words)")

        var order = try merchant.order(pan: Self.number, amountMinorUnits: 1499)
        order.applicationData = Array("order-1".utf8)
        let paid = await store.send("creditcard/auth/DW.xml", try Message.wallet(merchant.mint(order)).text)
        #expect(
            paid.faultDescription
                == "/CreditCardAuthRequest/WalletPaymentInformation: token refused at step 'signature': \(words)")
    }
}
