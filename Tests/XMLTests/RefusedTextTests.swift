import Testing
import XML

struct RefusedTextTests {
    @Test(arguments: [
        ("", 0), (" \n", 2), ("<!-- only -->", 13), ("<a>", 3), ("<a", 2), ("<", 1), ("<a ", 3), ("<a b", 4),
        ("<a b=", 5),
        ("<a b='", 6), ("<a/", 3), ("<a><b></b>", 10), ("<a></a", 6), ("<a><!-- ", 8), ("<a><!", 5), ("<a><![CDA", 9),
        ("<a><![CDATA[]]", 14), ("<!DOC", 5), ("<a>text", 7), ("<?xml version='1.0'", 19), ("<?xml version=", 14),
        ("<?xml version='1.0' encoding='UTF", 33), ("<?xml version='1.0'?>", 21),
    ])
    func `a text that ends too early is refused at its end`(text: String, end: Int) {
        expectFault(.unexpectedEnd, at: end, in: text)
    }

    @Test(arguments: [
        ("<a/>x", 4), ("<a/> x", 5), ("<a/><b/>", 4), ("<a></a><a></a>", 7), ("<a/></a>", 4), ("<a/>&amp;", 4),
        ("<a/>\u{FEFF}", 4), ("<a/>]]>", 4), ("<a/>>", 4),
    ])
    func `nothing but comments and white space follows the root`(text: String, offset: Int) {
        expectFault(.textAfterEnd, at: offset, in: text)
    }

    @Test(arguments: [
        "x", "x<a/>", "</a>", "<![CDATA[x]]><a/>", "<a/><![CDATA[x]]>", "<>", "< a/>", "<a b/>", "<a b=1/>", "<a =''/>",
        "<a b='<'/>", "<a b='1'c='2'/>", "<a/ >", "<a//>", "<a><b/</a>", "<1/>", "<-a/>", "<a b='&'/>", "<a>&</a>",
        "<a>&;</a>",
        "<a>&#;</a>", "<a>&#x;</a>", "<a>& amp;</a>", "<a>&amp</a>", "<a>]]></a>", "<a><!-- -- --></a>", "<a><!----->",
        "<a><!x></a>", "<a><!></a>", "<a><!ELEMENT a ANY></a>", "<a></ a>", "<a></a b='c'>", "<a>< b/></a>", "<a:b:c/>",
        "<:a/>", "<a:/>", "<a xmlns:b=''/>", "<a xmlns:xmlns='urn:x'/>", "<a xmlns:xml='urn:x'/>", "<a \"b\"/>",
        "<a b''/>",
        "<a b=''''/>", "<a\u{A0}b='c'/>", "<a \u{D7}='c'/>", "<a b='&lt'/>", "\u{FEFF}\u{FEFF}<a/>",
        "<a><b></a>]]></b>",
        "<a&amp;/>", "<a b&amp;='c'/>", "<![CDATA[<a/>]]>", "<!-- a",
    ])
    func `what is not well-formed is refused`(text: String) {
        let fault = #expect(throws: XMLFault.self) { try XMLDocument(text) }
        let reasons: [XMLFault.Reason] = [
            .malformed, .mismatchedTag, .textAfterEnd, .unexpectedEnd, .undeclaredEntity, .invalidCharacter,
        ]
        #expect(fault.map { reasons.contains($0.reason) } == true)
    }

    @Test(arguments: [
        ("<a></b>", XMLFault.Reason.mismatchedTag), ("<a><b></a></b>", .mismatchedTag), ("<a></A>", .mismatchedTag),
        ("<p:a xmlns:p='urn:x' xmlns:q='urn:x'></q:a>", .mismatchedTag),
        ("<a b='1' b='2'/>", .repeatedAttribute),
        ("<a xmlns='urn:x' xmlns='urn:y'/>", .repeatedAttribute),
        ("<a xmlns:p='urn:x' xmlns:q='urn:x' p:b='1' q:b='2'/>", .repeatedAttribute),
        ("<a>&nbsp;</a>", .undeclaredEntity), ("<a b='&nbsp;'/>", .undeclaredEntity),
        ("<a>&lt;&LT;</a>", .undeclaredEntity),
        ("<p:a/>", .undeclaredPrefix), ("<a p:b='1'/>", .undeclaredPrefix),
        ("<a><b xmlns:p='urn:x'/><p:c/></a>", .undeclaredPrefix),
        ("<a>x<b/></a>", .mixedContent), ("<a><b/>x</a>", .mixedContent), ("<a><b/><![CDATA[x]]></a>", .mixedContent),
        ("<a><b/>&#65;<c/></a>", .mixedContent), ("<a>x<!-- --><b/></a>", .mixedContent),
        ("<?p?><a/>", .processingInstruction), ("<a><?p x?></a>", .processingInstruction),
        ("<a/><?p?>", .processingInstruction), ("<?XML version='1.0'?><a/>", .processingInstruction),
        (" <?xml version='1.0'?><a/>", .processingInstruction),
        ("<?xml-stylesheet href='x'?><a/>", .processingInstruction),
        ("<?xml version='1.0'?><?xml version='1.0'?><a/>", .processingInstruction),
        ("<?xml version='1.1'?><a/>", .unsupportedDeclaration), ("<?xml version='2.0'?><a/>", .unsupportedDeclaration),
        ("<?xml version='1.00'?><a/>", .unsupportedDeclaration),
        ("<?xml encoding='UTF-8'?><a/>", .unsupportedDeclaration),
        ("<?xml version='1.0' standalone='maybe'?><a/>", .unsupportedDeclaration),
        ("<?xml version='1.0' standalone='yes' encoding='UTF-8'?><a/>", .unsupportedDeclaration),
        ("<?xml version='1.0' other='x'?><a/>", .unsupportedDeclaration),
        ("<?xml version='1.0'encoding='UTF-8'?><a/>", .unsupportedDeclaration),
        ("<?xml version='1.0'><a/>", .unsupportedDeclaration),
        ("<a>&#0;</a>", .invalidCharacter), ("<a>&#x1F;</a>", .invalidCharacter),
        ("<a b='&#xFFFE;'/>", .invalidCharacter),
        ("<a>&#xD800;</a>", .invalidCharacter), ("<a>&#x110000;</a>", .invalidCharacter),
        ("<a>&#99999999999999999999;</a>", .invalidCharacter),
    ])
    func `each fault has its reason`(text: String, reason: XMLFault.Reason) {
        expectFault(reason, in: text)
    }

    @Test(arguments: Array(0..<0x20).filter { ![9, 10, 13].contains($0) } as [UInt8])
    func `a control character is refused where it stands`(control: UInt8) {
        for (before, behind) in [
            ("<a>", "</a>"), ("<a b='", "'/>"), ("<a><!--", "--></a>"), ("<a><![CDATA[", "]]></a>"), ("<a", "/>"),
            ("<a/>", ""), (" ", "<a/>"),
        ] {
            expectFault(
                .invalidCharacter, at: before.utf8.count, in: Array(before.utf8) + [control] + Array(behind.utf8))
        }
    }

    @Test(arguments: ["\u{FFFE}", "\u{FFFF}"])
    func `a forbidden character is refused`(character: String) {
        expectFault(.invalidCharacter, at: 3, in: "<a>\(character)</a>")
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused where they stand`(bytes: [UInt8]) {
        for (before, behind) in [
            ("<a>", "</a>"), ("<a b='", "'/>"), ("<a><!--", "--></a>"), ("<a", "/>"), ("<a/>", ""),
        ] {
            expectFault(.invalidUTF8, at: before.utf8.count, in: Array(before.utf8) + bytes + Array(behind.utf8))
        }
    }

    @Test func `a fault tells its line and column, and nothing of the document`() {
        let fault = expectFault(.processingInstruction, at: 15, in: "<a>\r\n<b>é</b>\r<?secret?></a>")
        #expect(fault?.line == 3 && fault?.column == 1)
        #expect(fault?.description == "line 3, character 1: a processing instruction is not accepted")
        let place = expectFault(.mismatchedTag, in: "<a>\n  <secret></b>\n</a>")
        #expect(place?.line == 2)
    }
}
