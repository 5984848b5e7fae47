extension UInt8 {
    /// Whether the byte is an ASCII digit, `0`…`9`.
    @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// The value of an ASCII digit.
    @inlinable package var digit: Int { Int(self - UInt8(ascii: "0")) }
}
