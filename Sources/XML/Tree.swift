/// A document's elements in the order of their start tags, with their attributes and text.
final class Tree: Sendable {
    /// One element. It is followed by its descendants.
    struct Element: Sendable {
        let name: ExpandedName
        let parent: Int?
        /// The index after the element and all its descendants; 0 while the element is open.
        var next = 0
        /// The range of its attributes among all attributes.
        let attributes: Range<Int>
        /// The range of its text; empty if it contains elements.
        var text: Range<Int>
        /// The number of its child elements.
        var childCount = 0
    }

    /// One attribute.
    struct Attribute: Sendable {
        let name: ExpandedName
        let value: Range<Int>
    }

    /// A local name and its namespace (Namespaces in XML 1.0 §2.1).
    struct ExpandedName: Equatable, Sendable {
        let local: String
        let namespace: String?
    }

    let elements: [Element]
    let attributes: [Attribute]
    let text: WipedText

    init(elements: [Element], attributes: [Attribute], text: consuming WipedText) {
        self.elements = elements
        self.attributes = attributes
        self.text = text
    }
}
