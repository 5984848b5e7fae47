internal import Payments
internal import XML

extension XMLElement {
    /// A non-negative amount with the attribute `currencyCode`. It has at most two decimals.
    func amount() throws(Fault) -> Amount {
        let text = try collapsedText(attributes: ["currencyCode"])
        let currencyPath = "\(path)/@currencyCode"
        guard let code = attribute("currencyCode") else { throw .missing(currencyPath) }
        guard let currency = Currency(code: code) else { throw .invalid(currencyPath, "must be a code of ISO 4217") }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var decimals = parts.count == 2 ? String(Substring(parts[1])) : ""
        guard parts.count <= 2, decimals.utf8.count <= 2, parts.count == 1 || !decimals.isEmpty else {
            throw .invalid(path, "must be a decimal with at most two decimals, such as 14.99")
        }
        // Every currency accepts two decimals, if those beyond its exponent are zeros.
        while decimals.utf8.count > currency.exponent, decimals.hasSuffix("0") { decimals.removeLast() }
        let whole = parts.first.map { String(Substring($0)) } ?? ""
        do throws(Amount.Malformed) {
            return try Amount(decimals.isEmpty ? whole : whole + "." + decimals, currency)
        } catch .decimals(let max) {
            throw .invalid(path, "the currency has \(max) decimals")
        } catch .exceedsMaximum {
            throw .invalid(path, "must not be more than \(Amount.unitsMax)")
        } catch {
            throw .invalid(path, "must be a decimal with at most two decimals, such as 14.99")
        }
    }
}

extension XMLWriter {
    /// Writes an amount with its currency.
    mutating func element(_ name: StaticString, _ amount: Amount) throws(XMLUnwritable) {
        try element(name, attributes: ["currencyCode": amount.currency.code], text: amount.description)
    }
}
