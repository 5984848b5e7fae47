internal import JSON

extension String {
    /// The text with digits replaced by `x`, but for the last four, wherever 13 to 19 of them have a valid check digit: what
    /// someone put into the wrong field. Single spaces and hyphens may stand between the groups of an account number, and
    /// further groups of digits before and behind it.
    public func maskingAccountNumbers() -> String {
        let bytes = Array(utf8)
        var masked = bytes
        var start = 0
        while start < bytes.count {
            guard bytes[start].isDigit else {
                start += 1
                continue
            }
            let groups = bytes.digitGroups(from: start)
            for position in bytes.hiddenPositions(in: groups) { masked[position] = UInt8(ascii: "x") }
            start = groups.last?.upperBound ?? start + 1
        }
        return masked == bytes ? self : String(decoding: masked, as: UTF8.self)
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
    /// The groups of digits that follow each other from `start` on with one space or hyphen between two.
    fileprivate func digitGroups(from start: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var index = start
        while index < count, self[index].isDigit {
            let end = self[index...].firstIndex { !$0.isDigit } ?? count
            groups.append(index..<end)
            guard end < count, self[end] == UInt8(ascii: " ") || self[end] == UInt8(ascii: "-") else { break }
            index = end + 1
        }
        return groups
    }

    /// The positions that may not be shown, of all successions of groups that make an account number together.
    fileprivate func hiddenPositions(in groups: [Range<Int>]) -> [Int] {
        groups.indices.flatMap { first in
            var digits: [Int] = []
            var hidden: [Int] = []
            for group in groups[first...] {
                guard digits.count + group.count <= 19 else { break }
                digits += group
                if digits.count >= 13, digits.map({ self[$0] }).hasCheckDigit { hidden += digits.dropLast(4) }
            }
            return hidden
        }
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
