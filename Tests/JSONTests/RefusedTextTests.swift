import JSON
import Testing

/// Texts that RFC 8259 does not allow, each with its reason and the offset of the byte that breaks the rule.
struct RefusedTextTests {
    @Test(arguments: [
        ("", 0), (" ", 1), ("[", 1), ("{", 1), ("\"", 1), ("[\"x\"", 4), ("[\"\"", 3), ("[1", 2), ("[1,", 3),
        ("[{}", 3),
        ("[\"a\",\n4\n,1,", 11), ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1", 6), ("{\"a\":1,", 7), ("{\"a\":\"a", 7),
        ("[\"asd]", 6), ("tru", 3), ("[ false, nul", 12), ("-", 1), ("1.", 2), ("1e", 2), ("1e+", 3), ("\"\\", 2),
        ("[\"\\\"]", 5), ("[\"\\\\\\\"]", 7), ("\"\\u", 3), ("\"\\u12", 5), ("\"\\uD834", 7), ("\"\\uD834\\", 8),
        ("\"\\uD834\\u", 9), ("\"\\uD834\\uDd", 11), ("{\"\":", 4), ("[[[[", 4), ("[{\"a\":[", 7),
    ])
    func `a text that breaks off is refused at its end`(text: String, offset: Int) {
        expectFault(.unexpectedEnd, at: offset, in: text)
    }

    @Test(arguments: [
        // Arrays.
        ("[1 true]", 3), (#"["": 1]"#, 3), ("[,1]", 1), ("[1,,2]", 3), (#"["x",,]"#, 5), (#"["",]"#, 4), ("[x", 1),
        ("[3[4]]", 2),
        ("[1:2]", 2), ("[,]", 1), ("[   , \"\"]", 4), ("[1,]", 3), ("[*]", 1), ("[fals]", 5), ("[nul]", 4),
        ("[tru]", 4),
        ("[1}", 2), ("]", 0), ("[<null>]", 1), ("[True]", 1), ("['x']", 1), ("[\u{C}]", 1), ("[\u{B}1]", 1),
        ("[\u{A0}]", 1),
        ("[\u{2060}]", 1), ("[\0]", 1), (#"[\n]"#, 1), (#"[\u0020"a"]"#, 1), (#"["a" "b"]"#, 5), ("[1,\n,2]", 4),
        // Objects.
        (#"{[: "x"}"#, 1), (#"{"x", null}"#, 4), (#"{"x"::"b"}"#, 5), ("{🇨🇭}", 1), (#"{"a":"a" 123}"#, 9),
        ("{key: 'value'}", 1),
        (#"{"a" b}"#, 5), (#"{:"b"}"#, 1), (#"{"a" "b"}"#, 5), ("{1:1}", 1), ("{null:null}", 1), (#"{"id":0,,,}"#, 8),
        ("{'a':0}", 1), (#"{"id":0,}"#, 8), (#"{"a":"b",,"c":1}"#, 9), (#"{"foo" : "bar", "a" }"#, 20), ("{]", 1),
        ("{,", 1),
        (#"{"a":]"#, 5), (#"{"a":}"#, 5), (#"{"a"}"#, 4), (#"{"a":1]"#, 6), (#"{"a":1 "b":2}"#, 7), (#"{"a";1}"#, 4),
        // Literals and what other languages write.
        ("NaN", 0), ("[Inf]", 1), ("[+1]", 1), ("[++1]", 1), ("[.2e-3]", 1), ("[.-1]", 1), ("[１]", 1), ("nUll", 1),
        ("undefined", 0),
        ("<.>", 0), ("*", 0), ("é", 0), ("\u{FEFF}{}", 0), ("\0", 0), ("[\"x\", truth]", 9), ("/**/1", 0),
        ("[//\n1]", 1),
        (#"{"a":/*comment*/"b"}"#, 5), ("#\n1", 0), ("'a'", 0), ("`a`", 0),
        // Numbers that end well, but before something else.
        ("[-1.0.]", 5), ("[0.1.2]", 4), ("[1 000.0]", 3), ("[1+2]", 2), ("[0x1]", 2), ("[-123.123foo]", 9),
        ("[-1x]", 3),
        ("[1.2a-3]", 4), ("[1n]", 2), ("[1_000]", 2), ("[0b1]", 2), ("[1e5.0]", 4),
    ])
    func `a character out of place is refused where it stands`(text: String, offset: Int) {
        expectFault(.unexpectedCharacter, at: offset, in: text)
    }

    @Test(arguments: [
        ("[-]", 2), ("[-01]", 3), ("[-2.]", 4), ("[-NaN]", 2), ("[0.3e+]", 6), ("[0.3e]", 5), ("[0.e1]", 3),
        ("[0E+]", 4),
        ("[0E]", 3), ("[1.0e-]", 6), ("[1eE2]", 3), ("[2.e+3]", 3), ("[9.e+]", 3), ("[0e+-1]", 4), ("[-Infinity]", 2),
        ("[- 1]", 2), ("[-.123]", 2), ("[1ea]", 3), ("[1.]", 3), ("[012]", 2), ("00", 1), ("-00", 2), ("[--1]", 2),
    ])
    func `a number that breaks off is refused at the next character`(text: String, offset: Int) {
        expectFault(.invalidNumber, at: offset, in: text)
    }

    @Test(arguments: [
        (#"["\x00"]"#, 3), (#"["\a"]"#, 3), (#"["\'"]"#, 3), (#"["\0"]"#, 3), (#""\UA66D""#, 2), ("[\"\\\0\"]", 3),
        ("[\"\\\t\"]", 3),
        ("[\"\\\n\"]", 3), ("[\"\\🌀\"]", 3), (#"["\u00A"]"#, 7), (#"["\uqqqq"]"#, 4), (#"["\u 123"]"#, 4),
        (#"["\u+123"]"#, 4),
        (#"["\u{41}"]"#, 4), (#"["\u00g0"]"#, 6), (#"["\uD800\u"]"#, 10), (#"["\uD800\u1x"]"#, 11),
        (#"["\uD834\uDd"]"#, 12),
        // Half a pair is refused where it begins.
        (#"["\uD800"]"#, 2), (#"["\uDBFFx"]"#, 2), (#"["\uD800\n"]"#, 2), (#"["\uD800\"]"#, 2),
        (#"["\uD800\uD800"]"#, 2),
        (#"["\uD800\u0041"]"#, 2), (#"["\uDC00"]"#, 2), (#"["\uDFFF\uD800"]"#, 2), (#"["x\uDADA"]"#, 3),
        (#"["\ud83d\ude39\ud83d"]"#, 14),
    ])
    func `an escape that stands for nothing is refused`(text: String, offset: Int) {
        expectFault(.invalidEscape, at: offset, in: text)
    }

    @Test(arguments: 0..<0x20)
    func `a control character is refused in strings and names`(code: Int) {
        let control = String(decoding: [UInt8(code)], as: UTF8.self)
        expectFault(.controlCharacter, at: 1, in: "\"\(control)\"")
        expectFault(.controlCharacter, at: 10, in: "\"123456789\(control)\"")
        expectFault(.controlCharacter, at: 3, in: "{\"a\(control)\":1}")
    }

    @Test(arguments: [
        ("[\"\"],", 4), ("[\"x\"]]", 5), ("123\0", 3), ("\"\"x", 2), ("[1]x", 3), ("1]", 1), ("[][]", 2), ("2@", 1),
        ("{}}", 2),
        (#"{"a":true} "x""#, 11), (#"{"a":"b"}#"#, 9), (#"{"a":"b"}/**/"#, 9), (#"{"a":"b"}//"#, 9), ("nulll", 4),
        ("1 2", 2),
        ("1\u{FEFF}", 1), ("{}\u{A0}", 2), ("1,", 1), ("0x", 1), ("{} \n;", 4),
    ])
    func `nothing but white space may follow the value`(text: String, offset: Int) {
        expectFault(.textAfterEnd, at: offset, in: text)
    }

    @Test(arguments: [
        "", "-", "01", "+1", "1.", ".5", "1e", "1e+", "1 ", " 1", "0x1", "1,0", "NaN", "Infinity", "-Infinity", "１",
        "1.0.0", "--1",
        "1\n", "1\0", "٣",
    ])
    func `a number is not made from other text`(text: String) {
        #expect(JSONNumber(text) == nil)
    }
}

/// Expects that a text is refused for `reason` at `offset`.
func expectFault(
    _ reason: JSONFault.Reason, at offset: Int, in text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    expectFault(reason, at: offset, in: Array(text.utf8), sourceLocation: sourceLocation)
}

/// Expects that bytes are refused for `reason` at `offset`.
func expectFault(
    _ reason: JSONFault.Reason, at offset: Int, in bytes: [UInt8], limits: JSONLimits = .default,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let fault = #expect(throws: JSONFault.self, sourceLocation: sourceLocation) {
        try JSONDocument(bytes, limits: limits)
    }
    #expect(fault?.reason == reason, sourceLocation: sourceLocation)
    #expect(fault?.offset == offset, sourceLocation: sourceLocation)
}
