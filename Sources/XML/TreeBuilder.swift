internal import CLibXML2

/// Builds a tree from libxml2's events. It ignores all events after its first fault.
struct TreeBuilder: ~Copyable {
    private var elements: [Tree.Element] = []
    private var attributes: [Tree.Attribute] = []
    private var text: WipedText
    private let textBytesMax: Int
    /// The index of the innermost open element.
    private var open: Int?
    /// All names and namespaces, so that equal ones are stored once.
    private var names: Set<String> = []

    /// libxml2's parser context, for the position of a fault.
    var context: xmlParserCtxtPtr?
    /// The first fault and its position.
    private(set) var fault: (reason: XMLFault.Reason, offset: Int)?

    /// Creates a builder for at most `capacity` bytes of text. That is enough, because references and white space only
    /// shrink when they are parsed.
    init(capacity: Int, textBytesMax: Int) {
        text = WipedText(capacity: capacity)
        self.textBytesMax = textBytesMax
    }

    /// The builder to which an event is addressed.
    static func at(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<TreeBuilder>? {
        pointer?.assumingMemoryBound(to: TreeBuilder.self)
    }

    /// The tree; nil unless its root has ended.
    consuming func tree() -> Tree? {
        guard fault == nil, open == nil, !elements.isEmpty else { return nil }
        return Tree(elements: elements, attributes: attributes, text: text)
    }

    mutating func refuse(_ reason: XMLFault.Reason) {
        guard fault == nil else { return }
        fault = (reason, max(0, context.map { Int(xmlByteConsumed($0)) } ?? 0))
    }

    /// Begins an element.
    ///
    /// - Parameter attributes: for each attribute, its local name, prefix, namespace, and the start and end of its
    ///   value.
    mutating func begin(
        _ name: UnsafePointer<xmlChar>, namespace: UnsafePointer<xmlChar>?,
        attributes: UnsafeMutableBufferPointer<UnsafePointer<xmlChar>?>
    ) {
        guard fault == nil else { return }
        if let open {
            guard isSpace(of: open) else { return refuse(.mixedContent) }
            // White space in an element with child elements is dropped; it is all that was appended since the element
            // began.
            if elements[open].childCount == 0 { text.drop(after: elements[open].text.lowerBound) }
            elements[open].text = text.count..<text.count
            elements[open].childCount += 1
        }
        let firstAttribute = self.attributes.count
        for start in stride(from: 0, to: attributes.count, by: 5) {
            guard let name = attributes[start], let value = attributes[start + 3], let end = attributes[start + 4],
                let range = append(attribute: UnsafeRawBufferPointer(start: value, count: end - value))
            else { return refuse(.malformed) }
            self.attributes.append(
                Tree.Attribute(name: expandedName(name, namespace: attributes[start + 2]), value: range))
        }
        elements.append(
            Tree.Element(
                name: expandedName(name, namespace: namespace), parent: open,
                attributes: firstAttribute..<self.attributes.count, text: text.count..<text.count))
        open = elements.count - 1
    }

    /// Ends the innermost element.
    mutating func end() {
        guard fault == nil, let ending = open else { return }
        elements[ending].next = elements.count
        open = elements[ending].parent
    }

    /// Adds to the innermost element's text.
    mutating func append(_ bytes: UnsafePointer<xmlChar>?, _ count: Int) {
        guard fault == nil, let open else { return }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        guard elements[open].childCount == 0 else {
            if !bytes.allSatisfy(\.isXMLSpace) { refuse(.mixedContent) }
            return
        }
        guard elements[open].text.count + count <= textBytesMax, let range = append(bytes) else {
            return refuse(.textTooLong)
        }
        elements[open].text = elements[open].text.lowerBound..<range.upperBound
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        let start = text.count
        return text.append(bytes) ? start..<text.count : nil
    }

    /// Appends an attribute's value. Because libxml2 doesn't replace entities here, it leaves every ampersand in the
    /// value as the reference `&#38;`.
    private mutating func append(attribute value: UnsafeRawBufferPointer) -> Range<Int>? {
        let start = text.count
        var rest = value[...]
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            guard rest[ampersand...].starts(with: "&#38;".utf8),
                append(UnsafeRawBufferPointer(rebasing: rest[...ampersand])) != nil
            else { return nil }
            rest = rest[(ampersand + 5)...]
        }
        return append(UnsafeRawBufferPointer(rebasing: rest)).map { start..<$0.upperBound }
    }

    private func isSpace(of element: Int) -> Bool {
        text.withBytes(elements[element].text) { $0.allSatisfy(\.isXMLSpace) }
    }

    private mutating func expandedName(
        _ name: UnsafePointer<xmlChar>, namespace: UnsafePointer<xmlChar>?
    ) -> Tree.ExpandedName {
        Tree.ExpandedName(local: shared(name), namespace: namespace.map { shared($0) })
    }

    private mutating func shared(_ name: UnsafePointer<xmlChar>) -> String {
        names.insert(String(cString: name)).memberAfterInsert
    }
}
