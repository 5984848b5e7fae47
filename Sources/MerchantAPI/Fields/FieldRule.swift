/// The rule for the value of a request's field. Lengths count Unicode scalars. A string of digits may be sent as a
/// JSON number without sign, fraction and exponent.
enum FieldRule: Sendable {
    /// A string with a length in this range, without control characters except tab and line breaks.
    case text(ClosedRange<Int>)
    /// A string with a length in this range that matches a pattern.
    case pattern(ClosedRange<Int>, FieldPattern)
    /// One of the names; the `unsupported` ones are valid at the real gateway and not supported here.
    case enumeration([String], unsupported: [String] = [])
    /// A plain decimal in the request's currency, as a string or a number.
    case amount
    /// As ``amount``, but possibly negative.
    case signedAmount
    /// A plain decimal that is not an amount, such as a quantity or a rate, as a string or a number with at most this
    /// number of characters.
    case decimal(charactersMax: Int)
    /// A whole number in this range, as a string or a number.
    case integer(ClosedRange<Int>)
    /// JSON's `true` or `false`.
    case boolean
    /// A month, 1…12, as a string of one or two digits or as a number.
    case month
    /// The last two digits of a year, as a string or a number.
    case year
    /// Card data: a string, validated where it is read and never shown.
    case secret
    /// An encrypted payment token: the wallet's JSON in a string, opened where it is read and never shown.
    case encryptedToken

    /// Whether the field is a string, for which clients may also send its digits as a whole number.
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
