import ApplePay
import ApplePaySandbox
import JSON
import TestSupport
import Testing

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
}
