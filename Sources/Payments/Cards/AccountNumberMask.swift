internal import JSON
internal import Values

extension String {
    /// The string with account numbers masked: wherever 13 to 19 digits have a valid check digit, all but their last
    /// four are replaced by `x`. Finds account numbers that someone entered into the wrong field. The digits may be
    /// grouped by single spaces or hyphens, and other groups of digits may precede and follow them.
    ///
    /// A peer chooses the string and its length, so the cost per digit is bounded, whatever the neighboring characters
    /// are.
    public func maskingAccountNumbers() -> String {
        var text = self
        // Most strings return here, after one scan.
        guard text.withUTF8({ UnsafeRawBufferPointer($0).mayHoldAccountNumber }) else { return self }
        let bytes = Array(utf8)
        var masked = bytes
        var start = 0
        while start < bytes.count {
            guard bytes[start].isDigit else {
                start += 1
                continue
            }
            let groups = DigitGroups(bytes, from: start)
            groups.forEachHiddenPosition { masked[$0] = UInt8(ascii: "x") }
            start = groups.end
        }
        return masked == bytes ? self : String(decoding: masked, as: UTF8.self)
    }

    /// ``maskingAccountNumbers()`` truncated to `count` Unicode scalars; a truncated string ends with an ellipsis.
    ///
    /// The cost doesn't depend on the length of the string: whether a digit is masked depends only on the next
    /// characters, no more than an account number with its separators has.
    public func maskingAccountNumbers(cutTo count: Int) -> String {
        let looked = unicodeScalars.prefix(count + 2 * DigitGroups.digitsMax)
        let masked = String(looked).maskingAccountNumbers()
        guard masked.unicodeScalars.count > count else { return masked }
        return String(masked.unicodeScalars.prefix(count - 1)) + "…"
    }
}

extension String {
    /// The minimum number of digits in an account number.
    static let accountNumberDigitsMin = 13
}

extension UnsafeRawBufferPointer {
    /// Whether there are 13 digits in a row with nothing but spaces and hyphens between them.
    var mayHoldAccountNumber: Bool {
        var digits = 0
        for byte in self {
            if byte.isDigit {
                digits += 1
                if digits == String.accountNumberDigitsMin { return true }
            } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "-") {
                digits = 0
            }
        }
        return false
    }
}

extension JSONValue {
    /// The value with all member names and strings masked as in ``Swift/String/maskingAccountNumbers()``.
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

/// Groups of digits, separated by single spaces or hyphens.
private struct DigitGroups {
    /// The maximum number of digits in an account number.
    static let digitsMax = 19

    /// The byte offset of each digit in the string.
    private var positions: [Int] = []
    /// The number of digits before each group; the last element is the total.
    private var bounds = [0]
    /// Luhn sums of all digits before each digit; `even` with the digits at even indices doubled, `odd` with those at
    /// odd indices doubled.
    private var sums: [(even: Int, odd: Int)] = [(0, 0)]
    /// The offset after the last digit.
    private(set) var end: Int

    init(_ bytes: [UInt8], from start: Int) {
        end = start
        while end < bytes.count, bytes[end].isDigit {
            while end < bytes.count, bytes[end].isDigit {
                append(Int(bytes[end] - UInt8(ascii: "0")))
                end += 1
            }
            bounds.append(positions.count)
            guard end < bytes.count, bytes[end] == UInt8(ascii: " ") || bytes[end] == UInt8(ascii: "-"),
                end + 1 < bytes.count, bytes[end + 1].isDigit
            else { return }
            end += 1
        }
    }

    private mutating func append(_ digit: Int) {
        let doubled = digit > 4 ? digit * 2 - 9 : digit * 2
        let isEven = positions.count.isMultiple(of: 2)
        let (even, odd) = sums[positions.count]
        sums.append(isEven ? (even + doubled, odd + digit) : (even + digit, odd + doubled))
        positions.append(end)
    }

    /// Calls `body` with the offset of each digit to mask, for all runs of consecutive groups that form an account
    /// number.
    func forEachHiddenPosition(_ body: (Int) -> Void) {
        for first in bounds.indices.dropLast() {
            for last in bounds[(first + 1)...] {
                let digits = bounds[first]..<last
                guard digits.count <= Self.digitsMax else { break }
                if digits.count >= String.accountNumberDigitsMin, hasCheckDigit(digits) {
                    positions[digits.dropLast(4)].forEach(body)
                }
            }
        }
    }

    /// Whether the last of these digits is the Luhn check digit of the others (ISO/IEC 7812-1 annex B): the last digit
    /// is not doubled, the one before it is, and so on alternately.
    private func hasCheckDigit(_ digits: Range<Int>) -> Bool {
        let (before, through) = (sums[digits.lowerBound], sums[digits.upperBound])
        let isLastEven = !digits.upperBound.isMultiple(of: 2)
        return (isLastEven ? through.odd - before.odd : through.even - before.even).isMultiple(of: 10)
    }
}
