/// An element of a document: a view that keeps the document's texts alive.
public struct XMLElement: Sendable {
    let tree: Tree
    let index: Int

    var entry: Tree.Element { tree.elements[index] }

    /// The local name, without a prefix.
    public var name: String { entry.name.local }

    /// The namespace's name; nil if the element is in none.
    public var namespace: String? { entry.name.namespace }

    /// The text, its references replaced and its white space kept; empty if the element holds elements. The copy is never
    /// wiped: for card data use ``withTextBytes(_:)``.
    public var text: String { withTextBytes { String(decoding: $0, as: UTF8.self) } }

    /// Lends the text's UTF-8 without making a `String`. The bytes are valid only during the call.
    public func withTextBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // A pointer does not keep the texts alive.
        try withExtendedLifetime(tree) { tree throws(E) in
            try tree.text.withBytes(tree.elements[index].text, body)
        }
    }

    /// The elements that it holds, in the order of the text.
    public var children: XMLChildren { XMLChildren(parent: self) }

    /// The first of its ``children`` with this local name in this element's own namespace.
    public subscript(name: String) -> XMLElement? {
        let namespace = namespace
        return children.first { $0.name == name && $0.namespace == namespace }
    }

    /// The attributes, in the order of the text; namespace declarations are none.
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

    /// The path from the root, such as `/CreditCardAuthRequest/BillingAddress/Line1`: local names, and a number from 2 on
    /// where elements of the same name precede it in its parent, such as `/a/b[2]`.
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
    /// The namespace's name; nil of every attribute without a prefix.
    public let namespace: String?
    /// The value, its references replaced and its white space normalised (XML 1.0 §3.3.3).
    public let value: String
}

/// The elements that an element holds, in the order of the text.
public struct XMLChildren: Sequence, Sendable {
    let parent: XMLElement

    /// How many there are.
    public var count: Int { parent.entry.childCount }

    /// How many there are.
    public var underestimatedCount: Int { count }

    /// Starts at the first.
    public func makeIterator() -> Iterator {
        Iterator(tree: parent.tree, index: parent.index + 1, end: parent.entry.next)
    }

    /// Walks the elements that an element holds.
    public struct Iterator: IteratorProtocol, Sendable {
        let tree: Tree
        var index: Int
        let end: Int

        /// The next element.
        public mutating func next() -> XMLElement? {
            guard index < end else { return nil }
            defer { index = tree.elements[index].next }
            return XMLElement(tree: tree, index: index)
        }
    }
}

extension XMLElement: CustomStringConvertible, CustomReflectable {
    /// The path, and nothing that the element holds: it may be card data.
    public var description: String { path }

    /// What `dump` walks: the same.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}

extension XMLAttribute: CustomStringConvertible, CustomReflectable {
    /// The name, and not the value.
    public var description: String { name }

    /// What `dump` walks: the same.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
