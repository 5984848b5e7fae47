internal import Payments
internal import XML

/// `PaymentSettlementRequest`.
struct PaymentSettlementRequest {
    /// `SettlementType`.
    enum SettlementType: String, CaseIterable {
        /// Capture the authorized amount.
        case debit = "Debit"
        /// Refund a captured amount.
        case credit = "Credit"
    }

    let requestID: TransactionID
    let context: PaymentContext
    let amount: Amount
    let type: SettlementType
    /// An opaque value that the event returns, so that the store can correlate it.
    let clientContext: String?

    private static let names: Set = [
        "PaymentContext", "PaymentContextBase", "InvoiceId", "Amount", "TaxAmount", "SettlementType",
        "AuthorizationResponseCode", "AuthorizationDate", "ExpirationDate", "ClientContext", "FinalDebit",
        "BillingAddress", "InvoiceData", "RefundReason",
    ]

    /// Reads a request. Elements that the ledger doesn't use are validated and ignored.
    init(_ root: XMLElement) throws(Fault) {
        let fields = try ElementFields(root, known: Self.names, attributes: ["requestId", "sessionId"])
        requestID = try fields.requestID()
        context = try PaymentContext(byTokenIn: fields)
        _ = try fields.optional("InvoiceId", .length(1...20))
        amount = try fields.required("Amount").amount()
        let tax = try fields.required("TaxAmount")
        let taxAmount = try tax.amount()
        guard taxAmount.currency == amount.currency else {
            throw .invalid("\(tax.path)/@currencyCode", "must be the currency of the amount")
        }
        guard taxAmount.minorUnits <= amount.minorUnits else {
            throw .invalid(tax.path, "must not be more than the amount")
        }
        let word = try fields.required("SettlementType", .oneOf(SettlementType.allCases.map(\.rawValue)))
        type = word == SettlementType.debit.rawValue ? .debit : .credit
        if let code = try fields.optional("AuthorizationResponseCode", .notBlank),
            !RadialCodes.authorizationResponseCodes.contains(code)
        {
            throw .invalid(fields.path("AuthorizationResponseCode"), "must be a code of an authorization's reply")
        }
        _ = try fields.optional("AuthorizationDate", .notBlank)
        _ = try fields.optional("ExpirationDate", .notBlank)
        clientContext = try fields.optional("ClientContext", .length(0...1000))
        _ = try fields.optionalBoolean("FinalDebit")
        if let address = fields["BillingAddress"] { _ = try PostalAddress(address) }
        _ = try fields.optional("RefundReason", .length(0...1000))
    }
}
