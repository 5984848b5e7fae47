internal import Values

/// An amount of money: a whole, non-negative number of a currency's minor units.
public struct Amount: Hashable, Sendable {
    /// The maximum amount in units of its currency, whatever its decimals.
    public static let unitsMax: Int64 = 1_000_000_000_000
    /// The maximum number of characters of an amount in decimal notation.
    public static let charactersMax = 14

    /// The number of minor units, from 0 to 10¹² units; with 4 decimals the maximum is 10¹⁶, far below the limit of 64
    /// bits.
    public let minorUnits: Int64
    /// The currency of the amount.
    public let currency: Currency

    /// Why a string is not an amount of a currency; the cases are in order of precedence.
    public enum Malformed: Error, Equatable, Sendable {
        /// Not one or more ASCII digits, optionally followed by a point and one or more digits.
        case notDecimal
        /// More than 14 characters.
        case length(Int)
        /// More decimals than the currency has, counting trailing zeros.
        case decimals(max: Int)
        /// More than 10¹² units.
        case exceedsMaximum
    }

    /// An amount from its number of minor units, which must be in range.
    public init(minorUnits: Int64, currency: Currency) {
        precondition(
            (0...Self.unitsMax * Self.scale(currency)).contains(minorUnits), "an amount is 0 to 10¹² units")
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// An amount from its number of minor units; nil if it is out of range.
    public init?(exactly minorUnits: Int64, _ currency: Currency) {
        guard (0...Self.unitsMax * Self.scale(currency)).contains(minorUnits) else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Parses a plain decimal: with two decimals `12.5` is 1250 minor units.
    ///
    /// - Source: Mastercard Gateway REST API, `order.amount`: 1 to 14 digits and points, at most the currency's decimals.
    public init(_ text: String, _ currency: Currency) throws(Malformed) {
        let bytes = text.utf8
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        let whole = bytes[..<point]
        let decimals = point == bytes.endIndex ? bytes[point...] : bytes[bytes.index(after: point)...]
        guard !whole.isEmpty, whole.allSatisfy(\.isDigit), decimals.allSatisfy(\.isDigit),
            point == bytes.endIndex || !decimals.isEmpty
        else { throw .notDecimal }
        guard bytes.count <= Self.charactersMax else { throw .length(bytes.count) }
        guard decimals.count <= currency.exponent else { throw .decimals(max: currency.exponent) }

        // 14 digits times 10⁴ fit into 64 bits.
        var units: Int64 = 0
        for byte in whole { units = units * 10 + Int64(byte.digit) }
        var fraction: Int64 = 0
        for byte in decimals { fraction = fraction * 10 + Int64(byte.digit) }
        for _ in decimals.count..<currency.exponent { fraction *= 10 }
        let scale = Self.scale(currency)
        // 14 characters leave no room for decimals after the maximum number of units.
        guard units <= Self.unitsMax else { throw .exceedsMaximum }
        minorUnits = units * scale + fraction
        self.currency = currency
    }

    /// The number of minor units in a unit: 1, 10, 100, 1000 or 10,000.
    private static func scale(_ currency: Currency) -> Int64 { powerOfTen(currency.exponent) }
}

extension Amount: CustomStringConvertible {
    /// The number with all the currency's decimals, without its code: `12.50`.
    public var description: String { Amount.decimal(minorUnits, exponent: currency.exponent) }

    /// A non-negative number of minor units as decimal units, always with `exponent` decimals.
    public static func decimal(_ minorUnits: Int64, exponent: Int) -> String {
        precondition(minorUnits >= 0, "money is counted from 0")
        guard exponent > 0 else { return String(minorUnits) }
        let (units, fraction) = minorUnits.quotientAndRemainder(dividingBy: powerOfTen(exponent))
        return String(units) + "." + Int(fraction).padded(to: exponent)
    }
}

/// A decimal number that is compared by value: `5656`, `5656.0` and `5656.00` are equal.
///
/// The key of the simulated acquirer's rows, which apply to currencies with any number of decimals.
public struct ExactDecimal: Hashable, Sendable {
    private let digits: Int64
    private let decimals: Int

    /// The value of an amount, without its currency.
    public init(_ amount: Amount) { self.init(digits: amount.minorUnits, decimals: amount.currency.exponent) }

    /// Parses a plain decimal of at most 14 characters and 4 decimals; nil if the string is not one.
    public init?(_ text: String) {
        guard let widest = Currency(code: "CLF"), let amount = try? Amount(text, widest) else { return nil }
        self.init(amount)
    }

    private init(digits: Int64, decimals: Int) {
        var (digits, decimals) = (digits, decimals)
        while decimals > 0, digits % 10 == 0 { (digits, decimals) = (digits / 10, decimals - 1) }
        self.digits = digits
        self.decimals = decimals
    }
}

extension ExactDecimal: Comparable {
    /// By value. No number has more than 14 digits and 4 decimals, so none overflows.
    public static func < (one: ExactDecimal, other: ExactDecimal) -> Bool { one.tenThousandths < other.tenThousandths }

    /// The number in ten-thousandths of a unit.
    public var tenThousandths: Int64 { (decimals..<4).reduce(digits) { digits, _ in digits * 10 } }
}

extension ExactDecimal: CustomStringConvertible {
    /// The shortest form.
    public var description: String { Amount.decimal(digits, exponent: decimals) }
}
