/// What a field of a request may hold. The characters of a text are Unicode scalars.
enum FieldRule: Sendable {
    /// A text of so many characters without control characters but tab and line breaks.
    case text(ClosedRange<Int>)
    /// A text of so many characters that match a pattern.
    case pattern(ClosedRange<Int>, Pattern)
    /// One of the names; the second ones are the real gateway's and not served here.
    case enumeration([String], unsupported: [String] = [])
    /// A plain decimal, as text or as a number; what it may be depends on the currency.
    case amount
    /// A month, 1…12, as text of one or two digits or as a number.
    case month
    /// The last two digits of a year, as text or as a number.
    case year
    /// Card data: a text, checked where it is read and shown nowhere.
    case secret

    /// The shapes that texts can be held to.
    enum Pattern: Sendable {
        /// Three capital letters.
        case alphabeticCode
        /// Something, `@`, and something.
        case email
        /// Hexadecimal digits, points and colons.
        case ipAddress
        /// Letters, digits, spaces and hyphens.
        case postcode
        /// `https://…` or `http://…`, without spaces.
        case url
    }
}

extension FieldRule.Pattern {
    /// Whether a text has the shape.
    func matches(_ text: String) -> Bool {
        let bytes = text.utf8
        switch self {
        case .alphabeticCode:
            return bytes.count == 3 && bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        case .email:
            guard let sign = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
            return sign != bytes.startIndex && bytes.index(after: sign) != bytes.endIndex
                && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        case .ipAddress:
            return bytes.allSatisfy { $0.isHexadecimalDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        case .postcode:
            return bytes.allSatisfy {
                $0.isDecimalDigit || $0.isLetter || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-")
            }
        case .url:
            return (text.hasPrefix("https://") || text.hasPrefix("http://"))
                && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        }
    }

    /// What was expected, for a refusal.
    var expectation: String {
        switch self {
        case .alphabeticCode: "Expected three capital letters"
        case .email: "Expected an email address"
        case .ipAddress: "Expected an IP address"
        case .postcode: "Expected letters, digits, spaces and hyphens"
        case .url: "Expected a URL that begins with https:// or http://"
        }
    }
}

extension UInt8 {
    private var lowercased: UInt8 { self | 0x20 }

    /// Whether the byte is one of ASCII's letters.
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) }

    /// Whether the byte is a hexadecimal digit in either case.
    var isHexadecimalDigit: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased)
    }
}
