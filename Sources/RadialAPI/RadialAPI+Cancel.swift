internal import Access
internal import Payments
internal import Values
internal import XML

/// `PaymentAuthCancelRequest`.
private struct PaymentAuthCancelRequest {
    let requestID: TransactionID
    let context: PaymentContext
    let amount: Amount

    init(_ root: XMLElement) throws(Fault) {
        let names: Set = ["PaymentContext", "PaymentContextBase", "Amount"]
        let fields = try ElementFields(root, known: names, attributes: ["requestId", "sessionId"])
        requestID = try fields.requestID()
        context = try PaymentContext(byTokenIn: fields)
        amount = try fields.required("Amount").amount()
    }
}

/// `PaymentAuthCancelReply`.
private struct PaymentAuthCancelReply {
    /// `ResponseCode`.
    enum ResponseCode: String {
        case success = "Success"
        case fail = "Fail"
        case timeout = "Timeout"
    }

    let responseCode: ResponseCode
    /// Why the cancellation failed, as a fault code; nil if it did not.
    var extendedResponseCode: FaultCode?

    /// The reply to a VOID.
    init(_ transaction: Transaction) {
        switch transaction.gatewayCode {
        case .approved, .partiallyApproved: responseCode = .success
        case .timedOut, .unknown, .pending, .submitted: responseCode = .timeout
        default: responseCode = .fail
        }
    }

    init(failing code: FaultCode) {
        responseCode = .fail
        extendedResponseCode = code
    }

    func text(
        _ request: PaymentAuthCancelRequest, _ tender: TenderType, _ call: Call, token: String?
    ) throws(Fault) -> [UInt8] {
        try ReplyText.document("PaymentAuthCancelReply") { reply throws(XMLUnwritable) in
            try request.context.write(to: &reply, token: token)
            try reply.element("TenderType", text: tender.rawValue)
            try reply.element("ResponseCode", text: responseCode.rawValue)
            try reply.element("Amount", request.amount)
            try reply.element("ExtendedResponseCode", text: extendedResponseCode?.rawValue ?? "")
            try reply.element("StoreId", text: call.storeID)
        }
    }
}

extension RadialService {
    /// Cancels an authorization.
    static let authCancel = RadialService("PaymentAuthCancel", at: "auth/cancel", tender: .required) {
        (api, call) throws(Fault) in try await api.cancel(call, try call.tender)
    }
}

extension RadialAPI {
    /// `PaymentAuthCancel`: a VOID of the order's whole authorization.
    func cancel(_ call: Call, _ tender: TenderType) async throws(Fault) -> [UInt8] {
        let request = try PaymentAuthCancelRequest(call.root)
        let orderID = request.context.orderID
        call.trace.note(order: orderID.text, transaction: request.requestID.text)
        let parameters = RequestParameters.text(of: call.root, "cancel/\(tender.rawValue)")
        return try await once(request.requestID, call, parameters) { () throws(Fault) in
            let order = try await order(request.context, call, tender)
            let token = order?.card?.accountToken ?? request.context.shownToken
            let reply = try await cancel(request, order, call, parameters)
            return try reply.text(request, tender, call, token: token)
        }
    }

    private func cancel(
        _ request: PaymentAuthCancelRequest, _ order: AuthorizedOrder?, _ call: Call, _ parameters: SecretText
    ) async throws(Fault) -> PaymentAuthCancelReply {
        let orderID = request.context.orderID
        if let before = try await answered(request.requestID, orderID, call, parameters) {
            call.trace.note(before)
            return PaymentAuthCancelReply(before)
        }
        guard let order, let authorization = order.ledger.authorization else {
            return PaymentAuthCancelReply(failing: .noAuthFound)
        }
        let authorized = [order.order.totals.authorizedMinorUnits, order.order.amount.minorUnits]
        guard request.amount.currency == order.order.currency, authorized.contains(request.amount.minorUnits) else {
            throw .invalid("\(call.root.path)/Amount", "an authorization is cancelled as a whole, by its amount")
        }
        let command = Command.void(
            VoidTransaction(
                instruction: instruction(request.requestID, orderID, call, parameters), target: authorization.id))
        do throws(Refusal) {
            return PaymentAuthCancelReply(try await carryOut(command, call))
        } catch .nothingToVoid {
            return PaymentAuthCancelReply(failing: .noAuthFound)
        } catch .voidedOutOfOrder {
            return PaymentAuthCancelReply(failing: .orderState)
        } catch {
            throw fault(error, call)
        }
    }
}

extension PaymentContext {
    /// The account's token as a reply may repeat it; nil if the request gave none.
    var shownToken: String? {
        guard case .token(let token) = account else { return nil }
        return token
    }
}
