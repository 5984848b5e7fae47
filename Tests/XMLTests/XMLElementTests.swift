import Testing
import XML

struct XMLElementTests {
    @Test func `a child is found by its name in its parent's namespace, the first of several`() throws {
        let root = try XMLDocument(
            "<a xmlns='urn:a' xmlns:p='urn:b'><p:b>0</p:b><b>1</b><b>2</b><c><b>3</b></c></a>"
        ).root
        #expect(root["b"]?.text == "1" && root["c"]?["b"]?.text == "3" && root["p:b"] == nil && root["d"] == nil)
        #expect(root.children.map(\.path) == ["/a/b", "/a/b", "/a/b[2]", "/a/c"])
        #expect(root["c"]?["b"]?.path == "/a/c/b" && root.path == "/a")
    }

    @Test func `a prefix may be bound again, and a default namespace undone`() throws {
        let root = try XMLDocument(
            "<p:a xmlns:p='urn:1'><p:b xmlns:p='urn:2'/><b xmlns='urn:3'><c xmlns=''/></b><b/></p:a>"
        ).root
        #expect(root.children.map(\.namespace) == ["urn:2", "urn:3", nil] && root.namespace == "urn:1")
        #expect(root.children.flatMap(\.children).map(\.namespace) == [nil])
    }

    @Test func `white space around elements is left out, and within a text kept`() throws {
        let root = try XMLDocument("<a>\n  <b> x\r\n\ty </b>\n  <c> </c> </a>").root
        #expect(root.text == "" && root.children.map(\.text) == [" x\n\ty ", " "])
    }

    @Test func `an attribute's white space is normalised, and a reference to it is not`() throws {
        #expect(try XMLDocument("<a b=' x\r\n\ty&#10;'/>").root.attribute("b") == " x  y\n")
    }

    @Test func `the attribute that XML itself defines needs no declaration`() throws {
        let attributes = try XMLDocument("<a xml:lang='en'/>").root.attributes
        #expect(attributes.map(\.namespace) == ["http://www.w3.org/XML/1998/namespace"])
    }

    @Test func `an element outlives its document`() throws {
        func child() throws -> XMLElement? { try XMLDocument("<a><b c='d'>text</b></a>").root["b"] }
        let element = try child()
        #expect(element?.text == "text" && element?.attribute("c") == "d" && element?.path == "/a/b")
        #expect(element?.withTextBytes { Array($0) } == Array("text".utf8))
    }

    @Test func `neither an element nor an attribute shows what it holds`() throws {
        let document = try XMLDocument("<a secret='4111'><b>5555</b></a>")
        for value in [document, document.root, document.root["b"] as Any, document.root.attributes] as [Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("4111") && !text.contains("5555"), "\(text)")
        }
        #expect("\(document.root["b"].map(\.description) ?? "")" == "/a/b")
    }
}
