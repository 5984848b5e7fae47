internal import XML

/// The constraint on an element's text. Lengths count Unicode scalars.
enum TextRule: Equatable {
    /// Any string that is not blank.
    case notBlank
    /// A number of characters in this range, not all of them blank.
    case length(ClosedRange<Int>)
    /// A number of digits in this range.
    case digits(ClosedRange<Int>)
    /// An IPv4 address in dotted-decimal notation.
    case ipv4Address
    /// A version: numbers separated by dots.
    case version
    /// One of the listed words.
    case oneOf([String])

    /// The text of an element without children.
    func text(of element: XMLElement) throws(Fault) -> String {
        let text = try element.leafText()
        if let fault = fault(in: text) { throw .invalid(element.path, fault) }
        return text
    }

    /// Describes why a string is invalid; nil if it is valid.
    func fault(in text: String) -> String? {
        switch self {
        case .notBlank: return Self.isBlank(text) ? "must not be blank" : nil
        case .length(let range):
            guard !Self.isBlank(text) || range.contains(0) else { return "must not be blank" }
            return range.contains(text.unicodeScalars.count)
                ? nil : "must have \(range.lowerBound) to \(range.upperBound) characters"
        case .digits(let range):
            let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isNumber && range.contains(text.utf8.count)
                ? nil : "must have \(range.lowerBound) to \(range.upperBound) digits"
        case .ipv4Address: return Self.isIPv4Address(text) ? nil : "must be an IPv4 address, a dotted quad"
        case .version: return SchemaVersion(text) == nil ? "must be numbers with points between them" : nil
        case .oneOf(let words):
            return words.contains(text) ? nil : "must be one of \(words.joined(separator: ", "))"
        }
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    private static func isIPv4Address(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                let isNumber = part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                return isNumber && (1...3).contains(part.count) && UInt8(String(Substring(part))) != nil
            }
    }
}

/// `SchemaVersion` of a request: decides which optional elements its reply has.
struct SchemaVersion: Comparable {
    private let numbers: [Int]

    /// Parses `([0-9]+\.)*[0-9]+`. A number that overflows is clamped to the maximum.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 16,
            parts.allSatisfy({ part in
                !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            })
        else { return nil }
        numbers = parts.map { Int(String(Substring($0))) ?? .max }
    }

    private init(_ numbers: Int...) { self.numbers = numbers }

    /// The version of a request that has no `SchemaVersion`.
    static let first = SchemaVersion(1, 0)
    /// The first version whose replies have `ResponseCode`.
    static let withResponseCode = SchemaVersion(1, 1)
    /// The first version whose replies have `TenderType`.
    static let withTenderType = SchemaVersion(1, 2)

    /// Compares number by number; missing numbers count as 0.
    static func < (one: SchemaVersion, other: SchemaVersion) -> Bool {
        one.padded.lexicographicallyPrecedes(other.padded)
    }

    /// `1` and `1.0` are the same.
    static func == (one: SchemaVersion, other: SchemaVersion) -> Bool { one.padded == other.padded }

    private var padded: [Int] { numbers + Array(repeating: 0, count: 16 - numbers.count) }
}
