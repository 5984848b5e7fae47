internal import JSON
internal import Values
public import Vault

extension Order {
    /// The order's serialized form, the same for every store.
    public var record: [UInt8] {
        var record = JSONWriter()
        write(to: &record, format: RecordFormat.current)
        return record.bytes
    }

    /// Reads an order from its serialized form.
    public init(record: [UInt8]) throws(RecordFault) {
        try self.init(RecordReader(record: record))
    }

    /// Writes the order, either as a record of its own, which includes the format's number, or as a part of a
    /// transaction's record. As in every record, the members are in ascending order.
    func write(to record: inout JSONWriter, format: Int64? = nil) {
        record.beginObject()
        record.member("amount", amount.minorUnits)
        record.member("authenticationStatus", authenticationStatus?.rawValue)
        record.member("authorized", totals.authorizedMinorUnits)
        record.member("captured", totals.capturedMinorUnits)
        record.member("created", creationTime.millisecondsSinceEpoch)
        record.member("currency", currency.code)
        record.member("disbursed", totals.disbursedMinorUnits)
        if let format { record.member("format", format) }
        record.member("id", id.text)
        record.member("merchant", merchant.text)
        if let particularsByteCount { record.member("particularsBytes", particularsByteCount) }
        record.member("refunded", totals.refundedMinorUnits)
        record.member("status", status.rawValue)
        record.member("updated", lastUpdatedTime.millisecondsSinceEpoch)
        record.member("version", version)
        record.member("wallet", walletProvider?.rawValue)
        record.endObject()
    }

    init(_ reader: RecordReader) throws(RecordFault) {
        guard let merchant = try? MerchantID(try reader.string("merchant")) else { throw .member("merchant") }
        guard let id = try? OrderID(recorded: try reader.string("id")) else { throw .member("id") }
        guard let currency = Currency(code: try reader.string("currency")) else { throw .member("currency") }
        let version = try reader.integer("version")
        guard version >= 1 else { throw .member("version") }
        self.init(
            key: OrderKey(merchant: merchant, order: id), amount: try reader.amount("amount", currency),
            status: try reader.element("status"),
            totals: OrderTotals(
                authorizedMinorUnits: try reader.count("authorized"), capturedMinorUnits: try reader.count("captured"),
                refundedMinorUnits: try reader.count("refunded"), disbursedMinorUnits: try reader.count("disbursed")),
            creationTime: try reader.instant("created"), lastUpdatedTime: try reader.instant("updated"),
            walletProvider: try reader.elementIfPresent("wallet"),
            authenticationStatus: try reader.elementIfPresent("authenticationStatus"), version: version,
            particularsByteCount: try reader.countIfPresent("particularsBytes"))
    }
}
