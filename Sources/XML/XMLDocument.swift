/// An XML 1.0 document with namespaces that has been checked to its last byte.
///
/// What is read: elements, attributes, text, and CDATA sections as text. Comments are left out, and the texts on either side
/// of one are joined. White space around elements is left out. Refused, beside what is not well-formed: every document type
/// declaration and every processing instruction, any encoding but UTF-8, an element that holds both elements and text, and
/// whatever exceeds a limit. No file is read and no connection opened.
///
/// Texts are overwritten with zeros when the document and its elements are freed, as they may be card data; so is what
/// libxml2 held of them.
public struct XMLDocument: Sendable {
    /// The root element.
    public let root: XMLElement

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with a byte order mark or without. Wiping them is the caller's affair.
    ///   - limits: what the document may cost.
    /// - Throws: the first fault of the characters, else of the limits and the declaration, else of the grammar.
    public init(_ bytes: UnsafeRawBufferPointer, limits: XMLLimits = .default) throws(XMLFault) {
        var scanner = Scanner(bytes, limits: limits)
        try scanner.scan()
        root = XMLElement(tree: try Parser.tree(of: bytes, textBytesMax: limits.textBytesMax), index: 0)
    }

    /// Reads a document from an array. See ``init(_:limits:)-(UnsafeRawBufferPointer,_)``.
    public init(_ bytes: [UInt8], limits: XMLLimits = .default) throws(XMLFault) {
        self = try bytes.withUnsafeBytes { bytes in
            Result { () throws(XMLFault) in try XMLDocument(bytes, limits: limits) }
        }.get()
    }

    /// Reads a document from a string. See ``init(_:limits:)-(UnsafeRawBufferPointer,_)``.
    public init(_ text: String, limits: XMLLimits = .default) throws(XMLFault) {
        var text = text
        self = try text.withUTF8 { bytes in
            Result { () throws(XMLFault) in try XMLDocument(UnsafeRawBufferPointer(bytes), limits: limits) }
        }.get()
    }
}
