internal import JSON
internal import Payments
internal import Values

/// The query of a list of orders.
struct OrderSearch: Equatable {
    private let parameters: [String: String]
    let query: OrderQuery

    static func == (one: OrderSearch, other: OrderSearch) -> Bool { one.parameters == other.parameters }

    private static let names = ["merchant", "order", "status", "amount", "wallet", "lastFour", "before", "limit"]
    private static let countByDefault = 50

    /// Parses a query in which each parameter is optional.
    init(query text: String?) throws(ControlFault) {
        let parameters = try ControlQuery(text, Self.names)
        var query = OrderQuery(
            count: try parameters.integer("limit", in: 1...OrderQuery.countMax) ?? Self.countByDefault)
        query.merchant = try parameters.value("merchant", "a merchant identifier") { try? MerchantID($0) }
        query.order = try parameters.value("order", "a whole order identifier of 1 to 40 characters") {
            try? OrderID($0)
        }
        query.status = try parameters.word("status", OrderStatus.self)
        query.amount = try parameters.value("amount", "a decimal such as 12.00") { ExactDecimal($0) }
        query.wallet = try parameters.word("wallet", WalletProvider.self)
        query.lastFour = try parameters.value("lastFour", "four digits") { text in
            text.utf8.count == 4 && text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? text : nil
        }
        query.before = parameters["before"].map { OrderPosition($0) }
        self.query = query
        self.parameters = Dictionary(
            uniqueKeysWithValues: Self.names.compactMap { name in
                parameters[name].map { (name, $0) }
            })
    }
}

extension OrderPage {
    /// The page as JSON.
    var json: JSONValue {
        var members: JSONObject = ["orders": .array(orders.map(\.json))]
        members["next"] = next.map { .string($0.text) }
        return .object(members)
    }
}

extension ListedOrder {
    /// The order as JSON; the members have the names of RETRIEVE_ORDER's reply where that has them.
    fileprivate var json: JSONValue {
        func decimal(_ minorUnits: Int64) -> JSONValue {
            .string(Amount.decimal(minorUnits, exponent: order.currency.exponent))
        }
        var members: JSONObject = [
            "amount": .string(order.amount.description), "creationTime": .string(order.creationTime.description),
            "currency": .string(order.currency.code), "lastUpdatedTime": .string(order.lastUpdatedTime.description),
            "merchant": .string(PeerText.shown(order.merchant.text)), "order": .string(PeerText.shown(order.id.text)),
            "status": .string(order.status.rawValue),
            "totalAuthorizedAmount": decimal(order.totals.authorizedMinorUnits),
            "totalCapturedAmount": decimal(order.totals.capturedMinorUnits),
            "totalRefundedAmount": decimal(order.totals.refundedMinorUnits),
        ]
        members["lastFour"] = lastFour.map { .string($0) }
        members["walletProvider"] = order.walletProvider.map { .string($0.rawValue) }
        return .object(members)
    }
}
