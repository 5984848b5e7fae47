/// String parsing: checks eight bytes at a time, and copies nothing.
extension Parser {
    /// Reads the string or name whose opening quotation mark is at `position` (RFC 8259 §7).
    mutating func readString() throws(JSONFault) {
        let opening = position
        var isEscaped = false
        position += 1
        while true {
            position += plainLength()
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                append(
                    TapeEntry(.string, start: opening, end: position, next: tape.count + 1, escaped: isEscaped))
                return
            case UInt8(ascii: "\\"):
                try readEscape()
                isEscaped = true
            case 0x80...:
                guard let length = scalarLength(at: position) else { throw fault(.invalidUTF8) }
                position += length
            default:
                throw fault(.controlCharacter)
            }
        }
    }

    /// The number of bytes from `position` that are ASCII and need no escape in a string. Reads in words, and so up to
    /// seven bytes beyond the JSON text.
    private func plainLength() -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs = ones << 7
        var offset = position
        while true {
            let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // A byte's high bit is set if the byte is below U+0020, a quotation mark, a backslash or not ASCII. A
            // borrow may also set it wrongly, but only in bytes after the first such byte.
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word)
                & highs
            if found != 0 { return offset + found.trailingZeroBitCount / 8 - position }
            offset += 8
        }
    }

    /// Reads the escape whose backslash is at `position`; surrogates must come in pairs (RFC 8259 §7, §8.2).
    private mutating func readEscape() throws(JSONFault) {
        let backslash = position
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try readCodeUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            guard unit < 0xDC00 else { throw fault(.invalidEscape, at: backslash) }
            for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
                if byte != expected {
                    throw position == text.count ? fault(.unexpectedEnd) : fault(.invalidEscape, at: backslash)
                }
                position += expected == UInt8(ascii: "\\") ? 1 : 0
            }
            guard try readCodeUnit() & 0xFC00 == 0xDC00 else { throw fault(.invalidEscape, at: backslash) }
        default:
            throw fault(.invalidEscape)
        }
    }

    /// Reads `u` and the four hexadecimal digits after it.
    private mutating func readCodeUnit() throws(JSONFault) -> UInt32 {
        position += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let digit = hexadecimalDigit(byte)
            guard digit < 16 else { throw fault(.invalidEscape) }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    /// The size of the non-ASCII scalar whose first byte is at `offset`, 2 to 4 bytes; nil if the bytes are not UTF-8,
    /// by the table of RFC 3629 §4.
    func scalarLength(at offset: Int) -> Int? {
        let lead = start.load(fromByteOffset: offset, as: UInt8.self)
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        // The zero byte after the JSON text is not a continuation byte, so a scalar that is truncated by the end is
        // refused without reading further.
        guard second.contains(start.load(fromByteOffset: offset + 1, as: UInt8.self)) else { return nil }
        for index in 2..<length {
            guard start.load(fromByteOffset: offset + index, as: UInt8.self) & 0xC0 == 0x80 else { return nil }
        }
        return length
    }
}
