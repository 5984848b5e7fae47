/// An element of a document. It retains the document's content and copies nothing.
public struct XMLElement: Sendable {
    let tree: Tree
    let index: Int

    var entry: Tree.Element { tree.elements[index] }

    /// The local name, without a prefix.
    public var name: String { entry.name.local }

    /// The namespace's name; nil if the element has no namespace.
    public var namespace: String? { entry.name.namespace }

    /// The text, with references replaced and white space preserved; empty if the element contains elements. The copy
    /// is never wiped: for card data use ``withTextBytes(_:)``.
    public var text: String { withTextBytes { String(decoding: $0, as: UTF8.self) } }

    /// Calls the body with the text's UTF-8, without creating a `String`. The bytes are valid only during the call.
    public func withTextBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // A pointer does not keep the memory alive.
        try withExtendedLifetime(tree) { tree throws(E) in
            try tree.text.withBytes(tree.elements[index].text, body)
        }
    }

    /// The child elements, in document order.
    public var children: XMLChildren { XMLChildren(parent: self) }

    /// The first child element with this local name and this element's own namespace.
    public subscript(name: String) -> XMLElement? {
        let namespace = namespace
        return children.first { $0.name == name && $0.namespace == namespace }
    }

    /// The attributes in document order, without namespace declarations.
    public var attributes: [XMLAttribute] {
        entry.attributes.map { index in
            let attribute = tree.attributes[index]
            return XMLAttribute(
                name: attribute.name.local, namespace: attribute.name.namespace,
                value: tree.text.withBytes(attribute.value) { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// The value of the attribute with this name and no namespace.
    public func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace == nil }?.value
    }

    /// The path from the root, such as `/CreditCardAuthRequest/BillingAddress/Line1`. It consists of local names. An
    /// element that follows siblings of the same name has a number from 2 on, such as `/a/b[2]`.
    public var path: String {
        let entry = entry
        guard let parent = entry.parent else { return "/\(entry.name.local)" }
        let siblings = XMLElement(tree: tree, index: parent).children
        let ordinal = siblings.prefix { $0.index < index }.count { $0.entry.name == entry.name } + 1
        let place = ordinal == 1 ? "" : "[\(ordinal)]"
        return "\(XMLElement(tree: tree, index: parent).path)/\(entry.name.local)\(place)"
    }
}

/// An attribute of an element.
public struct XMLAttribute: Equatable, Sendable {
    /// The local name, without a prefix.
    public let name: String
    /// The namespace's name; nil for an attribute without a prefix.
    public let namespace: String?
    /// The value, with references replaced and white space normalized (XML 1.0 §3.3.3).
    public let value: String
}

/// The child elements of an element, in document order.
public struct XMLChildren: Sequence, Sendable {
    let parent: XMLElement

    /// The number of child elements.
    public var count: Int { parent.entry.childCount }

    /// The number of child elements.
    public var underestimatedCount: Int { count }

    /// Creates an iterator that starts at the first child element.
    public func makeIterator() -> Iterator {
        Iterator(tree: parent.tree, index: parent.index + 1, end: parent.entry.next)
    }

    /// Iterates over the child elements of an element.
    public struct Iterator: IteratorProtocol, Sendable {
        let tree: Tree
        var index: Int
        let end: Int

        /// The next child element.
        public mutating func next() -> XMLElement? {
            guard index < end else { return nil }
            defer { index = tree.elements[index].next }
            return XMLElement(tree: tree, index: index)
        }
    }
}

extension XMLElement: CustomStringConvertible, CustomReflectable {
    /// The path. The content is omitted, because it may be card data.
    public var description: String { path }

    /// Shows only the path to `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}

extension XMLAttribute: CustomStringConvertible, CustomReflectable {
    /// The name without the value.
    public var description: String { name }

    /// Shows only the name to `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
