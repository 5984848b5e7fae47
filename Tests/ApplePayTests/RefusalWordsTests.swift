import ApplePay
import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePaySandbox

/// What a refused token's reply and report say: what was found in a sentence, and the next step in the report.
struct RefusalWordsTests {
    private static func report(
        _ token: String, _ trust: TrustPolicy, keys: [PaymentProcessingKey] = []
    ) -> TokenReport {
        TokenOpener(keys: keys, trust: trust).open(text: token, at: .signing)
    }

    /// Nothing of OpenSSL's is among the words, and the report goes on where the reply ends.
    private static func expectWords(_ report: TokenReport, _ finding: String, then remedy: String) throws {
        let refusal = try #require(report.refusal)
        #expect(refusal.step == .chain)
        #expect(refusal.finding == finding)
        #expect(refusal.remedy.contains(remedy), "\(refusal.remedy)")
        #expect(report.detail(of: .chain) == refusal.finding + " " + refusal.remedy)
        #expect(report.opened == nil && report.paymentData == nil)
    }

    @Test(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
    func `Apple's token for a merchant of local ones is told as Apple's`() throws {
        let vector = AppleVector("gala-2021")
        try Self.expectWords(
            Self.report(try vector.token, try LocalMerchant().trust, keys: [try vector.key]),
            "The certificates are named as Apple's, and this merchant trusts only `local`.", then: "Add `apple`")
    }

    @Test func `a minted token for a merchant of Apple's alone is told as minted`() throws {
        let merchant = try LocalMerchant()
        try Self.expectWords(
            Self.report(try merchant.mint(merchant.order()), try TestTrust.apple(), keys: [merchant.key]),
            "A local authority minted the token, and this merchant trusts only `apple`.", then: "Add `local`")
    }

    @Test func `a token that another local authority minted is told as another data directory's`() throws {
        let (merchant, other) = (try LocalMerchant(), try LocalMerchant())
        try Self.expectWords(
            Self.report(try other.mint(other.order()), merchant.trust, keys: [other.key]),
            "The token was minted under another data directory, whose root is not this one's.", then: "--data")
    }

    /// A token whose intermediate an authority of this name issued.
    private static func token(root name: String) throws -> (LocalMerchant, String) {
        let (key, rootKey) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p384))
        let authority = try LocalMerchant().authority
        let root = try CertificateTemplate(
            subject: [("CN", name)], serialNumber: [1], notBeforeSecondsSinceEpoch: 1_388_534_400,
            notAfterSecondsSinceEpoch: 2_524_607_999, extensions: []
        ).certificate(for: rootKey.publicKey, issuer: nil, issuerKey: rootKey)
        let intermediate = try CertificateForm.intermediate().certificate(for: key, issuer: root, issuerKey: rootKey)
        func signer(_ version: TokenVersion) throws -> LocalAuthority.Signer {
            try LocalAuthority.makeSigner(
                of: version, key: authority.signer(of: version).key, issuer: intermediate, issuerKey: key)
        }
        let merchant = try LocalMerchant(
            LocalAuthority(
                root: root, rootKey: rootKey, intermediate: intermediate, intermediateKey: key,
                signer: signer(.ellipticCurve), rsaSigner: signer(.rsa)))
        return (merchant, try merchant.mint(merchant.order()))
    }

    @Test(arguments: [
        ("Nobody's Root", "Nobody's Root"), ("<a>\u{1B}[31m\u{202E}é&", "?a>?[31m???"),
        (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
    ])
    func `a root that nobody knows is named, without what a terminal or a page would obey`(
        name: String, shown: String
    ) throws {
        let (_, token) = try Self.token(root: name)
        for trust in [try LocalMerchant().trust, try TestTrust.apple()] {
            try Self.expectWords(
                Self.report(token, trust),
                "No root that this merchant trusts issued the certificates, which name \"\(shown)\".",
                then: "Treat the token as forged")
        }
    }

    @Test func `a certificate with Apple's name proves nothing`() throws {
        let (merchant, token) = try Self.token(root: "Apple Root CA - G3")
        try Self.expectWords(
            Self.report(token, try TestTrust.apple(), keys: [merchant.key]),
            "No root that this merchant trusts issued the certificates, which name \"Apple Root CA - G3\".",
            then: "Treat the token as forged")
    }

    @Test(arguments: [
        (MintDefect.leafExpired, "The signer's certificate was not valid when the token was signed."),
        (
            .selfSignedIntermediate,
            "No root that this merchant trusts issued the certificates, which name "
                + "\"Tollgate Local Application Integration CA\"."
        ),
        (.thirdCertificateSigner, "The certificates of the signature do not form a chain to a root that is trusted."),
    ])
    func `certificates that are no chain are reported, whatever they name`(defect: MintDefect, finding: String) throws {
        let merchant = try LocalMerchant()
        let report = Self.report(try merchant.mint(merchant.order(), defect: defect), merchant.trust)
        try Self.expectWords(report, finding, then: defect == .leafExpired ? "signing time" : "Treat the token")
    }

    @Test func `a token for another key is told the merchant's own hashes, and the command that shows a key's`() throws
    {
        let merchant = try LocalMerchant()
        let others = try (0..<2).map { _ in
            try PaymentProcessingKey(privateKey: .generate(.p256), merchantIdentifier: LocalMerchant.merchantIdentifier)
        }
        let report = Self.report(try merchant.mint(merchant.order()), merchant.trust, keys: others + [merchant.rsaKey])
        let refusal = try #require(report.refusal)
        let own = others.map { Base64.encoded($0.publicKeyHash) }.joined(separator: ", ")
        #expect(
            refusal.finding
                == "The token is for the key with publicKeyHash \(Base64.encoded(merchant.key.publicKeyHash)); the "
                + "merchant's for EC_v1: \(own).")
        #expect(refusal.remedy.contains("`tollgate certificate show FILE`"))
    }

    @Test func `of many keys the first four are named`() throws {
        let merchant = try LocalMerchant()
        let others = try (0..<6).map { _ in try PaymentProcessingKey(privateKey: .generate(.p256)) }
        let report = Self.report(try merchant.mint(merchant.order()), merchant.trust, keys: others)
        let own = others.prefix(4).map { Base64.encoded($0.publicKeyHash) }.joined(separator: ", ")
        #expect(report.refusal?.finding.hasSuffix("EC_v1: \(own) and 2 more.") == true)
    }

    @Test func `another merchant identifier is told as the likely cause, in the reply too`() throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(merchant.order(), defect: .wrongMerchantIdentifier)
        let report = Self.report(token, merchant.trust, keys: [merchant.key])
        #expect(
            report.refusal?.finding
                == "The data does not decrypt: its authentication tag differs, for EC_v1 mostly because the token is for "
                + "another merchant identifier.")
        #expect(report.refusal?.remedy.contains("check the merchant identifier, letter by letter") == true)
    }

    @Test(arguments: [
        ("840", 5656, "840", 100, "The token is for 56.56 USD, the order for 1.00 USD."),
        ("392", 5656, "392", 100, "The token is for 5656 JPY, the order for 100 JPY."),
        ("048", 5, "048", 1, "The token is for 0.005 BHD, the order for 0.001 BHD."),
        ("840", 5656, "978", 5656, "The token is for 56.56 USD, the order for 56.56 EUR."),
        ("840", 5656, "392", nil, "The token is for 56.56 USD, the order in JPY."),
        ("999", 5656, "978", 100, "The token is for 5656 minor units of currency 999, the order for 1.00 EUR."),
    ])
    func `amounts are written in units with their currency`(
        currency: String, minorUnits: Int64, orderCurrency: String, orderMinorUnits: Int64?, finding: String
    ) throws {
        let merchant = try LocalMerchant()
        let order = try merchant.order(amountMinorUnits: minorUnits, currencyCode: currency)
        let report = merchant.opener.open(
            text: try merchant.mint(order), at: .signing,
            expecting: TransactionDetails(total: .init(currencyCode: orderCurrency, amountMinorUnits: orderMinorUnits)))
        #expect(report.refusal?.finding == finding)
    }

    @Test func `a note on submerchants writes amounts so, too`() throws {
        let report = try LocalMerchant().report(submerchants: ["one", "two"]).report
        #expect(
            report.notes == [
                "The 2 amounts of authenticationResponses come to 0.02 USD, transactionAmount is 56.56 USD."
            ])
    }

    @Test(
        arguments: [
            (
                301_000,
                "Signed at 2021-09-01T19:03:10Z, 301 s before the transaction at 2021-09-01T19:08:11Z; 300 s are allowed."
            ),
            (
                -86_400_000,
                "Signed at 2021-09-01T19:03:10Z, 86400 s after the transaction at 2021-08-31T19:03:10Z; 300 s are allowed."
            ),
        ] as [(Int64, String)])
    func `a token outside the window is told with both dates`(milliseconds: Int64, finding: String) throws {
        let merchant = try LocalMerchant()
        let instant = LocalMerchant.instant.advanced(byMilliseconds: milliseconds)
        let report = merchant.opener.open(text: try merchant.mint(merchant.order()), at: .transaction(instant))
        #expect(report.refusal?.finding == finding)
    }

    @Test func `an unknown defect's error lists the known ones`() throws {
        var specification = MintSpecification()
        specification.defect = "stal"
        let order = try LocalMerchant().order()
        let fault = try #require(throws: MintSpecification.Fault.self) {
            try specification.namedDefect(of: order, .ellipticCurve)
        }
        let names = MintDefect.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(fault.finding == "there is no defect of this name; the defects are \(names)")
    }
}
