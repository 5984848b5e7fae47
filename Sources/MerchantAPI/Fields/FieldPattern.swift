/// The patterns that strings can be validated against.
enum FieldPattern: Sendable {
    /// Capital letters.
    case alphabeticCode
    /// Letters and digits.
    case alphanumeric
    /// ASCII without control characters.
    case ascii
    /// An airline's two characters, its three digits, or both with a slash between them.
    case carrierCode
    /// `yyyy-mm-dd` (ISO 8601), not checked against the calendar.
    case date
    /// Digits.
    case digits
    /// At least one character, `@`, and at least one character.
    case email
    /// Hexadecimal digits, points and colons.
    case ipAddress
    /// Letters, digits, spaces and hyphens.
    case postcode
    /// `hh:mm`, optional seconds, and `Z` or an offset (ISO 8601).
    case time
    /// `https://…` or `http://…`, without spaces.
    case url
}

extension FieldPattern {
    /// Whether a string matches the pattern.
    func matches(_ text: String) -> Bool {
        let bytes = text.utf8
        switch self {
        case .alphabeticCode:
            return bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        case .alphanumeric: return bytes.allSatisfy(\.isAlphanumeric)
        case .ascii: return bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        case .carrierCode:
            return text.has(shape: "##") || text.has(shape: "000") || text.has(shape: "##/000")
        case .date: return text.has(shape: "0000-00-00")
        case .digits: return bytes.allSatisfy(\.isDecimalDigit)
        case .email:
            guard let sign = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
            return sign != bytes.startIndex && bytes.index(after: sign) != bytes.endIndex
                && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        case .ipAddress:
            return bytes.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        case .postcode:
            return bytes.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
        case .time:
            return ["00:00", "00:00:00"].contains { clock in
                ["Z", "+00", "-00", "+00:00", "-00:00"].contains { text.has(shape: clock + $0) }
            }
        case .url:
            return (text.hasPrefix("https://") || text.hasPrefix("http://"))
                && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        }
    }

    /// The expected format, for a refusal.
    var expectation: String {
        switch self {
        case .alphabeticCode: "Expected three capital letters"
        case .alphanumeric: "Expected letters and digits"
        case .ascii: "Expected ASCII characters"
        case .carrierCode: "Expected two characters, three digits, or both as ZZ/999"
        case .date: "Expected a date, yyyy-mm-dd"
        case .digits: "Expected digits"
        case .email: "Expected an email address"
        case .ipAddress: "Expected an IP address"
        case .postcode: "Expected letters, digits, spaces and hyphens"
        case .time: "Expected a time, hh:mm[:ss] with Z or an offset"
        case .url: "Expected a URL that begins with https:// or http://"
        }
    }
}

extension String {
    /// Whether each character matches `shape`, where `0` is any digit and `#` any letter or digit.
    fileprivate func has(shape: String) -> Bool {
        utf8.count == shape.utf8.count
            && zip(utf8, shape.utf8).allSatisfy { byte, expected in
                switch expected {
                case UInt8(ascii: "0"): byte.isDecimalDigit
                case UInt8(ascii: "#"): byte.isAlphanumeric
                default: byte == expected
                }
            }
    }
}

extension UInt8 {
    private var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether the byte is one of ASCII's letters or digits.
    var isAlphanumeric: Bool { isDecimalDigit || isLetter }

    /// Whether the byte is a hexadecimal digit in either case.
    var isHexadecimalDigit: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
