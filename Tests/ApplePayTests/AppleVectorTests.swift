import ApplePay
import JSON
import Testing
import TestSupport

/// What counts: tokens that Apple signed.
@Suite(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
struct AppleVectorTests {
    @Test(arguments: [AppleVector("gala-2021"), AppleVector("sepuka-sandbox-2019")])
    func `a token that Apple signed opens to what its publisher says`(vector: AppleVector) throws {
        let opener = TokenOpener(keys: [try vector.key], trust: try TestTrust.apple())
        var token = try vector.token
        let report = token.withUTF8 { opener.open(UnsafeRawBufferPointer($0), at: .signing, expecting: nil) }

        #expect(report.refusal == nil)
        let opened = try #require(report.opened)
        let document = try JSONValue(parsing: opened.paymentData.document.revealed())
        #expect(document == (try vector.expected))
    }
}
