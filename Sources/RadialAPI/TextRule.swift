internal import XML

/// What the text of an element may be. Characters are Unicode scalars.
enum TextRule: Equatable {
    /// Any text but a blank one.
    case notBlank
    /// So many characters, not all of them blank.
    case length(ClosedRange<Int>)
    /// So many digits.
    case digits(ClosedRange<Int>)
    /// An IPv4 address as a dotted quad.
    case ipv4Address
    /// A version: numbers with points between them.
    case version
    /// One of some words.
    case oneOf([String])

    /// The text of an element that holds no elements.
    func text(of element: XMLElement) throws(Fault) -> String {
        let text = try element.leafText()
        if let fault = fault(in: text) { throw .invalid(element.path, fault) }
        return text
    }

    /// What is wrong with a text; nothing if it is as it should be.
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

/// `SchemaVersion` of a request: which optional elements its reply has.
struct SchemaVersion: Comparable {
    private let numbers: [Int]

    /// Reads `([0-9]+\.)*[0-9]+`; a number too large to be counted is as large as can be.
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

    /// What a request without one has.
    static let first = SchemaVersion(1, 0)
    /// From here on replies have `ResponseCode`.
    static let withResponseCode = SchemaVersion(1, 1)
    /// From here on replies have `TenderType`.
    static let withTenderType = SchemaVersion(1, 2)

    /// Compares number by number; one that is absent is 0.
    static func < (one: SchemaVersion, other: SchemaVersion) -> Bool {
        one.padded.lexicographicallyPrecedes(other.padded)
    }

    /// `1` and `1.0` are the same.
    static func == (one: SchemaVersion, other: SchemaVersion) -> Bool { one.padded == other.padded }

    private var padded: [Int] { numbers + Array(repeating: 0, count: 16 - numbers.count) }
}
