internal import Payments
internal import XML

/// An element's children by name: each known child at most once, and no unknown one.
///
/// The order of the children is not checked, as the samples in Radial's documentation disagree about it.
struct ElementFields {
    let element: XMLElement
    private var children: [String: XMLElement] = [:]

    /// Reads an element's children.
    init(_ element: XMLElement, known: Set<String>, attributes: Set<String> = []) throws(Fault) {
        self.element = element
        for attribute in element.attributes {
            // `xsi:schemaLocation` and similar attributes don't belong to the element.
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

    /// The path of a child, whether it is present or not.
    func path(_ name: String) -> String { "\(element.path)/\(name)" }

    /// A child, if it is present.
    subscript(name: String) -> XMLElement? { children[name] }

    /// A child that must be present.
    func required(_ name: String) throws(Fault) -> XMLElement {
        guard let child = children[name] else { throw .missing(path(name)) }
        return child
    }

    /// The text of a child that must be present.
    func required(_ name: String, _ rule: TextRule) throws(Fault) -> String {
        try rule.text(of: try required(name))
    }

    /// The text of a child, if it is present.
    func optional(_ name: String, _ rule: TextRule) throws(Fault) -> String? {
        guard let child = children[name] else { return nil }
        return try rule.text(of: child)
    }

    /// A boolean, if it is present.
    func optionalBoolean(_ name: String) throws(Fault) -> Bool? {
        guard let child = children[name] else { return nil }
        return try child.boolean()
    }

    /// A path for display: masked and cut, as its names come from the peer.
    private static func shown(_ path: String) -> String { path.maskingAccountNumbers(cutTo: 200) }
}

extension XMLElement {
    /// The text of an element without children, and with no attributes but these.
    func leafText(attributes: Set<String> = []) throws(Fault) -> String {
        _ = try ElementFields(self, known: [], attributes: attributes)
        return text
    }

    /// The text with outer white space removed, as all XML Schema types but `string` require.
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
