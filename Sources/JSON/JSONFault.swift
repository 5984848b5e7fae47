/// Why a document was refused, and where.
///
/// A fault is safe to log and to return to a client: it contains at most one unexpected character of the document and,
/// for a repeated name, the path of that name.
public struct JSONFault: Error, Equatable, Sendable {
    /// The rule that the document breaks.
    public enum Reason: Equatable, Sendable, CaseIterable {
        /// A character is not allowed at its position by the grammar (RFC 8259 §2).
        case unexpectedCharacter
        /// The JSON text ends inside a value, or contains no value.
        case unexpectedEnd
        /// A character other than white space follows the document's value.
        case textAfterEnd
        /// A number is malformed: it has a leading zero, or no digit after `-`, `.` or `e` (RFC 8259 §6).
        case invalidNumber
        /// An escape is unknown, a `\u` lacks four hexadecimal digits, or a surrogate is unpaired (RFC 8259 §7).
        case invalidEscape
        /// A string contains an unescaped character below U+0020 (RFC 8259 §7).
        case controlCharacter
        /// The bytes are not UTF-8 (RFC 3629 §4): a stray or missing continuation byte, an overlong form, a surrogate,
        /// or a value above U+10FFFF.
        case invalidUTF8
        /// An object contains the same name twice, compared after unescaping (RFC 8259 §4, RFC 7493 §2.3).
        case duplicateName
        /// The document has more bytes than ``JSONLimits/bytesMax``.
        case tooLarge
        /// Arrays and objects are nested more deeply than ``JSONLimits/depthMax``.
        case tooDeep
        /// The document has more values than ``JSONLimits/valuesMax``.
        case tooManyValues
    }

    /// The rule that the document breaks.
    public let reason: Reason

    /// The offset of the offending byte, from 0; the document's length for ``Reason/unexpectedEnd``.
    public let offset: Int

    /// The line of the offending byte, from 1. A line ends with LF, CR or CR LF.
    public let line: Int

    /// The character's number in its line, from 1, counted in Unicode scalars.
    public let column: Int

    /// The character at ``offset``, if the grammar refuses that character and it can be printed: a letter, a digit,
    /// punctuation, a symbol or a space. Otherwise nil.
    public let character: Unicode.Scalar?

    /// The dotted path of the repeated name, as ``JSONNode/path`` writes it; nil unless the reason is
    /// ``Reason/duplicateName``.
    public let path: String?
}

extension JSONFault: CustomStringConvertible {
    /// The reason and the position in one line, such as `unexpectedCharacter 'a' at [character 14 line 1]`.
    public var description: String {
        var text = "\(reason)"
        if let character { text += " '\(character)'" }
        if let path { text += " \(path)" }
        return text + " at [character \(column) line \(line)]"
    }
}

extension JSONFault {
    /// A fault at `offset` of `text`.
    init(_ reason: Reason, at offset: Int, of text: UnsafeRawBufferPointer, path: String? = nil) {
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
        self.offset = offset
        self.line = line
        self.column = column
        self.path = path
        switch reason {
        case .unexpectedCharacter, .textAfterEnd, .invalidNumber, .invalidEscape:
            character = Unicode.Scalar(printableAt: offset, of: text)
        case .unexpectedEnd, .controlCharacter, .invalidUTF8, .duplicateName, .tooLarge, .tooDeep, .tooManyValues:
            character = nil
        }
    }
}

extension Unicode.Scalar {
    /// The scalar at `offset` of `text`; nil unless it is complete and can be printed on its own between quotes, unlike
    /// a combining mark.
    fileprivate init?(printableAt offset: Int, of text: UnsafeRawBufferPointer) {
        let start = String(decoding: text.dropFirst(offset).prefix(4), as: UTF8.self)
        // U+FFFD is the result of decoding invalid bytes.
        guard let scalar = start.unicodeScalars.first, scalar != "\u{FFFD}", scalar.showsAsItself else { return nil }
        self = scalar
    }

    private var showsAsItself: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
            .otherSymbol:
            true
        default:
            self == " "
        }
    }
}
