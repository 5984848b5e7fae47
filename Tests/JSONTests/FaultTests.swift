import JSON
import Testing

struct FaultTests {
    @Test(
        arguments: [
            ("a", 1, 1, "a"), ("{\"amount\" : a}", 1, 13, "a"), ("{\n  \"a\": b}", 2, 8, "b"),
            ("[\r\n1,\r\nx]", 3, 1, "x"),
            ("[\r1,\rx]", 3, 1, "x"), ("[\n\r\n\rx]", 4, 1, "x"), ("[\"é€😀\" é", 1, 8, "é"),
            ("[\"日本\",\n\"日\" 本]", 2, 5, "本"),
            ("[1 😀]", 1, 4, "😀"), ("[1,]", 1, 4, "]"), ("{} {", 1, 4, "{"), ("[- 1]", 1, 3, " "),
            ("\"\\x\"", 1, 3, "x"),
        ] as [(String, Int, Int, Unicode.Scalar)])
    func `a fault tells the line, the character's number in it and the character`(
        text: String, line: Int, column: Int, character: Unicode.Scalar
    ) {
        let fault = #expect(throws: JSONFault.self) { try JSONDocument(text) }
        #expect(fault?.line == line)
        #expect(fault?.column == column)
        #expect(fault?.character == character)
        #expect(fault?.path == nil)
    }

    @Test func `a fault has what Mastercard's text of an unexpected character needs`() throws {
        let fault = try #require(#expect(throws: JSONFault.self) { try JSONDocument(#"{"order": {a}}"#) })
        let character = try #require(fault.character)
        #expect(
            "Unexpected character '\(character)' at [character \(fault.column) line \(fault.line)]"
                == "Unexpected character 'a' at [character 12 line 1]")
    }

    @Test(arguments: [
        "[\u{1}]", "[\u{7F}]", "[\u{85}]", "[\u{A0}]", "[\u{200B}]", "[\u{202E}]", "[\u{2028}]", "\u{FEFF}1",
        "[\u{301}]", "[\u{E000}]",
        "[\u{FFFF}]", "[", "\"\u{1}\"", #"{"a":1,"a":2}"#,
    ])
    func `a character that does not show is not told`(text: String) {
        let fault = #expect(throws: JSONFault.self) { try JSONDocument(text) }
        #expect(fault?.character == nil)
    }

    @Test func `a fault at the end stands behind the last character`() {
        let fault = #expect(throws: JSONFault.self) { try JSONDocument("[1,\n2") }
        #expect(fault?.reason == .unexpectedEnd)
        #expect(fault?.line == 2)
        #expect(fault?.column == 2)
        #expect(fault?.offset == 5)
    }

    @Test(arguments: [
        (#"{"number":"5123450000000008"x"#, "unexpectedCharacter 'x' at [character 29 line 1]"),
        (#"{"number":5123450000000008"#, "unexpectedEnd at [character 27 line 1]"),
        (#"{"a":{"n":1,"n":5123450000000008}}"#, "duplicateName a.n at [character 13 line 1]"),
    ])
    func `a fault's description tells the place and no value`(text: String, description: String) {
        let fault = #expect(throws: JSONFault.self) { try JSONDocument(text) }
        #expect(fault?.description == description)
    }
}
