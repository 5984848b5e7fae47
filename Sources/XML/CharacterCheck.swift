/// Whether bytes are UTF-8, and of characters that XML can carry.
struct CharacterCheck {
    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// - Throws: ``XMLFault/Reason/invalidUTF8`` or ``XMLFault/Reason/invalidCharacter``, at the first byte of either.
    func check() throws(XMLFault) {
        var position = 0
        while position < text.count {
            let lead = text[position]
            if lead < 0x80 {
                guard lead >= 0x20 || lead.isXMLSpace else { throw XMLFault(.invalidCharacter, at: position, of: text) }
                position += 1
                continue
            }
            guard let length = scalarLength(at: position) else { throw XMLFault(.invalidUTF8, at: position, of: text) }
            // U+FFFE and U+FFFF; those of the other planes are characters (XML 1.0 §2.2).
            if lead == 0xEF, text[position + 1] == 0xBF, text[position + 2] >= 0xBE {
                throw XMLFault(.invalidCharacter, at: position, of: text)
            }
            position += length
        }
    }

    /// The bytes of the non-ASCII scalar whose first byte is at `offset`, 2 to 4; nil if they are not UTF-8, by the table of
    /// RFC 3629 §4.
    private func scalarLength(at offset: Int) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch text[offset] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard length <= text.count - offset, second.contains(text[offset + 1]) else { return nil }
        for index in 2..<length {
            guard text[offset + index] & 0xC0 == 0x80 else { return nil }
        }
        return length
    }
}

extension UInt8 {
    /// Space, tab, LF or CR (XML 1.0 §2.3).
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
