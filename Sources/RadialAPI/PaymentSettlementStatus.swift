internal import Payments
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

    /// What a CAPTURE or REFUND came to.
    init(_ transaction: Transaction) {
        let isApproved = transaction.gatewayCode.isApproval
        status = isApproved ? .settled : .refused
        declineReason = isApproved ? nil : transaction.gatewayCode.rawValue
    }

    /// What the ledger does not allow.
    init(refused reason: String) {
        status = .refused
        declineReason = reason
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
