import ApplePay
import ApplePaySandbox
import OpenSSL
import TestSupport
import Testing
import Values

@testable import tollgate_bench

/// OpenSSL's own verification, against which the benchmark measures.
struct DetachedSignatureTests {
    @Test(arguments: TokenVersion.allCases)
    func `OpenSSL verifies a token's signature, its chain and its protected algorithms`(version: TokenVersion) throws {
        let merchant = try LocalMerchant()
        let parts = try TokenParts(Array(try merchant.mint(try merchant.order(), version).utf8))
        let signature = try DetachedSignature(root: merchant.authority.root)
        let seconds = LocalMerchant.instant.secondsSinceEpoch
        try signature.verify(parts.signature, of: parts.signedContent, atSecondsSinceEpoch: seconds)
        #expect(throws: OpenSSLError.signatureInvalid) {
            try signature.verify(parts.signature, of: parts.signedContent + [0], atSecondsSinceEpoch: seconds)
        }
        #expect(throws: OpenSSLError.signatureInvalid) {
            try signature.verify(parts.signature, of: parts.signedContent, atSecondsSinceEpoch: 0)
        }
    }
}
