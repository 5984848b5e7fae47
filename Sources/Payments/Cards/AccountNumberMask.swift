internal import JSON
internal import Values

extension String {
    /// The text with digits replaced by `x`, but for the last four, wherever 13 to 19 of them have a valid check digit: what
    /// someone put into the wrong field. Single spaces and hyphens may stand between the groups of an account number, and
    /// further groups of digits before and behind it.
    ///
    /// A peer chooses the text, and its length: each digit costs the same few steps, whatever stands around it.
    public func maskingAccountNumbers() -> String {
        var text = self
        // Most texts end here, and cost no more than a look.
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

    /// The beginning of ``maskingAccountNumbers()``, at most `count` Unicode scalars; what is cut off leaves an ellipsis.
    ///
    /// Costs no more for a long text than for a short one: no digit is hidden for what stands further behind it than an
    /// account number with its separators is long.
    public func maskingAccountNumbers(cutTo count: Int) -> String {
        let looked = unicodeScalars.prefix(count + 2 * DigitGroups.digitsMax)
        let masked = String(looked).maskingAccountNumbers()
        guard masked.unicodeScalars.count > count else { return masked }
        return String(masked.unicodeScalars.prefix(count - 1)) + "…"
    }
}

extension String {
    /// The fewest digits of an account number.
    static let accountNumberDigitsMin = 13
}

extension UnsafeRawBufferPointer {
    /// Whether so many digits as an account number has follow each other, with nothing but spaces and hyphens between them.
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

/// Groups of digits that follow each other with one space or hyphen between two.
private struct DigitGroups {
    /// The most digits of an account number.
    static let digitsMax = 19

    /// Where each digit stands in the text.
    private var positions: [Int] = []
    /// How many digits there are before each group, and at last how many there are.
    private var bounds = [0]
    /// Of the digits before each: their sum, if those at even places are doubled as for a check digit, and if those at odd
    /// places are.
    private var sums: [(even: Int, odd: Int)] = [(0, 0)]
    /// Behind the last digit.
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

    /// Names the positions that may not be shown, of all successions of groups that make an account number together.
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

    /// Whether the last of these digits is the check digit of the others (ISO/IEC 7812-1 annex B): it is not doubled, the
    /// one before it is, and so on.
    private func hasCheckDigit(_ digits: Range<Int>) -> Bool {
        let (before, through) = (sums[digits.lowerBound], sums[digits.upperBound])
        let isLastEven = !digits.upperBound.isMultiple(of: 2)
        return (isLastEven ? through.odd - before.odd : through.even - before.even).isMultiple(of: 10)
    }
}
