/// Why a document was refused, and where. A fault is safe to log and to send back: it holds nothing of the document.
public struct XMLFault: Error, Equatable, Sendable {
    /// The rule that the document breaks.
    public enum Reason: Equatable, Sendable, CaseIterable {
        /// The text ends before its root element does, or holds none.
        case unexpectedEnd
        /// Something other than comments and white space follows the root element: text, or a second root (XML 1.0 §2.1).
        case textAfterEnd
        /// Bytes that are not UTF-8 (RFC 3629 §4): a stray or missing continuation, an overlong form, a surrogate, or more
        /// than U+10FFFF.
        case invalidUTF8
        /// A character that XML can't carry (XML 1.0 §2.2): one below U+0020 but tab, LF and CR, U+FFFE or U+FFFF.
        case invalidCharacter
        /// An encoding other than UTF-8, declared or recognised by its first bytes. US-ASCII may be declared, too, where every
        /// byte is below 80.
        case unsupportedEncoding
        /// The declaration names a version other than 1.0, or breaks its grammar (XML 1.0 §2.8).
        case unsupportedDeclaration
        /// A document type declaration, which is where entities, external files and defaults come from.
        case documentType
        /// A processing instruction: none means anything to us.
        case processingInstruction
        /// An end tag that does not name the element that is open.
        case mismatchedTag
        /// One element has the same attribute twice, by its text or by its namespace and local name.
        case repeatedAttribute
        /// A reference to an entity other than `lt`, `gt`, `amp`, `apos` and `quot`.
        case undeclaredEntity
        /// A prefix that no namespace declaration in scope binds.
        case undeclaredPrefix
        /// An element that holds both elements and text that is not white space.
        case mixedContent
        /// Anything else that is not well-formed (XML 1.0 §2.1, Namespaces in XML 1.0 §7).
        case malformed
        /// More bytes than ``XMLLimits/bytesMax``.
        case tooLarge
        /// More open elements than ``XMLLimits/depthMax``.
        case tooDeep
        /// More elements than ``XMLLimits/elementsMax``.
        case tooManyElements
        /// More attributes of one element than ``XMLLimits/attributesMax``.
        case tooManyAttributes
        /// More namespace declarations than ``XMLLimits/namespacesMax``.
        case tooManyNamespaces
        /// A longer name than ``XMLLimits/nameBytesMax``.
        case nameTooLong
        /// A longer attribute than ``XMLLimits/attributeBytesMax``.
        case attributeTooLong
        /// A longer text in one element than ``XMLLimits/textBytesMax``.
        case textTooLong
        /// libxml2 had no memory.
        case outOfMemory
    }

    /// The rule that the document breaks.
    public let reason: Reason

    /// The offset of the offending byte, from 0, or of one shortly behind it where libxml2 refuses; the document's length for
    /// ``Reason/unexpectedEnd``.
    public let offset: Int

    /// The line of that byte, from 1. A line ends with LF, CR or CR LF (XML 1.0 §2.11).
    public let line: Int

    /// The character's number in its line, from 1, counted in Unicode scalars.
    public let column: Int
}

extension XMLFault: CustomStringConvertible {
    /// Reason and place in one line, such as `documentType at [character 14 line 1]`.
    public var description: String { "\(reason) at [character \(column) line \(line)]" }
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
