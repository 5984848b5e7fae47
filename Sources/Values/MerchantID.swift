/// A merchant's identifier: 1 to 40 characters of `0-9 A-Z a-z _ -`.
public struct MerchantID: Hashable, Sendable {
    /// The identifier as a string, as in URLs.
    public let text: String

    /// Creates an identifier, after checking it.
    public init(_ text: String) throws(MalformedIdentifier) {
        try checkIdentifierLength(text)
        guard text.utf8.allSatisfy({ $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
        else { throw .unexpectedCharacter }
        self.text = text
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}

extension MerchantID: CustomStringConvertible {
    /// The identifier.
    public var description: String { text }
}
