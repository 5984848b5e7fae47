internal import XML

/// One document from a stranger: it is refused, or all that is read of it can be walked and keeps to the limits.
enum XMLFuzz {
    private static let limits = XMLLimits(
        depthMax: 6, elementsMax: 24, attributesMax: 4, attributeBytesMax: 64, textBytesMax: 256, nameBytesMax: 16,
        namespacesMax: 4)

    /// - Returns: whether it was read.
    static func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let document = try? XMLDocument(bytes, limits: limits) else {
            // The limits of the requests let in more: other documents, and never fewer.
            if let document = try? XMLDocument(bytes) { _ = outline(of: document.root) }
            return false
        }
        let outline = outline(of: document.root)
        precondition(outline.count <= limits.elementsMax, "elements are bounded")
        precondition((try? XMLDocument(bytes)) != nil, "wider limits let in no less")

        let text = Array(bytes)
        guard let again = try? XMLDocument(text + Array("<!-- -->\n".utf8)) else {
            preconditionFailure("a comment may follow")
        }
        precondition(Self.outline(of: again.root) == outline, "a comment changes nothing")
        precondition((try? XMLDocument(text + [0x78])) == nil, "nothing else may follow")
        precondition((try? XMLDocument(text + text)) == nil, "there is one root")
        precondition((try? XMLDocument(Array("<!DOCTYPE a>".utf8) + text)) == nil, "there is no document type")
        return true
    }

    private struct Outline: Equatable {
        let path: String
        let namespace: String?
        let text: String
        let attributes: [XMLAttribute]
    }

    private static func outline(of element: XMLElement, depth: Int = 1) -> [Outline] {
        precondition(depth <= XMLLimits.default.depthMax, "depth is bounded")
        precondition(element.name.utf8.count <= XMLLimits.default.nameBytesMax, "names are bounded")
        precondition(element.text.utf8.count <= XMLLimits.default.textBytesMax, "texts are bounded")
        precondition(element.children.count == 0 || element.text.isEmpty, "an element holds text or elements")
        precondition(element.attributes.count <= XMLLimits.default.attributesMax, "attributes are bounded")
        precondition(Array(element.children).count == element.children.count, "children are counted")
        let written = try? XMLWriter.fragment("a") { root throws(XMLUnwritable) in
            try root.element("b", attributes: ["c": element.attributes.first?.value ?? ""], text: element.text)
        }
        let read = written.flatMap { try? XMLDocument($0, limits: XMLLimits(attributeBytesMax: 1 << 16)) }?.root["b"]
        precondition(read?.text == element.text, "what is read can be written")
        precondition(read?.attribute("c") == element.attributes.first?.value ?? "", "what is read can be written")
        let own = Outline(
            path: element.path, namespace: element.namespace, text: element.text, attributes: element.attributes)
        return [own] + element.children.flatMap { outline(of: $0, depth: depth + 1) }
    }

    /// Documents to begin with; the first is well-formed.
    static let seeds: [[UInt8]] =
        [
            "<a/>",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b='1'>\n <c>x&lt;y</c><!-- z --><c d=\"&#x20AC;\"/>\n</a>",
            "\u{FEFF}<?xml version='1.0' encoding='us-ascii' standalone='yes'?><a>&#65;<![CDATA[<&]]>&amp;</a>",
            "<p:a xmlns:p='urn:1' xmlns='urn:2'><b p:c='&quot;'/><p:b xmlns:p='urn:3'>é</p:b></p:a>",
            "<a xmlns='urn:1'><b xmlns=''><c>\t\r\n</c></b></a>",
            "<!-- x --><a xml:lang='en'>]]&gt;</a><!-- y -->",
            "<!DOCTYPE a [<!ENTITY e \"x\"><!ENTITY f \"&e;&e;\">]><a>&f;</a>",
            "<!DOCTYPE a SYSTEM \"file:///dev/null\"><a/>",
            "<a><?p x?></a>",
            "<a b='1' b='2'/>",
            "<a><b></a></b>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
        ].map { Array($0.utf8) } + [[0xFE, 0xFF, 0x00, 0x3C, 0x00, 0x61, 0x00, 0x2F, 0x00, 0x3E]]
}
