import JSON
import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePay
@testable import ApplePaySandbox

/// A report as JSON, and its words for each step's outcome.
struct ReportJSONTests {
    private static func report(
        _ version: TokenVersion = .ellipticCurve, defect: MintDefect? = nil,
        plaintext: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }
    ) throws -> TokenReport {
        let merchant = try LocalMerchant()
        var alteration = defect?.alteration ?? TokenAlteration()
        alteration.plaintext = plaintext
        let token = try TokenMint(merchant.authority)
            .mint(try merchant.order(), for: try merchant.recipient(of: version), altered: alteration)
        return merchant.opener.open(bytes: token, at: .transaction(LocalMerchant.instant))
    }

    private static func steps(_ json: JSONValue) throws -> [JSONValue] {
        guard case .array(let steps)? = json["steps"] else { throw NoSteps() }
        return steps
    }

    private struct NoSteps: Error {}

    @Test func `an accepted token's report names verdict, version, signer and each step`() throws {
        let json = try Self.report().json(revealing: false)
        #expect(json["verdict"] == "accepted")
        #expect(json["version"] == "EC_v1")
        #expect(
            json["signer"] == [
                "commonName": "ecc-smp-broker-sign_UC4-LOCAL", "environment": "local",
                "signingTime": "2021-09-01T19:03:10Z",
            ])
        let steps = try Self.steps(json)
        #expect(steps.map { $0["step"] } == TokenStep.allCases.map { .string($0.rawValue) })
        let outcomes: [JSONValue?] = steps.map { $0["outcome"] }
        #expect(outcomes == Array(repeating: "passed", count: 9) + ["skipped", "skipped"])
    }

    @Test(arguments: [(TokenVersion.ellipticCurve, "Agreed on and derived."), (.rsa, "Unwrapped.")])
    func `how the key was restored is said by the version`(version: TokenVersion, words: String) throws {
        #expect(try Self.report(version).detail(of: .symmetricKey) == words)
    }

    @Test func `a rejected token's report says what was found and what to do`() throws {
        let report = try Self.report(defect: .tagAltered)
        let json = report.json(revealing: true)
        #expect(report.verdict == .rejected)
        #expect(json["verdict"] == "rejected")
        #expect(json["paymentData"] == nil)
        let decrypt = try Self.steps(json)[7]
        #expect(decrypt["outcome"] == "failed")
        #expect(
            decrypt["detail"]
                == .string(TokenRefusal.notAuthentic.finding + " " + TokenRefusal.notAuthentic.remedy))
        #expect(report.detail(of: .paymentData) == "Not taken, for the step decrypt did not pass.")
    }

    @Test func `why a step was not taken is said`() throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(try merchant.order())
        let keyless = TokenOpener(keys: [], trust: merchant.trust).open(text: token, at: .signing)
        #expect(keyless.detail(of: .publicKeyHash) == "No key of the merchant was given.")
        let nameless = TokenOpener(
            keys: [try PaymentProcessingKey(privateKey: merchant.key.privateKey)], trust: merchant.trust)
        let report = nameless.open(text: token, at: .signing)
        #expect(report[.symmetricKey] == .skipped(.noMerchantIdentifier))
        #expect(
            report.detail(of: .symmetricKey)
                == "Neither a merchant identifier nor a certificate that holds its hash was given.")
        #expect(
            report.detail(of: .transactionDetails)
                == "No amount, currency, application data or submerchant was given to compare with.")
        #expect(report.detail(of: .replay) == "Only a payment is compared with the tokens that were used before.")
    }

    @Test func `a gateway that knows the token to be new says so in the report`() throws {
        var report = try Self.report()
        report[.replay] = .passed
        #expect(report.detail(of: .replay) == "Not used before.")
        let refused = report.refused(.alreadyCredited)
        #expect(refused.failedSteps == [.replay])
        #expect(refused.verdict == .rejected && refused.opened == nil)
    }

    @Test func `what was not found out is left out of the words, and nothing takes its place`() {
        var report = TokenReport()
        for step in TokenStep.allCases { report[step] = .passed }
        #expect(report.detail(of: .parse) == " token, transaction .")
        #expect(report.detail(of: .certificates) == "Signed by \"\"; both markers are there.")
        #expect(report.detail(of: .chain) == "Leaf, intermediate and an accepted root ().")
        #expect(report.detail(of: .signingTime) == "Signed at .")
        #expect(report.opened == nil)
    }

    @Test func `payment data is revealed as it was decrypted, or masked but for what is no card data`() throws {
        let report = try Self.report(plaintext: { plaintext in
            plaintext = Array(
                String(decoding: plaintext, as: UTF8.self)
                    .replacing(#""paymentData":{"#, with: #""note":[1.50],"paymentData":{"paymentData":"inner","#).utf8)
        })
        let document = try #require(report.paymentData?.document)
        let revealed = try #require(report.json(revealing: true)["paymentData"])
        #expect(revealed == (try JSONValue(parsing: document.revealed())))
        #expect(revealed["note"] == [.number(try #require(JSONNumber("1.50")))])
        #expect(
            report.json(revealing: false)["paymentData"] == [
                "applicationPrimaryAccountNumber": "512345xxxxxx0008", "applicationExpirationDate": "391231",
                "currencyCode": "840", "transactionAmount": 5656, "deviceManufacturerIdentifier": "050110030273",
                "paymentDataType": "3DSecure", "note": "masked",
                "paymentData": ["onlinePaymentCryptogram": "masked", "paymentData": "masked"],
            ])
    }
}
