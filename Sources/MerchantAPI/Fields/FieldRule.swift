/// What a field of a request may hold. The characters of a text are Unicode scalars; one of digits may come as a JSON number
/// without sign, fraction and exponent.
enum FieldRule: Sendable {
    /// A text of so many characters without control characters but tab and line breaks.
    case text(ClosedRange<Int>)
    /// A text of so many characters that match a pattern.
    case pattern(ClosedRange<Int>, FieldPattern)
    /// One of the names; the second ones are the real gateway's and not served here.
    case enumeration([String], unsupported: [String] = [])
    /// A plain decimal, as text or as a number, of the currency of the request.
    case amount
    /// The same, and it may be negative.
    case signedAmount
    /// A plain decimal of at most so many characters that is no amount, such as a quantity or a rate; as text or as a
    /// number.
    case decimal(charactersMax: Int)
    /// A whole number, as text or as a number.
    case integer(ClosedRange<Int>)
    /// JSON's `true` or `false`.
    case boolean
    /// A month, 1…12, as text of one or two digits or as a number.
    case month
    /// The last two digits of a year, as text or as a number.
    case year
    /// Card data: a text, checked where it is read and shown nowhere.
    case secret
    /// An encrypted payment token: a string, as the wallet's JSON is one here, opened where it is read and shown nowhere.
    case encryptedToken

    /// Whether the field holds a text, for whose digits clients may send a whole number: the same value of the field.
    var isText: Bool {
        switch self {
        case .text, .pattern, .secret: true
        case .enumeration, .amount, .signedAmount, .decimal, .integer, .boolean, .month, .year, .encryptedToken: false
        }
    }

    /// Whether `5656` and `5656.00` are the same value of the field.
    var isDecimal: Bool {
        switch self {
        case .amount, .signedAmount, .decimal: true
        case .text, .pattern, .enumeration, .integer, .boolean, .month, .year, .secret, .encryptedToken: false
        }
    }
}
