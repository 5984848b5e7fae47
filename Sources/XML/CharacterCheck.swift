/// Checks that bytes are UTF-8, and that all characters are allowed in XML.
struct CharacterCheck {
    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// - Throws: ``XMLFault/Reason/invalidUTF8`` or ``XMLFault/Reason/invalidCharacter``, at the first offending byte.
    func check() throws(XMLFault) {
        let firstInvalid = firstInvalidUTF8
        for position in 0..<(firstInvalid ?? text.count) {
            let byte = text[position]
            // U+FFFE and U+FFFF are not characters; the corresponding code points of other planes are (XML 1.0 §2.2).
            // EF is always a first byte.
            let isNoncharacter = byte == 0xEF && text[position + 1] == 0xBF && text[position + 2] >= 0xBE
            guard byte >= 0x20 || byte.isXMLSpace, !isNoncharacter else {
                throw XMLFault(.invalidCharacter, at: position, of: text)
            }
        }
        if let firstInvalid { throw XMLFault(.invalidUTF8, at: firstInvalid, of: text) }
    }

    /// The offset of the first bytes that are not UTF-8; nil if all are valid.
    private var firstInvalidUTF8: Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.bindMemory(to: UInt8.self).span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}

extension UInt8 {
    /// Whether the byte is space, tab, LF or CR (XML 1.0 §2.3).
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
