import Testing
import XML

struct WriterTests {
    private static let namespace = "urn:example"

    private static func written(_ text: String) throws -> String {
        let bytes = try XMLWriter.document("a", namespace: namespace) { root throws(XMLUnwritable) in
            try root.element("b", attributes: ["c": text], text: text)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a document is indented, declares its encoding and names its namespace once`() throws {
        let bytes = try XMLWriter.document("Reply", namespace: Self.namespace, attributes: ["id": "1"]) {
            reply throws(XMLUnwritable) in
            try reply.element("Context", attributes: ["x": "2"]) { context throws(XMLUnwritable) in
                try context.element("Order", attributes: ["isToken": "true"], text: "3")
            }
            try reply.element("Empty", text: "")
            try reply.element("Absent", optionalText: nil)
            try reply.element("Present", optionalText: "é")
        }
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <Reply xmlns="urn:example" id="1">
                  <Context x="2">
                    <Order isToken="true">3</Order>
                  </Context>
                  <Empty></Empty>
                  <Present>é</Present>
                </Reply>

                """)
    }

    @Test func `a fragment has no declaration`() throws {
        let bytes = try XMLWriter.fragment("a") { root throws(XMLUnwritable) in try root.element("b", text: "c") }
        #expect(String(decoding: bytes, as: UTF8.self) == "<a>\n  <b>c</b>\n</a>\n")
    }

    @Test(arguments: [
        "", "x", " ", "  two  spaces  ", "&", "<", ">", "\"", "'", "&amp;", "&#38;", "&amp;#38;", "&#38;#38;", "]]>",
        "<!--", "<![CDATA[",
        "<?p?>", "\t", "\n", "\r", "\r\n", "\n\n", "a\tb\nc\rd", "é", "€", "😀", "\u{7F}", "\u{85}", "\u{2028}",
        "\u{FEFF}",
        "\u{10FFFF}", "\u{1FFFE}", "%p;", "&lol;", "e\u{301}",
    ])
    func `a text reads back as it was, in an element and in an attribute`(text: String) throws {
        let element = try XMLDocument(Self.written(text)).root["b"]
        #expect(element?.text.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        #expect(element?.attribute("c")?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        #expect(element?.namespace == Self.namespace)
    }

    @Test(arguments: (0..<0x20).filter { ![9, 10, 13].contains($0) } + [0xFFFE, 0xFFFF])
    func `a character that XML can't carry is refused`(value: Int) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(throws: XMLUnwritable.self) { try Self.written("a\(scalar)b") }
        #expect(throws: XMLUnwritable.self) {
            try XMLWriter.fragment("a") { root throws(XMLUnwritable) in
                try root.element("b", attributes: ["c": String(scalar)], text: "")
            }
        }
    }

    @Test func `every other character of the first plane is written and read`() throws {
        for start in stride(from: 0x20, to: 0x1_0000, by: 0x20) {
            let scalars = (start..<min(start + 0x20, 0xFFFE)).compactMap { Unicode.Scalar($0) }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(try XMLDocument(Self.written(text)).root["b"]?.text.unicodeScalars.elementsEqual(scalars) == true)
        }
    }
}
