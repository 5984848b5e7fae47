/// A completely validated XML 1.0 document with namespaces.
///
/// It contains elements, attributes, and text, including that of CDATA sections. Comments are removed, and the text on
/// both sides is joined. White space around elements is removed. In addition to documents that are not well-formed,
/// these are refused: document type declarations, processing instructions, encodings other than UTF-8, elements that
/// contain both elements and text, and documents that exceed a limit. No file is read and no connection is opened.
///
/// The text is overwritten with zeros when the document and its elements are freed, because it may be card data. So is
/// libxml2's memory.
public struct XMLDocument: Sendable {
    /// The root element.
    public let root: XMLElement

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark. The caller must wipe them.
    ///   - limits: the limits on the document.
    /// - Throws: the first fault of the characters; if there is none, of the limits and the declaration; if there is
    ///   none, of the grammar.
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
