import JSON
import TestSupport
import Testing
import Values

@testable import ApplePay
@testable import ApplePaySandbox

/// What a refusal says where one finding has several causes.
struct ExplanationTests {
    @Test(arguments: [
        ("AA-A", Base64.Fault.urlAlphabet), ("AA_=", .urlAlphabet), ("AA A", .space), ("AA%2B", .percentEncoding),
        ("AA*A", .foreignByte), ("AAé=", .foreignByte), ("AA=", .padding), ("AAA==", .padding), ("AA=A", .padding),
        ("AAAA=", .padding), ("====", .padding), ("A", .cut), ("AAAAA", .cut), ("AB", .cut), ("AAB=", .cut),
        ("A=", .cut), ("AB==", .cut),
    ])
    func `text that is not base64 is reported with its likely cause`(text: String, fault: Base64.Fault) throws {
        #expect(Base64.decoded(text) == nil)
        let token = #"{"version":"EC_v1","data":"\#(text)","signature":"AAAA","header":{}}"#
        let report = TokenOpener(keys: [], trust: try LocalMerchant().trust).open(text: token, at: .signing)
        #expect(report.refusal == .notBase64("data", fault))
        #expect(report.refusal?.finding == "The member data is not base64: \(fault).")
    }

    @Test(arguments: [("AA\r\nA", Base64.Fault.cut), ("AAA=\nA", .padding), ("AA\n-A", .urlAlphabet)])
    func `a line break is not the fault of what is not base64`(text: String, fault: Base64.Fault) {
        var text = text
        #expect(text.withUTF8 { Base64.fault(in: UnsafeRawBufferPointer($0)) } == fault)
    }

    @Test func `base64 around the JSON is not JSON, and called by its name`() throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(try merchant.order())
        let encoded = Base64.encoded(Array(token.utf8))
        for text in [encoded, #""\#(encoded)""#, #"{"paymentData":"\#(encoded)"}"#] {
            let report = merchant.opener.open(text: text, at: .signing)
            switch report.refusal {
            case .encodedInBase64: break
            default: Issue.record("\(String(describing: report.refusal))")
            }
        }
        #expect(merchant.opener.open(text: "eyJ*", at: .signing).refusal?.step == .parse)
        #expect(merchant.opener.open(text: "eyJ*", at: .signing).refusal != .encodedInBase64)
    }

    @Test func `definite lengths in place of the indefinite ones do no harm`() throws {
        let merchant = try LocalMerchant()
        for version in TokenVersion.allCases {
            let token = try TokenMint(merchant.authority).mint(
                try merchant.order(), for: try merchant.recipient(of: version),
                altered: .init(encodedSignature: { signature in
                    signature = BERReader(signature).rewrittenToDefiniteLengths()
                    #expect(signature[1] == 0x82)
                }))
            #expect(merchant.opener.open(bytes: token, at: .signing).opened != nil)
        }
    }

    @Test(arguments: [
        (5656, 565_600, true), (565_600, 5656, true), (5656, 5657, false), (0, 0, false), (0, 1, false),
        (Int64.max, Int64.max / 100, false), (Int64.max, 1, false),
    ])
    func `a hundredfold amount is minor units taken for units`(token: Int64, order: Int64, isHundredfold: Bool) {
        let remedy = TokenRefusal.amountDiffers(tokenMinorUnits: token, orderMinorUnits: order, currencyCode: "840")
            .remedy
        #expect(remedy.hasPrefix("One is a hundred times the other") == isHundredfold)
    }

    @Test(arguments: [
        (CMSFault.encoding(.truncated), "Its end is missing"), (.encoding(.trailingBytes), "Bytes were appended to it"),
        (.encoding(.length), "It was rewritten"), (.tooLarge, "Something else is in its place"),
        (.severalSigners, "Apple does not write such a signature"),
    ])
    func `a malformed signature has the remedy of its fault`(fault: CMSFault, start: String) {
        #expect(TokenRefusal.signatureMalformed(fault).remedy.hasPrefix(start))
        #expect(TokenRefusal.signatureMalformed(fault).finding.hasSuffix(": \(fault)."))
    }

    @Test func `a tag that an element should not have is named in hexadecimal`() {
        #expect(
            BERFault.unexpectedTag(expected: 0x30, found: 0x04).description
                == "an element has the tag 04 instead of 30")
    }
}

extension BERReader {
    /// The same elements, with definite lengths wherever they were indefinite.
    fileprivate func rewrittenToDefiniteLengths() -> [UInt8] {
        var reader = self
        var rewritten: [UInt8] = []
        while !reader.isAtEnd, let element = try? reader.next() {
            rewritten +=
                element.isIndefinite
                ? DER.element(element.tag, BERReader(bytes, element.content).rewrittenToDefiniteLengths())
                : Array(bytes[element.encoded])
        }
        return rewritten
    }
}
