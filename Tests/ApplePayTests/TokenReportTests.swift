import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePay
@testable import ApplePaySandbox

/// What a report says of the steps that were not taken, and what a token may be worth.
struct TokenReportTests {
    @Test func `a token that can't be read leaves every other step untaken`() throws {
        let report = TokenOpener(keys: [], trust: try LocalMerchant().trust).open(text: "{}", at: .signing)
        #expect(report.failedSteps == [.parse])
        for step in TokenStep.allCases where step != .parse && step != .replay {
            #expect(report[step] == .skipped(.needs(.parse)))
        }
        #expect(report[.replay] == .skipped(.noStore))
        #expect(report.version == nil && report.transactionId == nil && report.signer == nil)
    }

    @Test func `without the signer's certificate neither chain nor signature is judged, but the time is`() throws {
        let merchant = try LocalMerchant()
        let report = try merchant.report(altered: .init(signature: { $0.certificates = [] }))
        #expect(report[.certificates] == .failed(.signerCertificateMissing))
        #expect(report[.chain] == .skipped(.needs(.certificates)))
        #expect(report[.signature] == .skipped(.needs(.certificates)))
        #expect(report[.signingTime] == .passed)
        #expect(report[.publicKeyHash] == .passed)
        #expect(report[.symmetricKey] == .skipped(.needs(.certificates)))
        #expect(report[.decrypt] == .skipped(.needs(.symmetricKey)))
        #expect(report[.paymentData] == .skipped(.needs(.decrypt)))
        #expect(report[.transactionDetails] == .skipped(.noOrder))
    }

    @Test(arguments: [
        MintDefect.noLeafMarker, .noIntermediateMarker, .sandboxSigner, .selfSignedIntermediate, .leafExpired,
        .thirdCertificateSigner, .strayCertificate, .digestAltered, .signatureAltered,
    ])
    func `nothing is decrypted unless certificates, chain and signature passed`(defect: MintDefect) throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(try merchant.order(), defect: defect)
        let report = merchant.opener.open(
            SecretText(token), at: LocalMerchant.instant,
            expecting: TransactionDetails(currencyCode: "840", amountMinorUnits: 5656))
        #expect(report[.symmetricKey] == .skipped(.needs(defect.refusingStep)))
        #expect(report[.decrypt] == .skipped(.needs(.symmetricKey)))
        #expect(report[.paymentData] == .skipped(.needs(.decrypt)))
        #expect(report[.transactionDetails] == .skipped(.needs(.paymentData)))
        #expect(report.paymentData == nil)
    }

    @Test func `every failure is reported, not only the first`() throws {
        let merchant = try LocalMerchant()
        let report = try merchant.report(
            altered: .init(
                recipient: { $0.publicKeyHash[0] ^= 1 },
                signer: { (signer) throws(OpenSSLError) in
                    try signer.takeCertificate(.signer("x", marker: nil))
                    try signer.becomeSelfVouching()
                },
                attributes: { $0.messageDigest[0] ^= 1 }),
            at: .transaction(LocalMerchant.instant.advanced(byMilliseconds: 1_000_000)))
        #expect(report.failedSteps == [.chain, .signature, .signingTime, .publicKeyHash])
        #expect(report.refusal?.step == .chain)
    }

    @Test func `of several keys the one that the token names is taken`() throws {
        let merchant = try LocalMerchant()
        let others = try (0..<2).map { _ in
            try PaymentProcessingKey(privateKey: .generate(.p256), merchantIdentifier: LocalMerchant.merchantIdentifier)
        }
        let token = try merchant.mint(try merchant.order())
        for keys in [[merchant.key] + others, others + [merchant.key]] {
            let opener = TokenOpener(keys: keys, trust: merchant.trust)
            #expect(opener.open(text: token, at: .signing).opened != nil)
        }
        let report = TokenOpener(keys: others, trust: merchant.trust).open(text: token, at: .signing)
        #expect(report.failedSteps == [.publicKeyHash])
        #expect(
            report.refusal
                == .publicKeyUnknown(
                    hash: Base64.encoded(merchant.key.publicKeyHash),
                    own: others.map { Base64.encoded($0.publicKeyHash) }, .ellipticCurve))
    }

    @Test(arguments: [
        (-300_000, true), (-300_001, false), (0, true), (300_000, true), (300_001, false), (301_000, false),
    ])
    func `a token may be 300 s older or younger than its transaction`(milliseconds: Int64, isLawful: Bool) throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(try merchant.order())
        let instant = LocalMerchant.instant.advanced(byMilliseconds: milliseconds)
        let report = merchant.opener.open(SecretText(token), at: instant, expecting: nil)
        let expected: TokenRefusal? =
            switch (isLawful, milliseconds > 0) {
            case (true, _): nil
            case (false, true): .stale(signingTime: LocalMerchant.instant, transaction: instant, windowSeconds: 300)
            case (false, false):
                .fromTheFuture(signingTime: LocalMerchant.instant, transaction: instant, windowSeconds: 300)
            }
        #expect(report.refusal == expected)
        #expect((report.opened != nil) == isLawful)
    }

    @Test(arguments: [(0, 0, true), (0, 1, false), (0, -1, false), (86_400, 86_400, true), (86_400, 86_401, false)])
    func `the window can be chosen`(windowSeconds: Int64, ageSeconds: Int64, isLawful: Bool) throws {
        let merchant = try LocalMerchant()
        let opener = TokenOpener(keys: [merchant.key], trust: merchant.trust, windowSeconds: windowSeconds)
        let report = opener.open(
            text: try merchant.mint(try merchant.order()),
            at: .transaction(LocalMerchant.instant.advanced(byMilliseconds: ageSeconds * 1000)))
        #expect(report.failedSteps == (isLawful ? [] : [.signingTime]))
    }

    @Test func `a stranger's name is reported without what a terminal would obey`() throws {
        let report = try LocalMerchant().report(
            altered: .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer("\u{1B}[2J<b>\n", marker: nil))
            }))
        #expect(report.signer?.commonName == "?[2J?b>?")
        #expect(report.refusal == .leafMarkerMissing(commonName: Printable("?[2J?b>?")))
    }

    @Test func `one opener serves many threads at once`() async throws {
        let merchant = try LocalMerchant()
        let opener = merchant.opener
        let lawful = try merchant.mint(try merchant.order())
        let forged = try merchant.mint(try merchant.order(), defect: .thirdCertificateSigner)
        await withTaskGroup(of: (Bool, [TokenStep]).self) { group in
            for index in 0..<64 {
                group.addTask {
                    let isLawful = index.isMultiple(of: 2)
                    return (isLawful, opener.open(text: isLawful ? lawful : forged, at: .signing).failedSteps)
                }
            }
            for await (isLawful, failedSteps) in group { #expect(failedSteps == (isLawful ? [] : [.chain])) }
        }
    }

    @Test func `a dump of a report shows neither account number nor cryptogram nor name`() throws {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.cardholderName = "Ada Lovelace"
        let report = merchant.opener.open(text: try merchant.mint(order), at: .signing)
        #expect(report.opened != nil)
        var shown = String(describing: report) + String(reflecting: report) + String(reflecting: report.opened as Any)
        dump(report, to: &shown)
        #expect(shown.contains("512345xxxxxx0008"))
        for secret in ["5123450000000008", order.onlinePaymentCryptogram.revealed(), "Lovelace"] {
            #expect(!shown.contains(secret))
        }
    }
}
