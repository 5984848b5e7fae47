import ApplePay
import OpenSSL
import TestSupport
import Testing
import Values

/// The documentation's example, line for line, on a token that Apple signed.
@Suite(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
struct DocumentedExampleTests {
    struct NotAppleRootCAG3: Error {}

    private func pay(
        _ paymentToken: String, rootPEM: [UInt8], keyPEM: [UInt8], certificatePEM: [UInt8], at now: Instant
    ) throws -> String {
        guard let apple = TrustPolicy.Anchor.apple(try Certificate(pem: rootPEM)) else { throw NotAppleRootCAG3() }
        let privateKey = try keyPEM.withUnsafeBytes { try PrivateKey(pem: $0) }
        let key = try PaymentProcessingKey(privateKey: privateKey, certificate: Certificate(pem: certificatePEM))
        let opener = TokenOpener(keys: [key], trust: try TrustPolicy(anchors: [apple], acceptsAppleSandbox: false))
        let order = TransactionDetails(currencyCode: "840", amountMinorUnits: 100)
        let report = opener.open(SecretText(paymentToken), at: now, expecting: order)
        guard let token = report.opened else { throw report.refusal ?? .notAToken }
        return "\(token.paymentData.applicationPrimaryAccountNumber) pays"
    }

    @Test func `the documented ten lines open a token`() throws {
        let vector = AppleVector("gala-2021")
        let paid = try pay(
            vector.token, rootPEM: TestTrust.applePEM(), keyPEM: vector.bytes("private_key.pem"),
            certificatePEM: vector.bytes("certificate.pem"), at: Instant(secondsSinceEpoch: 1_630_522_990))
        #expect(paid == "535375xxxxxx1169 pays")
    }
}
