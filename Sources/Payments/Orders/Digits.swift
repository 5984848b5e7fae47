/// 10 to the power of a currency's exponent.
func powerOfTen(_ exponent: Int) -> Int64 {
    precondition((0...4).contains(exponent), "no currency has more than 4 decimals")
    return [1, 10, 100, 1000, 10_000][exponent]
}

extension Int {
    /// The decimal digits, padded with leading zeros to `width`.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
