internal import ApplePay
internal import JSON

extension Order {
    /// The order's durable form, the same for every store.
    public var record: [UInt8] {
        var members = recordMembers
        members.set("format", RecordFormat.current)
        return JSONValue.object(members).serialized()
    }

    /// Reads an order's durable form.
    public init(record: [UInt8]) throws(RecordFault) {
        try self.init(RecordReader(record: record))
    }

    /// The members, for a record of the order's own or of a transaction.
    var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("amount", amount.minorUnits)
        members.set("authenticationStatus", authenticationStatus?.rawValue)
        members.set("authorized", totals.authorizedMinorUnits)
        members.set("captured", totals.capturedMinorUnits)
        members.set("created", creationTime.millisecondsSinceEpoch)
        members.set("currency", currency.code)
        members.set("disbursed", totals.disbursedMinorUnits)
        members.set("id", id.text)
        members.set("merchant", merchant.text)
        members.set("refunded", totals.refundedMinorUnits)
        members.set("status", status.rawValue)
        members.set("updated", lastUpdatedTime.millisecondsSinceEpoch)
        members.set("version", version)
        members.set("wallet", walletProvider?.rawValue)
        return members
    }

    init(_ reader: RecordReader) throws(RecordFault) {
        guard let merchant = try? MerchantID(try reader.string("merchant")) else { throw .member("merchant") }
        guard let id = try? OrderID(try reader.string("id")) else { throw .member("id") }
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
            authenticationStatus: try reader.elementIfPresent("authenticationStatus"), version: version)
    }
}
