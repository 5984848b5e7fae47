internal import JSON
internal import Payments

/// The reply to RETRIEVE_ORDER: the order's members at the top, then its transactions, oldest first, each as its own
/// reply would show it now.
struct OrderReply {
    private let history: OrderHistory
    private let version: APIVersion

    /// - Parameter version: the version of the request's path, which the transactions repeat.
    init(_ history: OrderHistory, version: APIVersion) {
        self.history = history
        self.version = version
    }

    /// The reply.
    var value: JSONValue {
        var reply = OrderMembers.all(of: history.order, after: history.transactions)
        reply["merchant"] = .string(history.order.merchant.text)
        reply["result"] = "SUCCESS"
        reply["sourceOfFunds"] = history.transactions.last?.card.sourceOfFunds
        for transaction in history.transactions {
            guard case .object(var particulars) = transaction.particulars else { continue }
            if case .object(let ofOrder) = particulars["order"] { reply.merge(ofOrder) }
            for name in ["correlationId", "order", "transaction"] { particulars[name] = nil }
            reply.merge(particulars)
        }
        if let risk = history.transactions.last.flatMap(RiskAssessment.init) {
            reply["risk"] = ["response": risk.value]
        }
        reply = version.gates.apply(toOrder: reply)
        reply["transaction"] = .array(
            history.transactions.map { TransactionReply($0, order: history.order, version: version).value })
        return .object(reply)
    }
}

/// The members of an order that every reply about it has.
enum OrderMembers {
    /// - Parameter transactions: those that the reply shows, oldest first; the acquirer's part is the last one's.
    static func all(of order: Order, after transactions: [Transaction]) -> JSONObject {
        let currency = order.currency
        let code = JSONValue.string(currency.code)
        var members: JSONObject = [
            "amount": .amount(order.amount),
            "chargeback": ["amount": 0, "currency": code],
            "creationTime": .time(order.creationTime),
            "currency": code,
            "id": .string(order.id.text),
            "lastUpdatedTime": .time(order.lastUpdatedTime),
            "merchantAmount": .amount(order.amount),
            "merchantCurrency": code,
            "status": .string(order.status.rawValue),
            "totalAuthorizedAmount": .amount(minorUnits: order.totals.authorizedMinorUnits, currency),
            "totalCapturedAmount": .amount(minorUnits: order.totals.capturedMinorUnits, currency),
            "totalDisbursedAmount": .amount(minorUnits: order.totals.disbursedMinorUnits, currency),
            "totalRefundedAmount": .amount(minorUnits: order.totals.refundedMinorUnits, currency),
        ]
        members.add([
            "authenticationStatus": transactions.contains { $0.type.asksThePayer }
                ? order.authenticationStatus?.rawValue : nil,
            "merchantCategoryCode": transactions.last?.acquirer.merchantCategoryCode,
            "walletProvider": order.walletProvider?.rawValue,
        ])
        // Unless the merchant says so an authorization is for the final amount.
        if transactions.contains(where: \.type.isOfAuthorization) { members["certainty"] = "FINAL" }
        return members
    }
}
