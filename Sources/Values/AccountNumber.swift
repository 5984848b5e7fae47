/// A card or device account number (ISO/IEC 7812-1): 8 to 19 decimal digits, the last of which is a check digit.
///
/// The digits are wiped with the last copy, and are masked when printed.
public struct AccountNumber: Sendable {
    /// The digits as ASCII.
    private let digits: SecretBytes

    /// Why a string is not an account number.
    public enum Malformed: Error, Equatable, Sendable {
        /// The string has fewer than 8 digits or more than 19.
        case length(Int)
        /// The string contains a byte other than `0`…`9`.
        case notDigits
        /// The last digit is not the check digit of the others (ISO/IEC 7812-1 annex B, the Luhn formula).
        case checkDigit
    }

    /// The requirement on the last digit.
    public enum CheckDigit: Sendable {
        /// The last digit must be the check digit of the others: for numbers that people type.
        case required
        /// The last digit is not checked: for numbers that Apple provides, because Apple's format does not specify a check digit.
        case any
    }

    /// Parses ASCII digits.
    public init(
        ascii bytes: UnsafeRawBufferPointer, checkDigit: CheckDigit = .required
    ) throws(Malformed) {
        guard (8...19).contains(bytes.count) else { throw .length(bytes.count) }
        guard bytes.allSatisfy(\.isDigit) else { throw .notDigits }
        guard checkDigit == .any || Self.luhnSum(bytes) % 10 == 0 else { throw .checkDigit }
        digits = SecretBytes(copying: bytes)
    }

    /// Parses digits from a string, for published test numbers or command-line arguments.
    public init(_ text: String) throws(Malformed) {
        try self.init(SecretText(text))
    }

    /// Parses digits from a secret string.
    public init(_ text: SecretText) throws(Malformed) {
        self = try text.withUTF8 { (bytes) throws(Malformed) in try AccountNumber(ascii: bytes) }
    }

    /// The number of digits, 8 to 19.
    public var count: Int { digits.count }

    /// Calls the body with the ASCII digits, which are valid only during the call.
    public func withDigits<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try digits.withUnsafeBytes(body)
    }

    /// The unmasked digits, only for the acquirer.
    public func revealed() -> String { digits.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// The first digits, unmasked, at most six: the issuer identification number, which determines the card scheme.
    public var issuerIdentificationNumber: String {
        digits.withUnsafeBytes { String(decoding: $0.prefix(6), as: UTF8.self) }
    }

    /// The number with all but the first `first` and the last `last` digits replaced by `x`; its length is unchanged.
    ///
    /// Mastercard's replies show 6.4 of a device account number and 0.4 of a funding account number. If the number is
    /// too short to hide any digit, only the last digits are shown.
    public func masked(first: Int, last: Int) -> String {
        precondition(first >= 0 && last >= 0 && first + last <= 10, "at most 6.4 may be shown (PCI DSS 3.4.1)")
        return digits.withUnsafeBytes { bytes in
            let shown = bytes.count > first + last + 2 ? first : 0
            return String(unsafeUninitializedCapacity: bytes.count) { text in
                for (index, digit) in bytes.enumerated() {
                    let isShown = index < shown || index >= bytes.count - last
                    text[index] = isShown ? digit : UInt8(ascii: "x")
                }
                return bytes.count
            }
        }
    }

    /// Whether both numbers end with the same `count` digits.
    ///
    /// - Precondition: `count` is at most 4, the number of digits that may always be shown.
    public func endsAlike(_ other: AccountNumber, count: Int) -> Bool {
        precondition((0...4).contains(count), "at most the last 4 may be shown (PCI DSS 3.4.1)")
        return withDigits { digits in other.withDigits { digits.suffix(count).elementsEqual($0.suffix(count)) } }
    }

    private static func luhnSum(_ bytes: UnsafeRawBufferPointer) -> Int {
        var sum = 0
        for (position, byte) in bytes.reversed().enumerated() {
            let doubled = position % 2 == 1 ? byte.digit * 2 : byte.digit
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        return sum
    }
}

extension AccountNumber: Equatable {
    /// Compares the digits in constant time.
    public static func == (one: AccountNumber, other: AccountNumber) -> Bool { one.digits == other.digits }
}

extension AccountNumber: CustomStringConvertible, CustomReflectable {
    /// The number, masked 6.4.
    public var description: String { masked(first: 6, last: 4) }
    /// Shows only the masked number to `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["masked": description]) }
}
