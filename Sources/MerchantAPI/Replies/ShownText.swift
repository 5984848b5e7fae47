internal import Payments

extension String {
    /// The maximum number of characters of a value that a refusal shows. The shortest cryptogram has 28 characters,
    /// and tokens have more.
    private static let shownCharactersMax = 24

    /// `Value '…'` as refusals show a field that may be shown; `Value` alone if it could be misplaced card data.
    var shownInRefusal: String {
        guard unicodeScalars.count <= Self.shownCharactersMax else { return "Value" }
        return "Value '\(maskingAccountNumbers())'"
    }

    /// The string's first `count` Unicode scalars, followed by an ellipsis if it is longer.
    func cut(to count: Int) -> String {
        guard unicodeScalars.count > count else { return self }
        return String(unicodeScalars.prefix(count - 1)) + "…"
    }
}

extension UInt8 {
    /// Whether the byte is one of ASCII's `0`…`9`.
    var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
