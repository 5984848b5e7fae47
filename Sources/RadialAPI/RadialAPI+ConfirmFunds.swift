internal import Access
internal import Payments
internal import Values
internal import XML

/// `ConfirmFundsRequest`.
private struct ConfirmFundsRequest {
    let requestID: TransactionID
    let context: PaymentContext
    let amount: Amount
    let performsReauthorization: Bool

    init(_ root: XMLElement) throws(Fault) {
        let names: Set = ["PaymentContext", "PaymentContextBase", "Amount", "PerformReauthorization"]
        let fields = try ElementFields(root, known: names, attributes: ["requestId", "sessionId"])
        requestID = try fields.requestID()
        context = try PaymentContext(in: fields)
        amount = try fields.required("Amount").amount()
        performsReauthorization = try fields.optionalBoolean("PerformReauthorization") ?? false
    }
}

/// The content of a `ConfirmFundsReply`.
private struct ConfirmedFunds {
    enum FundsAvailable: String {
        case success = "Success"
        case fail = "Fail"
        case timeout = "Timeout"
    }

    let fundsAvailable: FundsAvailable
    var isReauthorized = false

    init(_ fundsAvailable: FundsAvailable) { self.fundsAvailable = fundsAvailable }

    /// The reply to an update of the authorization.
    init(_ transaction: Transaction) {
        switch transaction.gatewayCode {
        case .approved: fundsAvailable = .success
        case .timedOut, .unknown, .pending, .submitted: fundsAvailable = .timeout
        default: fundsAvailable = .fail
        }
        isReauthorized = true
    }
}

extension RadialService {
    /// Checks whether an amount can be captured.
    static let confirmFunds = RadialService("ConfirmFunds", at: "funds/confirm", tender: .required) {
        (api, call) throws(Fault) in try await api.confirmFunds(call, try call.tender)
    }
}

extension RadialAPI {
    /// `ConfirmFunds`: whether an amount of the order's authorization can still be settled. If it can't, and the
    /// request asks for it, the authorization is updated to the amount.
    func confirmFunds(_ call: Call, _ tender: TenderType) async throws(Fault) -> [UInt8] {
        let request = try ConfirmFundsRequest(call.root)
        call.trace.note(order: request.context.orderID.text, transaction: request.requestID.text)
        let parameters = RequestParameters.text(of: call.root, "confirm/\(tender.rawValue)")
        return try await once(request.requestID, call, parameters) { () throws(Fault) in
            let order = try await order(request.context, call, tender)
            let funds = try await confirm(request, order, call, parameters)
            let token = order?.card?.accountToken ?? request.context.shownToken
            return try ReplyText.document("ConfirmFundsReply") { reply throws(XMLUnwritable) in
                try request.context.write(to: &reply, token: token)
                try reply.element("FundsAvailable", text: funds.fundsAvailable.rawValue)
                try reply.element("ReauthorizationAttempted", text: funds.isReauthorized ? "true" : "false")
            }
        }
    }

    private func confirm(
        _ request: ConfirmFundsRequest, _ order: AuthorizedOrder?, _ call: Call, _ parameters: SecretText
    ) async throws(Fault) -> ConfirmedFunds {
        if let before = try await answered(request.requestID, request.context.orderID, call, parameters) {
            return ConfirmedFunds(before)
        }
        guard let order, order.ledger.authorization != nil, request.amount.minorUnits > 0,
            request.amount.currency == order.order.currency
        else { return ConfirmedFunds(.fail) }
        guard request.amount.minorUnits > order.ledger.capturableMinorUnits else { return ConfirmedFunds(.success) }
        let captured = order.order.totals.capturedMinorUnits
        guard request.performsReauthorization,
            let amount = Amount(exactly: captured + request.amount.minorUnits, order.order.currency)
        else { return ConfirmedFunds(.fail) }
        let command = Command.updateAuthorization(
            UpdateAuthorization(
                instruction: instruction(request.requestID, request.context.orderID, call, parameters), amount: amount))
        do throws(Refusal) { return ConfirmedFunds(try await carryOut(command, call)) } catch .noAuthorization {
            return ConfirmedFunds(.fail)
        } catch {
            throw fault(error, call)
        }
    }
}
