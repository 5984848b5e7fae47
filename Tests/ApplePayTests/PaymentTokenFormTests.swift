import ApplePay
import ApplePaySandbox
import JSON
import TestSupport
import Testing
import Values

/// The forms in which one token comes.
struct PaymentTokenFormTests {
    /// How a token's text may be wrapped and written without being another token.
    static let forms: [(String, @Sendable (String) throws -> String)] = [
        ("paymentData", { $0 }),
        ("white space around", { " \r\n\t" + $0 + "\n" }),
        (
            "PKPaymentToken",
            { #"{"paymentMethod":{"network":"Visa"},"paymentData":\#($0),"transactionIdentifier":"AB"}"# }
        ),
        ("token of an ApplePayPayment", { #"{"token":{"paymentData":\#($0),"paymentMethod":{}}}"# }),
        ("token alone", { #"{"token":\#($0)}"# }),
        ("paymentData as a string", { #"{"paymentData":\#(quoted($0))}"# }),
        ("paymentData of a token as a string", { #"{"token":{"paymentData":\#(quoted($0))}}"# }),
        ("string of paymentData", { quoted($0) }),
        ("string of a PKPaymentToken", { quoted(#"{"paymentData":\#($0)}"#) }),
        ("string of a token", { quoted(#"{"token":{"paymentData":\#($0)}}"#) }),
        ("escaped solidi", { $0.replacing("/", with: #"\/"#) }),
        ("escaped letters", { $0.replacing("EC_v1", with: #"\u0045C_v1"#) }),
        ("unknown members", { "{\"note\":[1,{}]," + $0.dropFirst() }),
        ("line breaks in base64", { try rewritten($0, base64: { lines(of: $0) }) }),
        ("no padding", { try rewritten($0, base64: { $0.replacing("=", with: "") }) }),
        ("upper-case hexadecimal", { try rewritten($0, hexadecimal: { $0.uppercased() }) }),
        ("null application data", { try rewritten($0, header: { $0["applicationData"] = .null }) }),
    ]

    @Test(arguments: forms.indices)
    func `a token opens in whatever form it comes`(index: Int) throws {
        let (name, form) = Self.forms[index]
        let merchant = try LocalMerchant()
        let report = merchant.opener.open(text: try form(try merchant.mint(try merchant.order())), at: .signing)
        #expect(report.refusal == nil, "\(name)")
        #expect(report.opened != nil, "\(name)")
    }

    @Test(arguments: ["lower", "upper"])
    func `application data opens in either letter case and is signed as bytes`(letters: String) throws {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.applicationData = Array("order 1".utf8)
        let token = try Self.rewritten(
            try merchant.mint(order), hexadecimal: { letters == "upper" ? $0.uppercased() : $0 })
        #expect(merchant.opener.open(text: token, at: .signing).opened != nil)
    }

    @Test func `the transaction id is the same in either letter case`() throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(try merchant.order())
        let upper = try Self.rewritten(token, hexadecimal: { $0.uppercased() })
        #expect(
            merchant.opener.open(text: token, at: .signing).transactionId
                == merchant.opener.open(text: upper, at: .signing).transactionId)
    }

    /// What is no token, and what the reader says of it where that is one case of its own.
    static let otherForms: [(String, @Sendable (String) -> String, TokenRefusal?)] = [
        ("too deep a wrapping", { #"{"token":{"token":{"token":{"token":{"token":{"token":\#($0)}}}}}}"# }, .notAToken),
        ("a string of strings of strings", { quoted(quoted(quoted(quoted(quoted(quoted($0)))))) }, .notAToken),
        ("base64 of the JSON", { quoted(Base64.encoded(Array($0.utf8))) }, nil),
        ("an empty string", { _ in quoted("") }, .empty),
        ("a byte order mark", { "\u{FEFF}" + $0 }, nil),
        ("text behind", { $0 + "," }, nil),
        ("a repeated member", { "{\"version\":\"EC_v1\"," + $0.dropFirst() }, nil),
    ]

    @Test(arguments: otherForms.indices)
    func `other forms are refused when they are parsed`(index: Int) throws {
        let (name, form, refusal) = Self.otherForms[index]
        let merchant = try LocalMerchant()
        let report = merchant.opener.open(text: form(try merchant.mint(try merchant.order())), at: .signing)
        #expect(report.failedSteps == [.parse], "\(name)")
        if let refusal { #expect(report.refusal == refusal, "\(name)") }
    }

    /// A JSON string that holds `text`.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
    }

    /// The text in lines of 76 characters.
    private static func lines(of text: String) -> String {
        var lines = ""
        for (position, character) in text.enumerated() {
            if position > 0, position % 76 == 0 { lines += "\r\n" }
            lines.append(character)
        }
        return lines + "\n"
    }

    /// The token with its members written in another way.
    private static func rewritten(
        _ token: String, base64: (String) -> String = { $0 }, hexadecimal: (String) -> String = { $0 },
        header alter: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        guard case .object(var members) = try JSONValue(parsing: token), case .object(var header)? = members["header"]
        else { throw NotAToken() }
        for name in ["data", "signature"] { members.rewrite(name, base64) }
        for name in ["ephemeralPublicKey", "publicKeyHash"] { header.rewrite(name, base64) }
        for name in ["transactionId", "applicationData"] { header.rewrite(name, hexadecimal) }
        alter(&header)
        members["header"] = .object(header)
        return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
    }

    private struct NotAToken: Error {}
}

extension JSONObject {
    fileprivate mutating func rewrite(_ name: String, _ rewritten: (String) -> String) {
        guard case .string(let text)? = self[name] else { return }
        self[name] = .string(rewritten(text))
    }
}
