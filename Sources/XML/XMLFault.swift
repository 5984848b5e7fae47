/// Why a document was refused, and where. A fault is safe to log and to return to a client: it contains no content of
/// the document.
public struct XMLFault: Error, Equatable, Sendable {
    /// The rule that the document breaks.
    public enum Reason: Equatable, Sendable, CaseIterable {
        /// The document ends before its root element does, or contains none.
        case unexpectedEnd
        /// Something other than comments and white space follows the root element: text, or a second root (XML 1.0
        /// §2.1).
        case textAfterEnd
        /// The bytes are not UTF-8 (RFC 3629 §4): a stray or missing continuation byte, an overlong form, a surrogate,
        /// or a value above U+10FFFF.
        case invalidUTF8
        /// A character is not allowed in XML (XML 1.0 §2.2): a character below U+0020 other than tab, LF and CR, or
        /// U+FFFE or U+FFFF.
        case invalidCharacter
        /// The encoding is not UTF-8, as declared or detected from the first bytes. US-ASCII may also be declared if
        /// every byte is below 0x80.
        case unsupportedEncoding
        /// The declaration has a version other than 1.0, or is malformed (XML 1.0 §2.8).
        case unsupportedDeclaration
        /// There is a document type declaration, which could define entities, external files and defaults.
        case documentType
        /// There is a processing instruction; none is supported.
        case processingInstruction
        /// An end tag does not match the open element.
        case mismatchedTag
        /// An element has the same attribute twice, by its qualified name or by its namespace and local name.
        case repeatedAttribute
        /// There is a reference to an entity other than `lt`, `gt`, `amp`, `apos` and `quot`.
        case undeclaredEntity
        /// A prefix is not bound by a namespace declaration in scope.
        case undeclaredPrefix
        /// An element contains both elements and text that is not white space.
        case mixedContent
        /// The document is not well-formed in another way (XML 1.0 §2.1, Namespaces in XML 1.0 §7).
        case malformed
        /// The document has more bytes than ``XMLLimits/bytesMax``.
        case tooLarge
        /// Elements are nested more deeply than ``XMLLimits/depthMax``.
        case tooDeep
        /// The document has more elements than ``XMLLimits/elementsMax``.
        case tooManyElements
        /// An element has more attributes than ``XMLLimits/attributesMax``.
        case tooManyAttributes
        /// The document has more namespace declarations than ``XMLLimits/namespacesMax``.
        case tooManyNamespaces
        /// A name is longer than ``XMLLimits/nameBytesMax``.
        case nameTooLong
        /// An attribute value is longer than ``XMLLimits/attributeBytesMax``.
        case attributeTooLong
        /// The text of an element is longer than ``XMLLimits/textBytesMax``.
        case textTooLong
        /// libxml2 is out of memory.
        case outOfMemory
    }

    /// The rule that the document breaks.
    public let reason: Reason

    /// The offset of the offending byte, from 0; where libxml2 detects the fault, possibly a few bytes later. The
    /// document's length for ``Reason/unexpectedEnd``.
    public let offset: Int

    /// The line of that byte, from 1. A line ends with LF, CR or CR LF (XML 1.0 §2.11).
    public let line: Int

    /// The character's number in its line, from 1, counted in Unicode scalars.
    public let column: Int
}

extension XMLFault: CustomStringConvertible {
    /// The position and the reason in one line, such as `line 1, character 14: a document type declaration is not
    /// accepted`.
    public var description: String { "line \(line), character \(column): \(reason.explanation)" }
}

extension XMLFault.Reason {
    /// The rule as human-readable text.
    public var explanation: String {
        switch self {
        case .unexpectedEnd: "the document ends before its root element does, or is empty"
        case .textAfterEnd: "something follows the root element"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .invalidCharacter: "XML can't carry this character"
        case .unsupportedEncoding: "only UTF-8 is read"
        case .unsupportedDeclaration: "the XML declaration is malformed, or of another version than 1.0"
        case .documentType: "a document type declaration is not accepted"
        case .processingInstruction: "a processing instruction is not accepted"
        case .mismatchedTag: "the end tag is not that of the open element"
        case .repeatedAttribute: "the element has an attribute twice"
        case .undeclaredEntity: "the entity is none of lt, gt, amp, apos and quot"
        case .undeclaredPrefix: "no namespace is declared for the prefix"
        case .mixedContent: "the element holds both elements and text"
        case .malformed: "this is not well-formed XML"
        case .tooLarge: "the document is too large"
        case .tooDeep: "elements are nested too deep"
        case .tooManyElements: "there are too many elements"
        case .tooManyAttributes: "the element has too many attributes"
        case .tooManyNamespaces: "there are too many namespace declarations"
        case .nameTooLong: "the name is too long"
        case .attributeTooLong: "the attribute is too long"
        case .textTooLong: "the element's text is too long"
        case .outOfMemory: "there is not enough memory to read the document"
        }
    }
}

extension XMLFault {
    /// A fault at `offset` of `text`.
    init(_ reason: Reason, at offset: Int, of text: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, text.count) {
            switch text[index] {
            case UInt8(ascii: "\r") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "\n"):
                column += 1  // the LF that follows ends the line
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                line += 1
                column = 1
            case 0x80...0xBF:
                break  // belongs to the scalar before it
            default:
                column += 1
            }
        }
        self.reason = reason
        self.offset = min(offset, text.count)
        self.line = line
        self.column = column
    }
}
