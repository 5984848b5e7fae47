internal import JSON

extension String {
    /// The text with digits replaced by `x`, but for the last four, wherever 13 to 19 of them in a row have a valid
    /// check digit, single spaces and hyphens between them aside: what someone put into the wrong field.
    public func maskingAccountNumbers() -> String {
        var bytes = Array(utf8)
        var isMasked = false
        var start = 0
        while start < bytes.count {
            guard bytes[start].isDigit else {
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
}

extension JSONValue {
    /// The value with every name and every text in it masked like ``Swift/String/maskingAccountNumbers()``.
    func maskingAccountNumbers() -> JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(text.maskingAccountNumbers())
        case .array(let elements): .array(elements.map { $0.maskingAccountNumbers() })
        case .object(let members):
            .object(
                members.reduce(into: JSONObject()) { masked, member in
                    masked[member.name.maskingAccountNumbers()] = member.value.maskingAccountNumbers()
                })
        }
    }
}

extension [UInt8] {
    /// The positions of the digits that follow each other from `start` on with at most one space or hyphen between two.
    fileprivate func digitRun(from start: Int) -> [Int] {
        var positions: [Int] = []
        var index = start
        while index < count {
            if self[index].isDigit {
                positions.append(index)
            } else {
                let isSeparator = self[index] == UInt8(ascii: " ") || self[index] == UInt8(ascii: "-")
                guard isSeparator, index + 1 < count, self[index + 1].isDigit else { break }
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
