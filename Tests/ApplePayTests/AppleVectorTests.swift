import ApplePay
import JSON
import TestSupport
import Testing
import Values

/// What counts: tokens that Apple signed.
@Suite(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
struct AppleVectorTests {
    private static let vectorsWithKey = [AppleVector("gala-2021"), AppleVector("sepuka-sandbox-2019")]

    @Test(arguments: vectorsWithKey)
    func `a token that Apple signed opens to what its publisher says`(vector: AppleVector) throws {
        let opener = TokenOpener(keys: [try vector.key], trust: try TestTrust.apple())
        let report = opener.open(text: try vector.token, at: .signing)

        #expect(report.refusal == nil)
        let opened = try #require(report.opened)
        let document = try JSONValue(parsing: opened.paymentData.document.revealed())
        #expect(document == (try vector.expected))
    }

    @Test(arguments: vectorsWithKey)
    func `years later only the signing time refuses it`(vector: AppleVector) throws {
        let opener = TokenOpener(keys: [try vector.key], trust: try TestTrust.apple())
        let report = opener.open(text: try vector.token, at: .transaction(Instant(secondsSinceEpoch: 1_760_000_000)))

        #expect(report.failedSteps == [.signingTime])
        #expect(report[.paymentData] == .passed)
        #expect(report.opened == nil)
    }

    @Test(arguments: zip(vectorsWithKey, [TokenReport.Environment.production, .sandbox]))
    func `the report says which of Apple's environments signed`(
        vector: AppleVector, environment: TokenReport.Environment
    ) throws {
        let opener = TokenOpener(keys: [], trust: try TestTrust.apple())
        #expect(opener.open(text: try vector.token, at: .signing).signer?.environment == environment)
    }

    @Test func `the sandbox leaf is refused unless the policy accepts it`() throws {
        let vector = AppleVector("sepuka-sandbox-2019")
        let opener = TokenOpener(keys: [try vector.key], trust: try TestTrust.apple(acceptsSandbox: false))
        let report = opener.open(text: try vector.token, at: .signing)

        #expect(report.failedSteps == [.certificates])
        #expect(
            report.refusal == .sandboxNotAccepted(commonName: Printable("ecc-smp-broker-sign_UC4-SANDBOX")))
        #expect(report.paymentData == nil)
    }

    @Test func `the production leaf needs no leave for the sandbox`() throws {
        let vector = AppleVector("gala-2021")
        let opener = TokenOpener(keys: [try vector.key], trust: try TestTrust.apple(acceptsSandbox: false))
        #expect(opener.open(text: try vector.token, at: .signing).opened != nil)
    }

    @Test func `without a key a token is judged as far as its signing time`() throws {
        let opener = TokenOpener(keys: [], trust: try TestTrust.apple())
        let report = opener.open(text: try AppleVector("radial-2015").token, at: .signing)

        for step in [TokenStep.parse, .certificates, .chain, .signature, .signingTime] {
            #expect(report[step] == .passed)
        }
        #expect(report[.publicKeyHash] == .skipped(.noKey))
        #expect(report[.symmetricKey] == .skipped(.noKey))
        #expect(report[.decrypt] == .skipped(.needs(.symmetricKey)))
        #expect(report[.paymentData] == .skipped(.needs(.decrypt)))
        #expect(report.signer?.signingTime == Instant(rfc3339: "2015-12-10T17:44:10Z"))
    }

    @Test func `of several keys the one that the token names is taken`() throws {
        let keys = try Self.vectorsWithKey.map { try $0.key }
        for keys in [keys, keys.reversed()] {
            let opener = TokenOpener(keys: keys, trust: try TestTrust.apple())
            for vector in Self.vectorsWithKey {
                #expect(opener.open(text: try vector.token, at: .signing).opened != nil)
            }
        }
    }

    @Test func `a merchant identifier alone does for a certificate`() throws {
        // The certificate holds the identifier as its holder's user id.
        let vector = AppleVector("gala-2021")
        let identifier = try #require(try vector.merchantIdentifier)
        let key = try PaymentProcessingKey(privateKey: try vector.privateKey, merchantIdentifier: identifier)
        let opener = TokenOpener(keys: [key], trust: try TestTrust.apple())
        #expect(opener.open(text: try vector.token, at: .signing).opened != nil)

        let bare = TokenOpener(
            keys: [try PaymentProcessingKey(privateKey: try vector.privateKey)], trust: try TestTrust.apple())
        let report = bare.open(text: try vector.token, at: .signing)
        #expect(report[.publicKeyHash] == .passed)
        #expect(report[.symmetricKey] == .skipped(.noMerchantIdentifier))
        #expect(report.failedSteps == [])
        #expect(report.opened == nil)
    }
}
