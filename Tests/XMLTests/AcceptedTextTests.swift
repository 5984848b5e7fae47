import Testing
import XML

struct AcceptedTextTests {
    @Test func `an element knows its name, namespace, text, attributes and children`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- before -->
            <a xmlns="urn:one" xmlns:p="urn:two" plain="1" p:other="2&amp;3">
              <b>x&lt;y &#x20AC;</b>
              <p:c/>
              <b><![CDATA[<&]]> and<!-- between --> more</b>
            </a>
            <!-- behind -->
            """
        let root = try XMLDocument(text).root
        #expect(root.name == "a" && root.namespace == "urn:one" && root.text == "")
        #expect(root.attributes.map(\.name) == ["plain", "other"])
        #expect(root.attributes.map(\.namespace) == [nil, "urn:two"])
        #expect(root.attributes.map(\.value) == ["1", "2&3"])
        #expect(root.attribute("plain") == "1" && root.attribute("other") == nil)
        #expect(root.children.map(\.name) == ["b", "c", "b"] && root.children.count == 3)
        #expect(root.children.map(\.namespace) == ["urn:one", "urn:two", "urn:one"])
        #expect(root.children.map(\.text) == ["x<y €", "", "<& and more"])
        #expect(root.children.map(\.path) == ["/a/b", "/a/c", "/a/b[2]"])
        #expect(root["b"]?.text == "x<y €" && root["c"] == nil)
    }
}
