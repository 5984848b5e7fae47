extension JSONWriter {
    /// The number of leading bytes of a string's content that need no escape: those before the first control character,
    /// quotation mark or backslash.
    public static func plainLength(of text: UnsafeRawBufferPointer) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var length = 0
        while length + 8 <= text.count {
            let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: length, as: UInt64.self))
            // A byte's high bit is set if the byte needs an escape. A borrow may also set it wrongly, but only in bytes
            // after the first such byte.
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash)
                & (ones << 7)
            if found != 0 { return length + found.trailingZeroBitCount / 8 }
            length += 8
        }
        while length < text.count, text[length] >= 0x20, text[length] != UInt8(ascii: "\""),
            text[length] != UInt8(ascii: "\\")
        {
            length += 1
        }
        return length
    }
}
