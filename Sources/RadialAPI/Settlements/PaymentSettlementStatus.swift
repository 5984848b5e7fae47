internal import OpenSSL
internal import Payments
internal import Values
public import Vault
internal import XML

/// `PaymentSettlementStatus`: the outcome of a settlement, sent to the store later.
struct PaymentSettlementStatus {
    /// `SettlementStatus`.
    enum Status: String {
        /// The money moved.
        case settled = "S"
        /// The money did not move.
        case refused = "R"
    }

    let status: Status
    /// Why the settlement was refused.
    let declineReason: String?
    /// The transaction; nil if the ledger refused it.
    private let transaction: Transaction?

    /// The status of a CAPTURE or REFUND.
    init(_ transaction: Transaction) {
        let isApproved = transaction.gatewayCode.isApproval
        status = isApproved ? .settled : .refused
        declineReason = isApproved ? nil : transaction.gatewayCode.rawValue
        self.transaction = transaction
    }

    /// The status of a settlement that the ledger refused.
    init(refused reason: String) {
        status = .refused
        declineReason = reason
        transaction = nil
    }

    /// The event's id, by which a store detects duplicates; nil if there is no transaction.
    ///
    /// The same transaction always has the same id, even if the event is created again after a crash. If the gateway's
    /// database was emptied and an order with the same ids is created, its event has a different id.
    func eventID(of merchant: MerchantID) -> String? {
        guard let transaction else { return nil }
        let parts = [
            merchant.text, transaction.order.id.text, transaction.id.text, transaction.acquirer.transactionID ?? "",
            transaction.references.receipt, "\(transaction.timeOfRecord.millisecondsSinceEpoch)",
        ]
        // A NUL separates the parts, as no identifier contains one.
        return String(Hexadecimal.encoded(SHA256.hash(Array(parts.joined(separator: "\0").utf8))).prefix(32))
    }

    /// Returns the XML of a list with this event only.
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

extension OutboxKind {
    /// Settlement statuses.
    public static let settlementStatus = OutboxKind("settlementStatus")
}
