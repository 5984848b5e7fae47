internal import JSON
internal import Values
internal import Vault

extension RecordReader {
    /// Reads an amount as minor units of a currency.
    func amount(_ name: String, _ currency: Currency) throws(RecordFault) -> Amount {
        guard let amount = Amount(exactly: try integer(name), currency) else { throw .member(name) }
        return amount
    }

    /// Reads a card's expiry.
    func expiry(_ name: String) throws(RecordFault) -> CardExpiry {
        let object = try self.object(name)
        guard let month = Int(exactly: try object.integer("month")),
            let year = Int(exactly: try object.integer("year")),
            let expiry = CardExpiry(month: month, year: year)
        else { throw .member(name) }
        return expiry
    }

    /// Reads a card's expiry; nil if the member is absent.
    func expiryIfPresent(_ name: String) throws(RecordFault) -> CardExpiry? {
        try objectIfPresent(name) == nil ? nil : expiry(name)
    }
}

extension JSONWriter {
    /// Writes an expiry unless it is absent.
    mutating func member(_ name: StaticString, _ expiry: CardExpiry?) {
        guard let expiry else { return }
        member(name)
        beginObject()
        member("month", Int64(expiry.month))
        member("year", Int64(expiry.year))
        endObject()
    }
}
