/// Writes one document with a fixed structure: names are literals, and text is any string.
///
/// ```swift
/// let bytes = try XMLWriter.document("Fault", namespace: "http://example.com/1.0") { fault throws(XMLUnwritable) in
///     try fault.element("Code", text: code)
///     try fault.element("Detail", attributes: ["lang": "en"]) { detail throws(XMLUnwritable) in
///         try detail.element("Line", text: line)
///     }
/// }
/// ```
///
/// An element contains elements or text. Child elements are indented. An element without text is written as a pair of
/// tags. The output is not wiped.
public struct XMLWriter {
    private var bytes: [UInt8] = []
    private var depth = 0

    /// Creates a UTF-8 document with its declaration, and with every element in `namespace`.
    ///
    /// - Throws: ``XMLUnwritable`` if a string contains a character that XML can't represent, or any error that
    ///   `content` throws.
    public static func document(
        _ root: StaticString, namespace: String, attributes: KeyValuePairs<StaticString, String> = [:],
        content: (inout XMLWriter) throws(XMLUnwritable) -> Void
    ) throws(XMLUnwritable) -> [UInt8] {
        var writer = XMLWriter()
        writer.append(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        writer.append("\n")
        try writer.element(root, namespace: namespace, attributes: attributes, content: content)
        return writer.bytes
    }

    /// Creates one element with its content, without a declaration, as a part of another document.
    public static func fragment(
        _ name: StaticString, content: (inout XMLWriter) throws(XMLUnwritable) -> Void
    ) throws(XMLUnwritable) -> [UInt8] {
        var writer = XMLWriter()
        try writer.element(name, content: content)
        return writer.bytes
    }

    /// Writes an element that contains text.
    public mutating func element(
        _ name: StaticString, attributes: KeyValuePairs<StaticString, String> = [:], text: String
    ) throws(XMLUnwritable) {
        indent()
        try begin(name, namespace: nil, attributes: attributes)
        try append(escaping: text)
        end(name)
    }

    /// Writes an element that contains text; writes nothing if the text is nil.
    public mutating func element(_ name: StaticString, optionalText text: String?) throws(XMLUnwritable) {
        guard let text else { return }
        try element(name, text: text)
    }

    /// Writes an element that contains elements.
    public mutating func element(
        _ name: StaticString, attributes: KeyValuePairs<StaticString, String> = [:],
        content: (inout XMLWriter) throws(XMLUnwritable) -> Void
    ) throws(XMLUnwritable) {
        try element(name, namespace: nil, attributes: attributes, content: content)
    }

    private mutating func element(
        _ name: StaticString, namespace: String?, attributes: KeyValuePairs<StaticString, String>,
        content: (inout XMLWriter) throws(XMLUnwritable) -> Void
    ) throws(XMLUnwritable) {
        indent()
        try begin(name, namespace: namespace, attributes: attributes)
        append("\n")
        depth += 1
        try content(&self)
        depth -= 1
        indent()
        end(name)
    }

    private mutating func begin(
        _ name: StaticString, namespace: String?, attributes: KeyValuePairs<StaticString, String>
    ) throws(XMLUnwritable) {
        append("<")
        append(name)
        if let namespace { try append(attribute: "xmlns", namespace) }
        for (name, value) in attributes { try append(attribute: name, value) }
        append(">")
    }

    private mutating func end(_ name: StaticString) {
        append("</")
        append(name)
        append(">\n")
    }

    private mutating func append(attribute name: StaticString, _ value: String) throws(XMLUnwritable) {
        append(" ")
        append(name)
        append("=\"")
        try append(escaping: value)
        append("\"")
    }

    private mutating func indent() {
        for _ in 0..<depth { append("  ") }
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends text so that it is read back unchanged, in an element or in an attribute: characters that a reader would
    /// treat as markup or normalize are written as references (XML 1.0 §2.4, §2.11, §3.3.3).
    private mutating func append(escaping text: String) throws(XMLUnwritable) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\t": append("&#9;")
            case "\n": append("&#10;")
            case "\r": append("&#13;")
            case "\0"..." ", "\u{FFFE}", "\u{FFFF}":
                guard scalar == " " else { throw XMLUnwritable() }
                append(" ")
            default: bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
            }
        }
    }
}

/// A string contains a character that XML can't represent, not even as a reference: a character below U+0020 other than
/// tab, LF and CR, or U+FFFE or U+FFFF (XML 1.0 §2.2).
public struct XMLUnwritable: Error, Equatable, Sendable {}
