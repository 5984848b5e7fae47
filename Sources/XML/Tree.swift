/// A document's elements in the order of their start tags, with their attributes and texts.
final class Tree: Sendable {
    /// One element: each is followed by its descendants.
    struct Element: Sendable {
        let name: ExpandedName
        let parent: Int?
        /// The index behind the element and all its descendants; 0 while it is open.
        var next = 0
        /// Where its attributes stand among all.
        let attributes: Range<Int>
        /// Where its text stands; empty if it holds elements.
        var text: Range<Int>
        /// How many elements it holds.
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
