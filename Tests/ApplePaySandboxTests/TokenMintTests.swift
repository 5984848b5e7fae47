import ApplePay
import ApplePaySandbox
import JSON
import OpenSSL
import TestSupport
import Testing
import Values

struct TokenMintTests {
    @Test func `a minted token opens to what was ordered`() throws {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.cardholderName = "Zoë Müller"
        order.eciIndicator = "5"
        let report = merchant.opener.open(
            SecretText(try merchant.mint(order)), at: LocalMerchant.instant,
            expecting: TransactionDetails(currencyCode: "840", amountMinorUnits: 5656))

        #expect(report.refusal == nil)
        let paymentData = try #require(report.opened).paymentData
        #expect(paymentData.applicationPrimaryAccountNumber.revealed() == "5123450000000008")
        #expect(paymentData.applicationExpirationDate.yymmdd == "391231")
        #expect(paymentData.cardholderName?.revealed() == "Zoë Müller")
        switch paymentData.detail {
        case .threeDSecure(let cryptogram, let indicator):
            #expect(cryptogram == order.onlinePaymentCryptogram)
            #expect(indicator == "5")
        case .emv: Issue.record("a token of another type")
        }
        #expect(report.signer?.environment == .local)
    }

    @Test func `a signature has the indefinite lengths that Apple writes`() throws {
        let merchant = try LocalMerchant()
        let token = try JSONDocument(try merchant.mint(try merchant.order()))
        let signature = try #require(token.root["signature"]?.string)
        #expect(signature.hasPrefix("MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBAACggDCC"))
    }

    @Test(
        arguments: [
            ("5123450000000008", nil, "050110030273"), ("4111111111111111", "7", "040010030273"),
        ] as [(String, String?, String)])
    func `a token has what its payment network's tokens have`(
        pan: String, eciIndicator: String?, deviceManufacturerIdentifier: String
    ) throws {
        let merchant = try LocalMerchant()
        let report = merchant.opener.open(text: try merchant.mint(try merchant.order(pan: pan)), at: .signing)
        let paymentData = try #require(report.opened).paymentData
        #expect(paymentData.deviceManufacturerIdentifier == deviceManufacturerIdentifier)
        switch paymentData.detail {
        case .threeDSecure(_, let indicator): #expect(indicator == eciIndicator)
        case .emv: Issue.record("a token of another type")
        }
    }

    @Test func `no two tokens of one order are alike`() throws {
        let merchant = try LocalMerchant()
        let order = try merchant.order()
        #expect(try merchant.mint(order) != merchant.mint(order))
        let other = try merchant.order()
        #expect(order.transactionId != other.transactionId)
        #expect(order.onlinePaymentCryptogram != other.onlinePaymentCryptogram)
    }

    @Test(arguments: ["2014-01-01T00:00:00Z", "2049-12-31T23:59:58Z"])
    func `tokens are lawful from 2014 to 2049`(instant: String) throws {
        let merchant = try LocalMerchant()
        let instant = try #require(Instant(rfc3339: instant))
        let token = try merchant.mint(try merchant.order(at: instant))
        #expect(merchant.opener.open(text: token, at: .transaction(instant)).opened != nil)
    }

    @Test func `tokens are not encrypted to keys of another kind than P-256 and RSA`() throws {
        let key = try PrivateKey.generate(.p384)
        #expect(throws: OpenSSLError.wrongKeyType) {
            try TokenMint.Recipient(
                publicKey: key.publicKey, merchantIdentifierHash: [UInt8](repeating: 0, count: 32))
        }
    }
}
