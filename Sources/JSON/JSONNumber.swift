/// A number, represented by its JSON text, so that `100.00` remains `100.00`.
///
/// Numbers are compared by this text: `1.0` and `1` are different.
public struct JSONNumber: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number's JSON text (RFC 8259 §6).
    public let text: String

    /// Creates a number from its JSON text; nil unless all of it is one number (RFC 8259 §6).
    public init?(_ text: String) {
        guard Self.isNumber(text) else { return nil }
        self.text = text
    }

    /// Creates a number from an integer.
    public init(_ value: some FixedWidthInteger) {
        text = String(value)
    }

    /// Creates a number from an integer literal.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }

    /// Creates a number from JSON text that the parser has checked.
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
    /// Removes leading digits. Returns false if there are none.
    fileprivate mutating func dropDigits() -> Bool {
        let rest = drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        defer { self = rest }
        return rest.startIndex != startIndex
    }
}
