/// A number as its text, so that `100.00` stays `100.00`.
///
/// Equal by text: `1.0` and `1` are different numbers here.
public struct JSONNumber: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number's text, by the grammar of RFC 8259 §6.
    public let text: String

    /// A number from its text; nil unless the whole text is one number by RFC 8259 §6.
    public init?(_ text: String) {
        guard Self.isNumber(text) else { return nil }
        self.text = text
    }

    /// An integer.
    public init(_ value: some FixedWidthInteger) {
        text = String(value)
    }

    /// An integer.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }

    /// The number of a node that the parser has checked.
    init(unchecked text: String) {
        self.text = text
    }

    private static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        if rest.first == UInt8(ascii: "0") {
            rest.removeFirst()
        } else if !rest.dropDigits() {
            return false
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard rest.dropDigits() else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard rest.dropDigits() else { return false }
        }
        return rest.isEmpty
    }
}

extension Substring.UTF8View {
    /// Drops the digits at the start; false if there are none.
    fileprivate mutating func dropDigits() -> Bool {
        let rest = drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        defer { self = rest }
        return rest.startIndex != startIndex
    }
}
