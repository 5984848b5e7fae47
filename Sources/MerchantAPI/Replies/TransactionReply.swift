internal import JSON
internal import Payments
internal import Values

/// The reply to an operation on a transaction and to RETRIEVE_TRANSACTION. It has the members of the real gateway's
/// reply; members without a known value are absent, never invented.
struct TransactionReply {
    private let transaction: Transaction
    private let order: Order
    private let version: APIVersion

    /// - Parameters:
    ///   - order: the order's state in the reply: right after the transaction, or the current one.
    ///   - version: the version in the request's path.
    init(_ transaction: Transaction, order: Order, version: APIVersion) {
        self.transaction = transaction
        self.order = order
        self.version = version
    }

    /// The reply, in UTF-8.
    var text: [UInt8] {
        var reply = ReplyWriter(transaction.particulars, .ofTransaction(version: version.number))
        write(to: &reply)
        return reply.finish()
    }

    /// Writes the members of the reply.
    func write(to reply: inout ReplyWriter) {
        let risk = RiskAssessment(transaction)?.value
        if let response = transaction.authorizationResponse {
            response.write(to: &reply, cardSecurityCodeError: transaction.acquirer.cardSecurityCode?.acquirerCode)
        }
        reply.member("gatewayEntryPoint", "WEB_SERVICES_API")
        reply.member("merchant", order.merchant.text)
        if reply.beginObject("order") {
            OrderMembers.write(order, after: [transaction], to: &reply)
            reply.endObject()
        }
        writeResponse(to: &reply, risk)
        reply.member("result", transaction.result.rawValue)
        if let risk, reply.beginObject("risk") {
            reply.member("response", risk)
            reply.endObject()
        }
        transaction.card.writeSourceOfFunds(to: &reply)
        reply.member("timeOfLastUpdate", order.lastUpdatedTime)
        reply.member("timeOfRecord", transaction.timeOfRecord)
        writeTransaction(to: &reply)
        reply.member("version", version.text)
    }

    private func writeResponse(to reply: inout ReplyWriter, _ risk: JSONValue?) {
        guard reply.beginObject("response") else { return }
        reply.member("acquirerCode", transaction.acquirer.code)
        reply.member("acquirerMessage", transaction.acquirer.message)
        if let result = transaction.acquirer.cardSecurityCode, reply.beginObject("cardSecurityCode") {
            reply.member("acquirerCode", result.acquirerCode)
            reply.member("gatewayCode", result.gatewayCode.rawValue)
            reply.endObject()
        }
        if let result = transaction.acquirer.addressVerification, reply.beginObject("cardholderVerification") {
            if reply.beginObject("avs") {
                reply.member("acquirerCode", result.acquirerCode)
                reply.member("gatewayCode", result.gatewayCode.rawValue)
                reply.endObject()
            }
            reply.endObject()
        }
        reply.member("gatewayCode", transaction.gatewayCode.rawValue)
        reply.member("gatewayRecommendation", transaction.recommendation?.rawValue)
        // The member's place before version 30.
        reply.member("risk", risk)
        reply.endObject()
    }

    private func writeTransaction(to reply: inout ReplyWriter) {
        guard reply.beginObject("transaction") else { return }
        writeAcquirer(to: &reply)
        reply.member("amount", transaction.amount)
        reply.member(
            "authenticationStatus",
            transaction.type.asksThePayer ? transaction.authenticationStatus?.rawValue : nil)
        reply.member("authorizationCode", hasAuthorizationCode ? transaction.references.authorizationCode : nil)
        reply.member("currency", transaction.amount.currency.code)
        reply.member("frequency", "SINGLE")
        reply.member("id", transaction.id.text)
        reply.member("receipt", transaction.references.receipt)
        reply.member("source", transaction.source.rawValue)
        reply.member("stan", String(transaction.references.systemTraceAuditNumber))
        reply.member("terminal", transaction.acquirer.terminal)
        reply.member("type", transaction.type.rawValue)
        reply.endObject()
    }

    /// Writes the acquirer's part. The documented sample of wallet payments has no settlement.
    private func writeAcquirer(to reply: inout ReplyWriter) {
        guard reply.beginObject("acquirer") else { return }
        let isSettled = transaction.card.device == nil && transaction.acquirer.code != nil
        reply.member("batch", Int64(transaction.acquirer.batch))
        reply.member("date", transaction.acquirer.date)
        reply.member("id", transaction.acquirer.id)
        reply.member("merchantId", transaction.acquirer.merchantID)
        if isSettled {
            reply.member("settlementDate", String(transaction.timeOfRecord.description.prefix(10)))
            reply.member("timeZone", "+0000")
        }
        reply.member("transactionId", transaction.acquirer.transactionID)
        reply.endObject()
    }

    /// Whether the version's replies to this type of transaction have the authorization code, as far as recorded
    /// replies show.
    private var hasAuthorizationCode: Bool {
        switch transaction.type {
        case .authorization, .authorizationUpdate, .capture, .payment, .verification: true
        case .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: version.number >= 30
        case .refund: (30..<71).contains(version.number)
        }
    }
}

extension TransactionType {
    /// Whether the payer is present for this type, so that replies have the status of payer authentication.
    var asksThePayer: Bool {
        switch self {
        case .authorization, .payment, .verification: true
        case .authorizationUpdate, .capture, .refund, .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: false
        }
    }

    /// Whether the order has an authorization; only that can be for an estimated amount.
    var isOfAuthorization: Bool {
        switch self {
        case .authorization, .authorizationUpdate, .capture, .voidAuthorization, .voidCapture: true
        case .payment, .refund, .verification, .voidPayment, .voidRefund: false
        }
    }
}

extension AuthorizationResponse {
    fileprivate func write(to reply: inout ReplyWriter, cardSecurityCodeError: String?) {
        guard reply.beginObject("authorizationResponse") else { return }
        let scheme = constants.scheme
        reply.member("cardLevelIndicator", scheme.cardLevelIndicator)
        reply.member("cardSecurityCodeError", cardSecurityCodeError)
        reply.member("commercialCard", scheme.commercialCard)
        reply.member("commercialCardIndicator", scheme.commercialCardIndicator)
        reply.member("date", date)
        reply.member("financialNetworkCode", scheme.financialNetworkCode)
        reply.member("marketSpecificData", scheme.marketSpecificData)
        reply.member("posData", constants.posData)
        reply.member("posEntryMode", constants.posEntryMode)
        reply.member("processingCode", constants.processingCode)
        reply.member("responseCode", responseCode)
        reply.member("returnAci", scheme.returnAci)
        reply.member("stan", stan)
        reply.member("time", time)
        reply.member("transactionIdentifier", transactionIdentifier)
        reply.member("transactionIntegrityClass", scheme.transactionIntegrityClass)
        reply.member("validationCode", scheme.validationCode)
        reply.endObject()
    }
}

extension CardSummary {
    /// Writes `sourceOfFunds` of a reply.
    func writeSourceOfFunds(to reply: inout ReplyWriter) {
        guard reply.beginObject("sourceOfFunds") else { return }
        if reply.beginObject("provided") {
            writeCard(to: &reply)
            reply.endObject()
        }
        reply.member("type", "CARD")
        reply.endObject()
    }

    private func writeCard(to reply: inout ReplyWriter) {
        guard reply.beginObject("card") else { return }
        reply.member("brand", brand.rawValue)
        if let device {
            if reply.beginObject("devicePayment") {
                reply.member("cryptogramFormat", device.cryptogramFormat.rawValue)
                reply.endObject()
            }
            reply.member("deviceSpecificExpiry", device.expiry)
            reply.member("deviceSpecificNumber", device.number)
            reply.member("encryption", "DEVICE")
        }
        reply.member("expiry", expiry)
        reply.member("fundingMethod", fundingMethod.rawValue)
        reply.member("issuer", issuer)
        reply.member("nameOnCard", nameOnCard?.revealed().maskingAccountNumbers())
        reply.member("number", number)
        reply.member("scheme", scheme.rawValue)
        reply.member("storedOnFile", storedOnFile.rawValue)
        reply.endObject()
    }
}
