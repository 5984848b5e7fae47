internal import OpenSSL
internal import Payments
internal import Values
internal import XML

/// `PaymentSettlementStatus`: what became of a settlement, as a store is told of it later.
struct PaymentSettlementStatus {
    /// `SettlementStatus`.
    enum Status: String {
        /// The money moved.
        case settled = "S"
        /// It didn't.
        case refused = "R"
    }

    let status: Status
    /// Why it was refused.
    let declineReason: String?
    /// The transaction, if the ledger allowed it.
    private let transaction: Transaction?

    /// What a CAPTURE or REFUND came to.
    init(_ transaction: Transaction) {
        let isApproved = transaction.gatewayCode.isApproval
        status = isApproved ? .settled : .refused
        declineReason = isApproved ? nil : transaction.gatewayCode.rawValue
        self.transaction = transaction
    }

    /// What the ledger does not allow.
    init(refused reason: String) {
        status = .refused
        declineReason = reason
        transaction = nil
    }

    /// By which a store knows the event again. The same transaction has the same one, even if a gateway that ended before it
    /// answered makes the event anew; an order made again under the same names, after the store was emptied, has another.
    func eventID(of merchant: MerchantID) -> String? {
        guard let transaction else { return nil }
        let parts = [
            merchant.text, transaction.order.id.text, transaction.id.text, transaction.acquirer.transactionID ?? "",
            transaction.references.receipt, "\(transaction.timeOfRecord.millisecondsSinceEpoch)",
        ]
        // No identifier holds a zero.
        return String(Hexadecimal.encoded(SHA256.hash(Array(parts.joined(separator: "\0").utf8))).prefix(32))
    }

    /// The event, alone in its list.
    func text(
        _ request: PaymentSettlementRequest, _ tender: TenderType, token: String?, storeID: String
    ) throws(Fault) -> [UInt8] {
        try ReplyText.document("PaymentSettlementStatusList") { list throws(XMLUnwritable) in
            try list.element("PaymentSettlementStatus") { event throws(XMLUnwritable) in
                try request.context.write(to: &event, token: token)
                try event.element("TenderType", text: tender.rawValue)
                try event.element("Amount", request.amount)
                try event.element("SettlementType", text: request.type.rawValue)
                try event.element("SettlementStatus", text: status.rawValue)
                try event.element("DeclineReason", optionalText: declineReason)
                try event.element("ClientContext", optionalText: request.clientContext)
                try event.element("StoreId", text: storeID)
            }
        }
    }
}
