/// An amount of a token or an order as human-readable text: `1.00 USD`.
package struct AmountText: CustomStringConvertible {
    /// The amount with its currency.
    package let description: String

    /// Formats an amount. If ISO 4217 doesn't list the currency, shows the minor units.
    ///
    /// - Parameter numericCode: the currency's numeric code, three digits, or any string from a peer.
    package init(_ minorUnits: Int64, _ numericCode: String) {
        guard let (code, exponent) = Self.currencies[numericCode] else {
            description = "\(minorUnits) minor units of currency \(Printable(numericCode))"
            return
        }
        let digits = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        let decimals = exponent == 0 ? "" : "." + padded.suffix(exponent)
        description = (minorUnits < 0 ? "-" : "") + padded.dropLast(exponent) + decimals + " " + code
    }

    /// A currency's alphabetic code; for a code that ISO 4217 doesn't list, a description with that code.
    package static func code(of numericCode: String) -> String {
        currencies[numericCode]?.code ?? "currency \(Printable(numericCode))"
    }

    /// The alphabetic code and the number of decimals by numeric code.
    private static let currencies = Dictionary(
        uniqueKeysWithValues: activeCurrencies.split(separator: "\n").map { row in
            let fields = row.split(separator: " ")
            guard fields.count == 3, let exponent = Int(fields[2]) else {
                preconditionFailure("a row of the table has a code, a numeric code and an exponent")
            }
            return (String(fields[1]), (code: String(fields[0]), exponent: exponent))
        })
}
