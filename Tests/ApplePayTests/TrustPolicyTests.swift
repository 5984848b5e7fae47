import ApplePay
import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePaySandbox

struct TrustPolicyTests {
    @Test func `a local token is refused where only Apple is trusted`() throws {
        let merchant = try LocalMerchant()
        let opener = TokenOpener(keys: [merchant.key], trust: try TestTrust.apple())
        let report = opener.open(text: try merchant.mint(try merchant.order()), at: .signing)
        #expect(report.failedSteps == [.chain])
        #expect(report.signer?.environment == nil)
        #expect(report.paymentData == nil)
    }

    @Test func `a token of another local authority of the same names is refused`() throws {
        let merchant = try LocalMerchant()
        let other = try LocalMerchant()
        let opener = TokenOpener(keys: [other.key], trust: merchant.trust)
        let report = opener.open(text: try other.mint(try other.order()), at: .signing)
        #expect(report.failedSteps == [.chain])
    }

    @Test func `a remembered signer is judged as it was the first time, to the last second of its validity`() throws {
        let merchant = try LocalMerchant()
        let lastSecond = Instant(secondsSinceEpoch: merchant.authority.signer.certificate.notAfterSecondsSinceEpoch)
        for seconds in [-1, 0] as [Int64] {
            let token = try merchant.mint(
                try merchant.order(at: lastSecond.advanced(byMilliseconds: seconds * 1000)))
            let trust = try TrustPolicy(anchors: merchant.trust.anchors, acceptsAppleSandbox: false)
            let opener = TokenOpener(keys: [merchant.key], trust: trust)
            let judgedFirst = opener.open(text: token, at: .signing).failedSteps
            // From now on the policy remembers the signer.
            #expect(opener.open(text: try merchant.mint(try merchant.order()), at: .signing).opened != nil)
            #expect(opener.open(text: token, at: .signing).failedSteps == judgedFirst, "\(seconds) s")
        }
    }

    @Test func `with no root at all nothing is trusted`() throws {
        let merchant = try LocalMerchant()
        let opener = TokenOpener(
            keys: [merchant.key], trust: try TrustPolicy(anchors: [], acceptsAppleSandbox: true))
        #expect(opener.open(text: try merchant.mint(try merchant.order()), at: .signing).failedSteps == [.chain])
    }

    @Test func `a token of either of two roots is accepted`() throws {
        let merchants = [try LocalMerchant(), try LocalMerchant()]
        let trust = try TrustPolicy(
            anchors: merchants.map { .local($0.authority.root) }, acceptsAppleSandbox: false)
        for merchant in merchants {
            let report = TokenOpener(keys: [merchant.key], trust: trust)
                .open(text: try merchant.mint(try merchant.order()), at: .signing)
            #expect(report.opened != nil)
            #expect(report.signer?.environment == .local)
        }
    }

    @Test func `a root may lie in the signature, if it is the accepted one`() throws {
        let merchant = try LocalMerchant()
        let other = try LocalMerchant()
        let (root, otherRoot) = (merchant.authority.root.der, other.authority.root.der)
        let withRoot = try merchant.report(altered: .init(signature: { $0.certificates.append(root) }))
        #expect(withRoot.opened != nil)
        let withOther = try merchant.report(altered: .init(signature: { $0.certificates.append(otherRoot) }))
        #expect(withOther.refusal == .chainShape)
    }

    @Test func `Apple's root is known by its fingerprint alone`() throws {
        let apple = try Certificate(pem: TestTrust.applePEM())
        #expect(TrustPolicy.Anchor.apple(apple)?.authority == .apple)
        #expect(TrustPolicy.Anchor.local(apple).authority == .local)

        let key = try PrivateKey.generate(.p384)
        let namesake = try CertificateTemplate(
            subject: [
                ("CN", "Apple Root CA - G3"), ("OU", "Apple Certification Authority"), ("O", "Apple Inc."), ("C", "US"),
            ],
            serialNumber: [1], notBeforeSecondsSinceEpoch: apple.notBeforeSecondsSinceEpoch,
            notAfterSecondsSinceEpoch: apple.notAfterSecondsSinceEpoch, extensions: []
        ).certificate(for: key.publicKey, issuer: nil, issuerKey: key)
        #expect(namesake.commonName == apple.commonName)
        #expect(TrustPolicy.Anchor.apple(namesake)?.authority == nil)
    }

    @Test(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
    func `Apple's token is refused where only a local authority is trusted`() throws {
        let vector = AppleVector("gala-2021")
        let opener = TokenOpener(keys: [try vector.key], trust: try LocalMerchant().trust)
        let report = opener.open(text: try vector.token, at: .signing)
        #expect(report.failedSteps == [.chain])
        #expect(report.paymentData == nil)
    }
}
