import ApplePaySandbox
import JSON
import TestSupport
import Testing
import Values

@testable import ApplePay

/// The cache of signers never changes the findings on a token.
struct SignerCacheTests {
    private static func signedData(of token: String) throws -> SignedData {
        let text = try #require(try JSONDocument(token).root["signature"]?.string)
        return try SignedData(ber: try #require(Base64.decoded(text)))
    }

    @Test func `the second token of a signer is judged like the first`() throws {
        let merchant = try LocalMerchant()
        let opener = merchant.opener
        let first = opener.open(text: try merchant.mint(try merchant.order()), at: .transaction(LocalMerchant.instant))
        let token = try merchant.mint(try merchant.order())
        #expect(opener.trust.signerCache.signer(of: try Self.signedData(of: token), version: .ellipticCurve) != nil)
        let second = opener.open(text: token, at: .transaction(LocalMerchant.instant))
        #expect(second.opened != nil)
        #expect(second.outcomes == first.outcomes)
        #expect(second.signer?.commonName == first.signer?.commonName)
        #expect(second.signer?.environment == first.signer?.environment)
        #expect(second.signer?.signingTime == first.signer?.signingTime)
    }

    @Test(arguments: MintDefect.allCases)
    func `a defect is refused alike whether or not its signer's like is remembered`(defect: MintDefect) throws {
        let merchant = try LocalMerchant()
        let fresh = merchant.opener
        let knowing = TokenOpener(
            keys: merchant.opener.keys,
            trust: try TrustPolicy(
                anchors: merchant.trust.anchors, acceptsAppleSandbox: merchant.trust.acceptsAppleSandbox))
        let order = try merchant.orderForDefects()
        let version = LocalMerchant.version(for: defect)
        let good = try merchant.mint(order, version)
        #expect(knowing.open(text: good, at: .transaction(LocalMerchant.instant)).opened != nil)
        let token = try merchant.mint(order, version, defect: defect)
        let details = TransactionDetails(
            currencyCode: "840", amountMinorUnits: 5656, applicationData: .hash([UInt8](repeating: 0, count: 32)))
        for expected in [nil, details] {
            let one = fresh.open(text: token, at: .transaction(LocalMerchant.instant), expecting: expected)
            let other = knowing.open(text: token, at: .transaction(LocalMerchant.instant), expecting: expected)
            #expect(one.outcomes == other.outcomes)
        }
    }

    @Test(arguments: [MintDefect.noLeafMarker, .noIntermediateMarker, .selfSignedIntermediate])
    func `a signer that was refused is not remembered`(defect: MintDefect) throws {
        let merchant = try LocalMerchant()
        let opener = merchant.opener
        let token = try merchant.mint(try merchant.order(), defect: defect)
        #expect(opener.open(text: token, at: .transaction(LocalMerchant.instant)).opened == nil)
        let remembered = opener.trust.signerCache.signer(
            of: try Self.signedData(of: token), version: .ellipticCurve)
        #expect(remembered == nil)
    }

    @Test func `a signer is remembered for the times at which all its certificates are valid`() throws {
        let merchant = try LocalMerchant()
        let signedData = try Self.signedData(of: try merchant.mint(try merchant.order()))
        let seconds = signedData.signingTime.secondsSinceEpoch
        let key = merchant.key.publicKey
        for (validSeconds, isKnown) in [
            (seconds..<seconds + 1, true), (seconds + 1..<seconds + 9, false), (seconds - 9..<seconds, false),
        ] {
            let signers = SignerCache()
            let signer = AcceptedSigner(commonName: "", environment: .local, key: key, validSeconds: validSeconds)
            signers.remember(signer, of: signedData, version: .ellipticCurve)
            #expect((signers.signer(of: signedData, version: .ellipticCurve) != nil) == isKnown)
            #expect(signers.signer(of: signedData, version: .rsa) == nil)
        }
    }

    @Test func `a signer that is remembered twice takes one place`() throws {
        let signers = SignerCache()
        var first: SignedData?
        for index in 0..<SignerCache.countMax {
            let merchant = try LocalMerchant()
            let signedData = try Self.signedData(of: try merchant.mint(try merchant.order()))
            let signer = AcceptedSigner(
                commonName: "\(index)", environment: .local, key: merchant.key.publicKey, validSeconds: 0..<Int64.max)
            for _ in 0..<2 { signers.remember(signer, of: signedData, version: .ellipticCurve) }
            #expect(signers.signer(of: signedData, version: .ellipticCurve)?.commonName == "\(index)")
            if index == 0 { first = signedData }
        }
        let remembered = signers.signer(of: try #require(first), version: .ellipticCurve)
        #expect(remembered?.commonName == "0")
    }

    @Test func `no more signers are remembered than there may be`() throws {
        let signers = SignerCache()
        var all: [SignedData] = []
        for _ in 0...SignerCache.countMax {
            let merchant = try LocalMerchant()
            let signedData = try Self.signedData(of: try merchant.mint(try merchant.order()))
            let signer = AcceptedSigner(
                commonName: "", environment: .local, key: merchant.key.publicKey, validSeconds: 0..<Int64.max)
            signers.remember(signer, of: signedData, version: .ellipticCurve)
            all.append(signedData)
        }
        #expect(signers.signer(of: all[0], version: .ellipticCurve) == nil)
        for signedData in all[1...] { #expect(signers.signer(of: signedData, version: .ellipticCurve) != nil) }
    }
}
