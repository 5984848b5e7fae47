internal import JSON
internal import Payments
internal import Values

/// The reply to RETRIEVE_ORDER: the order's members at the top level, then its transactions, oldest first, each in
/// the form of its own reply.
struct OrderReply: Sendable {
    private let history: OrderHistory
    private let version: APIVersion

    /// - Parameter version: the version in the request's path, which the transactions repeat.
    init(_ history: OrderHistory, version: APIVersion) {
        self.history = history
        self.version = version
    }

    /// The reply, in UTF-8.
    var text: [UInt8] {
        var reply = ReplyWriter(.object(said), .ofOrder(version: version.number))
        OrderMembers.write(history.order, after: history.transactions, history: self, to: &reply)
        return reply.finish()
    }

    /// The reply of a large order, created off the event loop.
    @concurrent func textBesideOthers() async -> [UInt8] { text }

    /// The order's members from all requests, later ones overriding earlier ones, with the reply's own members that
    /// no request has.
    private var said: JSONObject {
        var said = JSONObject()
        for transaction in history.transactions {
            guard case .object(var particulars) = transaction.particulars else { continue }
            if case .object(let ofOrder) = particulars["order"] { said.merge(ofOrder) }
            for name in ["correlationId", "order", "transaction"] { particulars[name] = nil }
            said.merge(particulars)
        }
        if let risk = history.transactions.last.flatMap(RiskAssessment.init) {
            var whole = JSONObject()
            if case .object(let members) = said["risk"] { whole = members }
            whole["response"] = risk.value
            said["risk"] = .object(whole)
        }
        said["merchant"] = .string(history.order.merchant.text)
        said["result"] = "SUCCESS"
        return said
    }

    fileprivate func writeTransactions(to reply: inout ReplyWriter) {
        guard reply.beginArray("transaction") else { return }
        for transaction in history.transactions {
            reply.beginElement(transaction.particulars, .ofTransaction(version: version.number))
            TransactionReply(transaction, order: history.order, version: version).write(to: &reply)
            reply.endObject()
        }
        reply.endArray()
    }
}

/// The members of an order that every reply about it has.
enum OrderMembers {
    /// - Parameters:
    ///   - transactions: the transactions in the reply, oldest first; the acquirer's part is that of the last one.
    ///   - history: the reply with the order's members at the top level.
    static func write(
        _ order: Order, after transactions: [Transaction], history: OrderReply? = nil, to reply: inout ReplyWriter
    ) {
        let code = order.currency.code
        reply.member("amount", order.amount)
        reply.member(
            "authenticationStatus",
            transactions.contains { $0.type.asksThePayer } ? order.authenticationStatus?.rawValue : nil)
        // By default an authorization is for the final amount.
        reply.member("certainty", transactions.contains(where: \.type.isOfAuthorization) ? "FINAL" : nil)
        if reply.beginObject("chargeback") {
            reply.member("amount", Int64(0))
            reply.member("currency", code)
            reply.endObject()
        }
        reply.member("creationTime", order.creationTime)
        reply.member("currency", code)
        reply.member("id", order.id.text)
        reply.member("lastUpdatedTime", order.lastUpdatedTime)
        reply.member("merchantAmount", order.amount)
        reply.member("merchantCategoryCode", transactions.last?.acquirer.merchantCategoryCode)
        reply.member("merchantCurrency", code)
        if history != nil { transactions.last?.card.writeSourceOfFunds(to: &reply) }
        reply.member("status", order.status.rawValue)
        reply.member("totalAuthorizedAmount", minorUnits: order.totals.authorizedMinorUnits, order.currency)
        reply.member("totalCapturedAmount", minorUnits: order.totals.capturedMinorUnits, order.currency)
        reply.member("totalDisbursedAmount", minorUnits: order.totals.disbursedMinorUnits, order.currency)
        reply.member("totalRefundedAmount", minorUnits: order.totals.refundedMinorUnits, order.currency)
        history?.writeTransactions(to: &reply)
        reply.member("walletProvider", order.walletProvider?.rawValue)
    }
}
