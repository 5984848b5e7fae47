extension JSONNode {
    /// The value of an object's member; nil if there is no such member, or this value is not an object.
    ///
    /// Names are compared as UTF-8, after unescaping. Takes time proportional to the number of members.
    public subscript(name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(named: UnsafeRawBufferPointer($0)) }
    }

    private func member(named wanted: UnsafeRawBufferPointer) -> JSONNode? {
        let tape = document.tape
        guard tape[index].isObject else { return nil }
        let end = Int(tape[index].next)
        return document.withRawBytes { text in
            var name = index + 1
            while name < end {
                let raw = tape.content(name, of: text)
                if tape[name].isEscaped ? raw.unescapesTo(wanted) : raw.hasSameBytes(as: wanted) {
                    return JSONNode(document: document, index: name + 1)
                }
                name = Int(tape[name + 1].next)
            }
            return nil
        }
    }

    /// The members of an object in document order; none if this value is not an object.
    public var members: JSONMembers { JSONMembers(object: self) }

    /// The members with their names as nodes: JSON strings in the document. A `String` is created only on demand.
    public var namedNodes: JSONNamedNodes { JSONNamedNodes(members: members) }

    /// The elements of an array in document order; none if this value is not an array.
    public var elements: JSONElements { JSONElements(array: self) }
}

/// The members of an object, in document order.
public struct JSONMembers: Sequence, Sendable {
    let object: JSONNode

    /// The number of members.
    public var underestimatedCount: Int { object.kind == .object ? object.count : 0 }

    /// Creates an iterator that starts at the first member.
    public func makeIterator() -> Iterator {
        let isObject = object.kind == .object
        return Iterator(
            document: object.document, name: object.index + 1, end: isObject ? Int(object.entry.next) : 0)
    }

    /// Iterates over the members of an object.
    public struct Iterator: IteratorProtocol, Sendable {
        let document: JSONDocument
        var name: Int
        let end: Int

        /// The next member's unescaped name, and its value.
        public mutating func next() -> (name: String, value: JSONNode)? {
            nextNodes().map { ($0.name.unescaped, $0.value) }
        }

        mutating func nextNodes() -> (name: JSONNode, value: JSONNode)? {
            guard name < end else { return nil }
            defer { name = Int(document.tape[name + 1].next) }
            return (JSONNode(document: document, index: name), JSONNode(document: document, index: name + 1))
        }
    }
}

/// The members of an object with their names as nodes, in document order.
public struct JSONNamedNodes: Sequence, Sendable {
    let members: JSONMembers

    /// Creates an iterator that starts at the first member.
    public func makeIterator() -> Iterator { Iterator(members: members.makeIterator()) }

    /// Iterates over the members of an object.
    public struct Iterator: IteratorProtocol, Sendable {
        var members: JSONMembers.Iterator

        /// The next member's name, and its value.
        public mutating func next() -> (name: JSONNode, value: JSONNode)? { members.nextNodes() }
    }
}

/// The elements of an array, in document order.
public struct JSONElements: Sequence, Sendable {
    let array: JSONNode

    /// The number of elements.
    public var underestimatedCount: Int { array.kind == .array ? array.count : 0 }

    /// Creates an iterator that starts at the first element.
    public func makeIterator() -> Iterator {
        let isArray = array.kind == .array
        return Iterator(document: array.document, element: array.index + 1, end: isArray ? Int(array.entry.next) : 0)
    }

    /// Iterates over the elements of an array.
    public struct Iterator: IteratorProtocol, Sendable {
        let document: JSONDocument
        var element: Int
        let end: Int

        /// The next element.
        public mutating func next() -> JSONNode? {
            guard element < end else { return nil }
            defer { element = Int(document.tape[element].next) }
            return JSONNode(document: document, index: element)
        }
    }
}
