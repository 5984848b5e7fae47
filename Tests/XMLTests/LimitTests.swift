import Testing
import XML

struct LimitTests {
    @Test func `the length may reach the limit and not pass it`() throws {
        let limits = XMLLimits(bytesMax: 8)
        #expect(try XMLDocument("<a>1</a>", limits: limits).root.text == "1")
        expectFault(.tooLarge, at: 8, in: "<a>12</a>", limits: limits)
        expectFault(.tooLarge, at: 8, in: "<a>1</a> ", limits: limits)
        expectFault(.tooLarge, at: 1 << 18, in: "<a>" + String(repeating: " ", count: 1 << 18) + "</a>")
    }

    @Test func `the depth may reach the limit and not pass it`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        let limits = XMLLimits(depthMax: 5)
        #expect(try XMLDocument(nested(5), limits: limits).root.children.count == 1)
        expectFault(.tooDeep, at: 15, in: nested(6), limits: limits)
        expectFault(.tooDeep, at: 12, in: "<a><a><a><a><a/></a></a></a></a>", limits: XMLLimits(depthMax: 4))
        #expect(try XMLDocument(nested(16)).root.name == "a")
        expectFault(.tooDeep, at: 48, in: nested(17))
        let deepest = XMLLimits(depthMax: XMLLimits.depthCeiling)
        var element = try XMLDocument(nested(XMLLimits.depthCeiling), limits: deepest).root
        while let child = element["a"] { element = child }
        #expect(element.path.utf8.count == 2 * XMLLimits.depthCeiling)
    }

    @Test func `elements side by side are not deep, and empty ones are no deeper than others`() throws {
        let text = "<a>" + String(repeating: "<b/><c></c>", count: 100) + "</a>"
        #expect(try XMLDocument(text, limits: XMLLimits(depthMax: 2)).root.children.count == 200)
    }

    @Test func `the number of elements may reach the limit and not pass it`() throws {
        let limits = XMLLimits(elementsMax: 3)
        #expect(try XMLDocument("<a><b/><b/></a>", limits: limits).root.children.count == 2)
        expectFault(.tooManyElements, at: 11, in: "<a><b/><b/><b/></a>", limits: limits)
    }

    @Test func `the number of attributes may reach the limit and not pass it`() throws {
        let limits = XMLLimits(attributesMax: 2)
        #expect(try XMLDocument("<a b='' c=''><d b='' c=''/></a>", limits: limits).root.attributes.count == 2)
        expectFault(.tooManyAttributes, at: 13, in: "<a b='' c='' d=''/>", limits: limits)
        expectFault(.tooManyAttributes, at: 22, in: "<a b='' xmlns='urn:a' c=''/>", limits: limits)
    }

    @Test func `the number of namespace declarations may reach the limit and not pass it`() throws {
        let limits = XMLLimits(namespacesMax: 1)
        #expect(try XMLDocument("<a xmlns='urn:a'><b/></a>", limits: limits).root["b"]?.namespace == "urn:a")
        expectFault(.tooManyNamespaces, at: 20, in: "<a xmlns='urn:a'><b xmlns='urn:a'/></a>", limits: limits)
        expectFault(.tooManyNamespaces, at: 3, in: "<a xmlns:p='urn:a'/>", limits: XMLLimits(namespacesMax: 0))
    }

    @Test func `a name may reach the limit and not pass it`() throws {
        let limits = XMLLimits(nameBytesMax: 3)
        #expect(try XMLDocument("<abc def=''/>", limits: limits).root.name == "abc")
        expectFault(.nameTooLong, at: 4, in: "<abcd/>", limits: limits)
        expectFault(.nameTooLong, at: 6, in: "<a bcde=''/>", limits: limits)
        expectFault(.nameTooLong, at: 4, in: "<a:bc/>", limits: limits)
    }

    @Test func `an attribute may reach the limit and not pass it`() throws {
        let limits = XMLLimits(attributeBytesMax: 5)
        #expect(try XMLDocument("<a b='12345' c='&amp;'/>", limits: limits).root.attribute("c") == "&")
        expectFault(.attributeTooLong, in: "<a b='123456'/>", limits: limits)
        expectFault(.attributeTooLong, in: "<a b='12345&amp;'/>", limits: limits)
        expectFault(.attributeTooLong, in: "<a b='123456", limits: limits)
    }

    @Test func `the text of one element may reach the limit and not pass it`() throws {
        let limits = XMLLimits(textBytesMax: 5)
        #expect(try XMLDocument("<a><b>12345</b><b>12&amp;45</b></a>", limits: limits).root.children.count == 2)
        expectFault(.textTooLong, in: "<a>123456</a>", limits: limits)
        expectFault(.textTooLong, in: "<a>123<!-- -->456</a>", limits: limits)
        expectFault(.textTooLong, in: "<a>123<![CDATA[456]]></a>", limits: limits)
        expectFault(.textTooLong, in: "<a>123&#52;56</a>", limits: limits)
        // White space around elements is a text until the first of them begins.
        expectFault(.textTooLong, in: "<a>      <b/></a>", limits: limits)
    }
}
