internal import Values

/// A currency of ISO 4217.
///
/// `Currency(code: "EUR")` finds a currency; the constants are the currencies that documentation and tests use.
public struct Currency: Hashable, Sendable {
    /// The alphabetic code, three capital letters: `EUR`.
    public let code: String
    /// The numeric code, three digits with leading zeros, as in Apple Pay tokens: `978`.
    public let numericCode: String
    /// The number of decimals of the currency, 0…4: a unit is 10 to this power minor units.
    public let exponent: Int

    /// The currency with this alphabetic code in upper case; nil if ISO 4217 has none for payments.
    public init?(code: String) {
        guard let currency = Self.byCode[code] else { return nil }
        self = currency
    }

    /// The currency with this numeric code of three digits; nil if ISO 4217 has none for payments.
    public init?(numericCode: String) {
        guard let currency = Self.byNumericCode[numericCode] else { return nil }
        self = currency
    }

    private init(row: Substring) {
        let fields = row.split(separator: " ")
        guard fields.count == 3, let exponent = Int(fields[2]) else {
            preconditionFailure("a row of the table has a code, a numeric code and an exponent")
        }
        code = String(fields[0])
        numericCode = String(fields[1])
        self.exponent = exponent
    }

    /// All currencies, ordered by alphabetic code.
    public static let all: [Currency] = activeCurrencies.split(separator: "\n").map(Currency.init(row:))

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
    private static let byNumericCode = Dictionary(uniqueKeysWithValues: all.map { ($0.numericCode, $0) })

    private init(listed code: String) {
        guard let currency = Self.byCode[code] else { preconditionFailure("\(code) is in the table") }
        self = currency
    }

    /// The euro, 2 decimals.
    public static let eur = Currency(listed: "EUR")
    /// The US dollar, 2 decimals.
    public static let usd = Currency(listed: "USD")
    /// The yen, no decimals.
    public static let jpy = Currency(listed: "JPY")
    /// The Bahraini dinar, 3 decimals.
    public static let bhd = Currency(listed: "BHD")
}

extension Currency: CustomStringConvertible {
    /// The alphabetic code.
    public var description: String { code }
}
