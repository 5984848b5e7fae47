extension String {
    /// The longest value that a refusal shows. The shortest cryptogram has 28 characters, and tokens have more.
    private static let shownCharactersMax = 24

    /// `Value '…'` as refusals show a field that may be shown; `Value` alone if it could be misplaced card data.
    var shownInRefusal: String {
        guard unicodeScalars.count <= Self.shownCharactersMax else { return "Value" }
        return "Value '\(maskingAccountNumbers())'"
    }

    /// The text with digits replaced by `x`, but for the last four, wherever 13 to 19 of them in a row have a valid
    /// check digit, single spaces and hyphens between them aside: what someone put into the wrong field.
    func maskingAccountNumbers() -> String {
        var bytes = Array(utf8)
        var isMasked = false
        var start = 0
        while start < bytes.count {
            guard bytes[start].isDecimalDigit else {
                start += 1
                continue
            }
            let run = bytes.digitRun(from: start)
            if (13...19).contains(run.count), run.map({ bytes[$0] }).hasCheckDigit {
                for position in run.dropLast(4) { bytes[position] = UInt8(ascii: "x") }
                isMasked = true
            }
            start = (run.last ?? start) + 1
        }
        return isMasked ? String(decoding: bytes, as: UTF8.self) : self
    }

    /// At most `count` Unicode scalars of the text; what is cut off leaves an ellipsis.
    func cut(to count: Int) -> String {
        guard unicodeScalars.count > count else { return self }
        return String(unicodeScalars.prefix(count - 1)) + "…"
    }
}

extension UInt8 {
    /// Whether the byte is one of ASCII's `0`…`9`.
    var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension [UInt8] {
    /// The positions of the digits that follow each other from `start` on with at most one space or hyphen between two.
    fileprivate func digitRun(from start: Int) -> [Int] {
        var positions: [Int] = []
        var index = start
        while index < count {
            if self[index].isDecimalDigit {
                positions.append(index)
            } else {
                let isSeparator = self[index] == UInt8(ascii: " ") || self[index] == UInt8(ascii: "-")
                guard isSeparator, index + 1 < count, self[index + 1].isDecimalDigit else { break }
            }
            index += 1
        }
        return positions
    }

    /// Whether the last of these ASCII digits is the check digit of the others (ISO/IEC 7812-1 annex B).
    fileprivate var hasCheckDigit: Bool {
        var sum = 0
        for (position, byte) in reversed().enumerated() {
            let digit = Int(byte - UInt8(ascii: "0"))
            let weighed = position % 2 == 1 ? digit * 2 : digit
            sum += weighed > 9 ? weighed - 9 : weighed
        }
        return sum % 10 == 0
    }
}
