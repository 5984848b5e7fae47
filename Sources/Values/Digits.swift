extension UInt8 {
    /// Whether the byte is one of ASCII's `0`…`9`.
    @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// What an ASCII digit stands for.
    @inlinable package var digit: Int { Int(self - UInt8(ascii: "0")) }
}
