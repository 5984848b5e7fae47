internal import Payments
internal import Values

/// An order that a later request names, as far as Radial's operations ask.
struct AuthorizedOrder {
    let history: OrderHistory

    var order: Order { history.order }

    /// The card that pays: that of the last transaction which presented one and was approved, or else of the last one.
    var card: CardSummary? {
        (history.transactions.last(where: \.gatewayCode.isApproval) ?? history.transactions.last)?.card
    }

    /// The authorization that can still be settled or cancelled.
    var authorization: Transaction? { live(.authorization, undoneBy: .voidAuthorization).last }

    /// What of it was not settled yet, in minor units.
    var capturableMinorUnits: Int64 {
        authorization == nil ? 0 : order.totals.authorizedMinorUnits - order.totals.capturedMinorUnits
    }

    /// What was settled and may be credited, the last first.
    var captures: [Transaction] {
        Array((live(.capture, undoneBy: .voidCapture) + live(.payment, undoneBy: .voidPayment)).reversed())
    }

    private func live(_ type: TransactionType, undoneBy void: TransactionType) -> [Transaction] {
        let approved = history.transactions.filter(\.gatewayCode.isApproval)
        let undone = Set(approved.filter { $0.type == void }.compactMap(\.targetTransactionID))
        return approved.filter { $0.type == type && !undone.contains($0.id) }
    }
}

extension RadialAPI {
    /// The order of a context, if there is one and the context's account pays it.
    ///
    /// - Parameter tender: of the path, which must be the one that the reply to the authorization named.
    func order(
        _ context: PaymentContext, _ call: Call, _ tender: TenderType
    ) async throws(Fault) -> AuthorizedOrder? {
        guard let history = try await history(context.orderID, call) else { return nil }
        let order = AuthorizedOrder(history: history)
        guard let card = order.card, try await isAccount(context.account, of: card, call) else { return nil }
        let ofReply = TenderType(ofReply: card.brand)
        guard ofReply == tender else {
            throw Fault(
                .invalidTenderType, nil,
                "after the authorization the tender type is that of its reply, which is \(ofReply.rawValue)")
        }
        return order
    }

    /// Whether an account is a card's. Of an order that was made by the ledger's other API only the shown digits are known.
    private func isAccount(
        _ account: PaymentAccount?, of card: CardSummary, _ call: Call
    ) async throws(Fault) -> Bool {
        let shown = card.device?.number ?? card.number ?? ""
        switch account {
        case nil: return true
        case .token(let token):
            if let known = card.accountToken { return token == known }
            return try await accountNumber(of: token, call).map { $0.masked(first: 6, last: 4) == shown } ?? false
        case .number(let number):
            guard let known = card.accountToken else { return number.masked(first: 6, last: 4) == shown }
            return try await accountNumber(of: known, call) == number
        }
    }

    private func accountNumber(of token: String, _ call: Call) async throws(Fault) -> AccountNumber? {
        do throws(StoreFailure) {
            return try await accountTokens.accountNumber(of: token, of: call.merchant.id)
        } catch {
            throw Fault(error)
        }
    }
}
