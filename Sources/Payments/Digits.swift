/// 10 to the power of a currency's exponent.
func powerOfTen(_ exponent: Int) -> Int64 {
    precondition((0...4).contains(exponent), "no currency has more than 4 decimals")
    return [1, 10, 100, 1000, 10_000][exponent]
}

extension UInt8 {
    /// Whether the byte is one of ASCII's `0`…`9`.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// What an ASCII digit stands for.
    var digit: Int64 { Int64(self - UInt8(ascii: "0")) }
}

extension Int {
    /// The decimal digits, with zeros in front up to `width`.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
