internal import Payments
internal import XML

/// The elements that an element holds, by their names: each of the known ones at most once, and no other.
///
/// In which order they come is not asked: samples of Radial's own documentation disagree about it.
struct ElementFields {
    let element: XMLElement
    private var children: [String: XMLElement] = [:]

    /// Sorts the elements of an element by their names.
    init(_ element: XMLElement, known: Set<String>, attributes: Set<String> = []) throws(Fault) {
        self.element = element
        for attribute in element.attributes {
            // `schemaLocation` and its like are no attributes of the element.
            if attribute.namespace == "http://www.w3.org/2001/XMLSchema-instance" { continue }
            guard attribute.namespace == nil, attributes.contains(attribute.name) else {
                throw .invalid(element.path, "an attribute that it doesn't have")
            }
        }
        for child in element.children {
            guard child.namespace == RadialNamespace.checkout, known.contains(child.name) else {
                throw .invalid(Self.shown(child.path), "an element that is not known here")
            }
            guard children.updateValue(child, forKey: child.name) == nil else {
                throw .invalid(child.path, "the element may occur once")
            }
        }
        guard !known.isEmpty, children.isEmpty, element.text.contains(where: { !$0.isWhitespace }) else { return }
        throw .invalid(element.path, "it holds elements, and no text")
    }

    /// Where an element is, or would be.
    func path(_ name: String) -> String { "\(element.path)/\(name)" }

    /// An element, if it is there.
    subscript(name: String) -> XMLElement? { children[name] }

    /// An element that must be there.
    func required(_ name: String) throws(Fault) -> XMLElement {
        guard let child = children[name] else { throw .missing(path(name)) }
        return child
    }

    /// The text of an element that must be there.
    func required(_ name: String, _ rule: TextRule) throws(Fault) -> String {
        try rule.text(of: try required(name))
    }

    /// The text of an element, if it is there.
    func optional(_ name: String, _ rule: TextRule) throws(Fault) -> String? {
        guard let child = children[name] else { return nil }
        return try rule.text(of: child)
    }

    /// A truth value, if it is there.
    func optionalBoolean(_ name: String) throws(Fault) -> Bool? {
        guard let child = children[name] else { return nil }
        return try child.boolean()
    }

    /// Names are a peer's text, and may be long.
    private static func shown(_ path: String) -> String { path.maskingAccountNumbers(cutTo: 200) }
}

extension XMLElement {
    /// The text of an element that holds no elements and has none but these attributes.
    func leafText(attributes: Set<String> = []) throws(Fault) -> String {
        _ = try ElementFields(self, known: [], attributes: attributes)
        return text
    }

    /// The text without white space at its ends, as XML Schema's types but string read it.
    func collapsedText(attributes: Set<String> = []) throws(Fault) -> String {
        let text = try leafText(attributes: attributes)
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// `true`, `1`, `false` or `0` (XML Schema 2 §3.2.2).
    func boolean() throws(Fault) -> Bool {
        switch try collapsedText() {
        case "true", "1": return true
        case "false", "0": return false
        default: throw .invalid(path, "must be true or false")
        }
    }
}
