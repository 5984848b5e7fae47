import JSON
import Payments
import Testing
import Values

@testable import MerchantAPI

struct CanonicalParametersTests {
    /// The form is hashed and the hash is kept, so a change of it would make every repeated request a conflict.
    @Test func `the canonical form of a request stays what it was`() throws {
        let document = try JSONDocument(
            #"""
            { "transaction" : {"source":"INTERNET", "reference":null}, "order": {"currency":"USD", "amount": "0030.10",
              "description":"a\/b\n\t\"\\\u00e9\u007F\u001f"}, "device": {}, "customer": {"phone": null},
              "apiOperation":"AUTHORIZE", "unknown": [1.0, {"b": [], "a": {}}, null] }
            """#)
        #expect(
            CanonicalParameters.text(of: document, PaymentFields.of(.authorize)).revealed()
                == #"{"apiOperation":"AUTHORIZE","order":{"amount":30.1,"currency":"USD","#
                + #""description":"a/b\n\t\"\\é"# + "\u{7F}" + #"\u001F"},"transaction":{"source":"INTERNET"},"#
                + #""unknown":[1.0,{"b":[]},null]}"#)
    }

    @Test(arguments: [
        ("5656", "5656"), ("5656.0", "5656"), ("5656.00", "5656"), ("05656.50", "5656.5"), ("0", "0"), ("0.00", "0"),
        ("00.10", "0.1"), ("100", "100"), ("0100.00", "100"),
    ])
    func `an amount has one form, as text and as a number`(amount: String, canonical: String) throws {
        let expected = #"{"order":{"amount":\#(canonical)}}"#
        #expect(try canonicalText(#"{"order":{"amount":"\#(amount)"}}"#) == expected)
        if JSONNumber(amount) != nil { #expect(try canonicalText(#"{"order":{"amount":\#(amount)}}"#) == expected) }
    }

    @Test func `only amounts are taken as numbers`() throws {
        for text in [#"{"device":{"ani":"0100.00"}}"#, #"{"order":{"reference":"0100.00"}}"#, #"{"amount":"0100.00"}"#]
        {
            #expect(try canonicalText(text) == text)
        }
    }

    @Test func `nothing leaves an empty object`() throws {
        #expect(try canonicalText(#"{"a":{"b":{"c":null,"d":{}}}}"#) == "{}")
        #expect(try canonicalText(#"{"a":{"b":{}},"c":1}"#) == #"{"c":1}"#)
        #expect(try canonicalText(#"{"b":1,"a":{}}"#) == #"{"b":1}"#)
    }

    private func canonicalText(_ text: String) throws -> String {
        CanonicalParameters.text(of: try JSONDocument(text), PaymentFields.of(.authorize)).revealed()
    }
}
