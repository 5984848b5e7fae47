internal import Payments
internal import Vault
internal import XML

/// `CreditCardAuthReply`, built from the transaction. A repeated request gets the same bytes.
struct CreditCardAuthReply {
    private let transaction: Transaction
    private let schemaVersion: SchemaVersion
    private let isWallet: Bool

    init(_ transaction: Transaction, to request: CreditCardAuthRequest) {
        self.transaction = transaction
        schemaVersion = request.schemaVersion
        isWallet = if case .wallet = request.funds { true } else { false }
    }

    /// The reply, with its elements in the documented order.
    var text: [UInt8] {
        get throws(Fault) {
            guard let token = transaction.card.accountToken, let object = transaction.acquirer.apiCodes else {
                throw .otherAPI
            }
            guard let codes = RadialCodes(object) else {
                throw Fault(StoreFailure.damaged(detail: "a transaction's codes are none of Radial's"))
            }
            let isApproved = transaction.gatewayCode.isApproval
            let authorized = Amount(
                minorUnits: transaction.approvedMinorUnits, currency: transaction.amount.currency)
            let tender = TenderType(ofReply: transaction.card.brand)
            return try ReplyText.document("CreditCardAuthReply") { reply throws(XMLUnwritable) in
                try reply.paymentContext(transaction.order.id, token: token)
                if schemaVersion >= .withResponseCode {
                    try reply.element("ResponseCode", text: codes.responseCode.rawValue)
                }
                try reply.element("AuthorizationResponseCode", text: codes.authorizationResponseCode)
                try reply.element(
                    "BankAuthorizationCode",
                    text: isApproved ? transaction.references.authorizationCode ?? "" : "")
                try reply.element("CVV2ResponseCode", text: codes.cvv2ResponseCode)
                try reply.element("AVSResponseCode", text: codes.avsResponseCode)
                // For American Express only. The documented reply has them empty for a Visa card.
                try reply.element("PhoneResponseCode", text: codes.payer?.phone ?? "")
                try reply.element("NameResponseCode", text: codes.payer?.name ?? "")
                try reply.element("EmailResponseCode", text: codes.payer?.email ?? "")
                try reply.element("AmountAuthorized", authorized)
                if isWallet || schemaVersion >= .withTenderType {
                    try reply.element("TenderType", text: tender.rawValue)
                }
            }
        }
    }
}

/// Writes replies as XML documents.
enum ReplyText {
    /// A reply in Radial's namespace.
    static func document(
        _ name: StaticString, content: (inout XMLWriter) throws(XMLUnwritable) -> Void
    ) throws(Fault) -> [UInt8] {
        do throws(XMLUnwritable) {
            return try XMLWriter.document(name, namespace: RadialNamespace.checkout, content: content)
        } catch {
            throw .unwritable
        }
    }
}

extension Fault {
    /// The transaction was made by Mastercard's API, so the codes that this API's reply needs are unknown.
    static let otherAPI = Fault(
        .duplicateRequest, "/CreditCardAuthRequest/@requestId",
        "the order has a transaction of this name that was not made by this API")
}
