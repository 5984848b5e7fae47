internal import Access
internal import Payments
internal import Values
internal import Vault
internal import XML

extension RadialService {
    /// Captures or refunds an amount.
    static let settlement = RadialService("PaymentSettlement", at: "settlement/create", tender: .required) {
        (api, call) throws(Fault) in try await api.settle(call, try call.tender)
    }
}

extension RadialAPI {
    /// `PaymentSettlement`: a CAPTURE for a debit, a REFUND for a credit.
    ///
    /// The reply only acknowledges the request. The outcome is in the ledger at once, and is sent to the store's
    /// webhook later. A request that matches no order of the store is a fault; a settlement that the ledger doesn't
    /// allow is reported as refused.
    func settle(_ call: Call, _ tender: TenderType) async throws(Fault) -> [UInt8] {
        let request = try PaymentSettlementRequest(call.root)
        call.trace.note(order: request.context.orderID.text, transaction: request.requestID.text)
        let parameters = RequestParameters.text(of: call.root, "settle/\(tender.rawValue)")
        return try await once(request.requestID, call, parameters) { () throws(Fault) in
            guard let order = try await order(request.context, call, tender) else {
                throw Fault(
                    .noAuthFound, "\(call.root.path)/PaymentContext",
                    "the store has no such order, or another account pays it")
            }
            guard request.amount.currency == order.order.currency else {
                throw fault(.currencyDiffers(order: order.order.currency), call)
            }
            let status = try await settle(request, order, call, parameters)
            let token = order.card?.accountToken ?? request.context.shownToken
            if call.merchant.radial?.webhook != nil {
                let event = try status.text(request, tender, token: token, storeID: call.storeID)
                do throws(StoreFailure) {
                    try await outbox.add(
                        event, kind: .settlementStatus, id: status.eventID(of: call.merchant.id),
                        sequence: request.context.orderID.text, for: call.merchant.id, at: machineTime())
                } catch {
                    throw Fault(error)
                }
            }
            return try ReplyText.document("PaymentSettlementReply") { reply throws(XMLUnwritable) in
                try request.context.write(to: &reply, token: token)
                try reply.element("ResponseCode", text: "Success")
            }
        }
    }

    private func settle(
        _ request: PaymentSettlementRequest, _ order: AuthorizedOrder, _ call: Call, _ parameters: SecretText
    ) async throws(Fault) -> PaymentSettlementStatus {
        let instruction = instruction(request.requestID, request.context.orderID, call, parameters)
        do throws(Refusal) {
            switch request.type {
            case .debit:
                return PaymentSettlementStatus(
                    try await carryOut(.capture(Capture(instruction: instruction, amount: request.amount)), call))
            case .credit:
                return PaymentSettlementStatus(try await credit(request.amount, instruction, order, call))
            }
        } catch {
            guard let reason = error.declineReason else { throw fault(error, call) }
            return PaymentSettlementStatus(refused: reason)
        }
    }

    /// A refund. A credit names no capture, so it refunds the only possible one, or the last one with enough left.
    private func credit(
        _ amount: Amount, _ instruction: Instruction, _ order: AuthorizedOrder, _ call: Call
    ) async throws(Refusal) -> Transaction {
        do throws(Refusal) {
            return try await carryOut(.refund(Refund(instruction: instruction, amount: amount)), call)
        } catch .severalToRefund {
            var refusal = Refusal.severalToRefund
            for capture in order.ledger.captures.reversed() {
                let refund = Refund(instruction: instruction, amount: amount, target: capture.id)
                do throws(Refusal) { return try await carryOut(.refund(refund), call) } catch .exceedsCaptured(let left)
                {
                    refusal = .exceedsCaptured(available: left)
                }
            }
            throw refusal
        }
    }
}

extension Refusal {
    /// The ledger's reason for refusing a settlement; nil if the request or the gateway is at fault.
    fileprivate var declineReason: String? {
        switch self {
        case .noAuthorization, .nothingToRefund, .severalToRefund: FaultCode.noAuthFound.rawValue
        case .exceedsAuthorized, .exceedsCaptured, .totalExceedsMaximum: "AmountExceedsAvailableException"
        case .orderFull: FaultCode.orderState.rawValue
        default: nil
        }
    }
}
