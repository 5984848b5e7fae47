import Testing
import XML

struct EncodingTests {
    @Test(arguments: ["UTF-8", "utf-8", "Utf-8", "US-ASCII", "us-ascii"])
    func `a document may say that it is UTF-8 or US-ASCII, in any case`(name: String) throws {
        #expect(try XMLDocument("<?xml version='1.0' encoding='\(name)'?><a>x</a>").root.text == "x")
        #expect(
            try XMLDocument("<?xml version=\"1.0\"\n encoding = \"\(name)\" standalone='no' ?>\n<a>x</a>").root.text
                == "x")
    }

    @Test func `a byte order mark may come first`() throws {
        #expect(try XMLDocument("\u{FEFF}<a>é</a>").root.text == "é")
        #expect(try XMLDocument("\u{FEFF}<?xml version='1.0' encoding='UTF-8'?><a>é</a>").root.text == "é")
        let fault = expectFault(.mismatchedTag, in: "\u{FEFF}\n<a></b>")
        #expect(fault?.line == 2)
    }

    @Test(arguments: ["é", "€", "😀", "\u{10FFFF}", "\u{FFFD}", "\u{85}", "\u{7F}", "\u{2028}", "\u{1FFFE}"])
    func `every character but controls is text`(character: String) throws {
        let root = try XMLDocument("<a b='\(character)'>\(character)</a>").root
        #expect(root.text.unicodeScalars.elementsEqual(character.unicodeScalars))
        #expect(root.attribute("b")?.unicodeScalars.elementsEqual(character.unicodeScalars) == true)
    }

    @Test(arguments: [
        "UTF-7", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UCS-2", "UCS-4", "ISO-8859-1", "ISO-8859-15", "latin1",
        "windows-1252", "EBCDIC-CP-US", "IBM037", "CP1047", "Shift_JIS", "EUC-JP", "ISO-2022-JP", "GB18030", "Big5",
        "HZ",
        "UTF8", "UTF-8 ", " UTF-8", "UTF‑8", "ASCII", "", "x-user-defined", "HTML", "UTF-1", "SCSU", "BOCU-1",
        "UTF-EBCDIC",
        "unknown", "UTF-8//IGNORE", "../../etc/passwd",
    ])
    func `any other declared encoding is refused`(name: String) {
        expectFault(.unsupportedEncoding, at: 0, in: "<?xml version='1.0' encoding='\(name)'?><a>x</a>")
    }

    @Test func `a document that says US-ASCII keeps to it`() {
        expectFault(.unsupportedEncoding, at: 0, in: "<?xml version='1.0' encoding='US-ASCII'?><a>é</a>")
    }

    /// `<?xml version="1.0"?><a/>` in encodings that are not a superset of ASCII.
    @Test(
        arguments: [
            ("UTF-16BE with a mark", [0xFE, 0xFF] + wide("<a/>", [0], [])),
            ("UTF-16LE with a mark", [0xFF, 0xFE] + wide("<a/>", [], [0])),
            ("UTF-16BE", wide("<?xml version='1.0' encoding='UTF-16'?><a/>", [0], [])),
            ("UTF-16LE", wide("<?xml version='1.0' encoding='UTF-16'?><a/>", [], [0])),
            ("UTF-16LE without a declaration", wide("<a/>", [], [0])),
            ("UTF-32BE", wide("<a/>", [0, 0, 0], [])), ("UTF-32LE", wide("<a/>", [], [0, 0, 0])),
            ("UTF-32BE with a mark", [0, 0, 0xFE, 0xFF] + wide("<a/>", [0, 0, 0], [])),
            ("UTF-32LE with a mark", [0xFF, 0xFE, 0, 0] + wide("<a/>", [], [0, 0, 0])),
            // `<?xml version` in IBM's code page 37.
            ("EBCDIC", [0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99, 0xA2, 0x89, 0x96, 0x95]),
        ] as [(String, [UInt8])])
    func `a text in another encoding is refused at its first byte`(name: String, text: [UInt8]) {
        expectFault(.unsupportedEncoding, at: 0, in: text)
    }

    @Test func `text in UTF-7 is text, and not markup`() throws {
        expectFault(.malformed, at: 0, in: "+ADw-a/+AD4-")
        #expect(try XMLDocument("<a>+ADw-b/+AD4-</a>").root.text == "+ADw-b/+AD4-")
        expectFault(.unsupportedEncoding, at: 0, in: "<?xml version='1.0' encoding='UTF-7'?><a>+ADw-b/+AD4-</a>")
    }

    @Test(arguments: ["<a>x</a>", "<a b='é'>€ 😀</a>"])
    func `a mark inside the text is a character`(text: String) throws {
        #expect(try XMLDocument("<a>\u{FEFF}</a>").root.text.unicodeScalars.first == "\u{FEFF}")
        expectFault(.malformed, at: 3, in: "\u{FEFF}\u{FEFF}\(text)")
    }

    private static func wide(_ text: String, _ before: [UInt8], _ behind: [UInt8]) -> [UInt8] {
        text.utf8.flatMap { before + [$0] + behind }
    }
}
