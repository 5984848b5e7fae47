import JSON
import Testing

/// What RFC 8259 allows, and what it leaves open and this parser allows.
struct AcceptedTextTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "42", #""""#, #""x""#, "[]", "{}", " [] ", "\r\n\t [] \r\n\t", "[ ]", "{ }",
        "[[]]", "[[]   ]", #"[""]"#, "[null, 1, \"1\", {}]", "[1,null,null,null,2]", "[2] ", " [1]", "[1\n]",
        #"{"a":[]}"#, #"{"":0}"#, #"{"a":"b","c":"d"}"#, #"{"a":{"a":{"a":1}}}"#, "{\n\"a\" :\r\n\"b\"\t}",
        #"{"foo\u0000bar":42}"#, #"{"min":-1.0e+28,"max":1.0e+28}"#, #"{"title":"\u041f"}"#, "[true ,false]",
    ])
    func `a lawful text is read`(text: String) throws {
        #expect(try !JSONDocument(text).root.value.serialized().isEmpty)
    }

    @Test(arguments: [
        "0", "-0", "10", "123", "-123", "1.0", "100.00", "0.000000000000000000000001", "1e1", "1E1", "1e+2", "1E-2",
        "0e1",
        "0e+1", "0E01", "-0.0", "123.456e78", "-1.5E+007", "20e1", "123e65", "1e9999", "-1e-9999", "123123e100000",
        "-237462374673276894279832749832423479823246327846",
        "100000000000000000000000000000000000000000000000000000000000000000000000000001.10",
    ])
    func `a number keeps its text whatever its size`(text: String) throws {
        #expect(try JSONDocument(text).root.numberText == text)
        #expect(try JSONDocument("[ \(text) ]").root.elements.map(\.numberText) == [text])
        #expect(JSONNumber(text)?.text == text)
    }

    @Test(arguments: [
        (#""""#, ""), (#"" ""#, " "), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0060\u012a\u12AB""#, "`Īካ"),
        (#""\uD834\uDd1e""#, "\u{1D11E}"), (#""\ud801\udc37""#, "\u{10437}"), (#""\uD83D\uDE39\uD83D\uDC8D""#, "😹💍"),
        (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\uFFFF\uFFFE""#, "\u{FFFF}\u{FFFE}"),
        (#""\u0000""#, "\0"), (#""\u001F\u007f""#, "\u{1F}\u{7F}"), ("\"\u{7F}\"", "\u{7F}"),
        (#""\\u0041""#, #"\u0041"#),
        (#""\\""#, "\\"), (#""\\\"""#, "\\\""), (#""a/*b*/c/*d//e""#, "a/*b*/c/*d//e"),
        ("\"é\u{2028}\u{2029}\"", "é\u{2028}\u{2029}"),
        ("\"€𝄞\u{10FFFF}\u{FFFF}\"", "€𝄞\u{10FFFF}\u{FFFF}"), (#""\u0022\u005C""#, "\"\\"),
        (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"),
        (#""1234567\n12345678\u00e99""#, "1234567\n12345678é9"),
    ])
    func `a string stands for what its escapes say`(text: String, expected: String) throws {
        let root = try JSONDocument(text).root
        #expect(root.string.map { Array($0.utf8) } == Array(expected.utf8))
        #expect(root.withStringBytes { Array($0) } == Array(expected.utf8))
        #expect(root.withRawBytes { Array($0) } == Array(text.utf8))
    }

    @Test(arguments: 0...40)
    func `a string of any length is read wherever its end falls in a word`(length: Int) throws {
        let plain = String(repeating: "a", count: length)
        #expect(try JSONDocument("\"\(plain)\"").root.string == plain)
        #expect(try JSONDocument("\"\(plain)\\n\(plain)\"").root.string == plain + "\n" + plain)
        #expect(try JSONDocument("\"\(plain)é\(plain)\"").root.string == plain + "é" + plain)
        #expect(throws: JSONFault.self) { try JSONDocument("\"\(plain)\u{1F}\(plain)\"") }
        #expect(throws: JSONFault.self) { try JSONDocument("\"\(plain)") }
    }
}
