internal import Payments
internal import Values
internal import Vault

/// An existing order that a follow-up request names, with the data that Radial's operations need.
struct AuthorizedOrder {
    /// The ledger, which decides which operations are allowed.
    let ledger: Ledger
    /// The paying card: that of the last approved transaction, or of the last transaction if none was approved.
    let card: CardSummary?

    /// Creates it from an order's history. Throws if the ledger is damaged.
    init(_ history: OrderHistory) throws(Refusal) {
        ledger = try Ledger(history)
        card = (history.transactions.last(where: \.gatewayCode.isApproval) ?? history.transactions.last)?.card
    }

    var order: Order { ledger.order }
}

extension RadialAPI {
    /// Returns the order of a context, if it exists and was paid for with the context's account.
    ///
    /// - Parameter tender: the path's tender type. It must equal the one in the reply to the authorization.
    func order(
        _ context: PaymentContext, _ call: Call, _ tender: TenderType
    ) async throws(Fault) -> AuthorizedOrder? {
        guard let history = try await history(context.orderID, call) else { return nil }
        let order: AuthorizedOrder
        do throws(Refusal) { order = try AuthorizedOrder(history) } catch { throw fault(error, call) }
        guard let card = order.card, try await isAccount(context.account, of: card, call) else { return nil }
        let ofReply = TenderType(ofReply: card.brand)
        guard ofReply == tender else {
            throw Fault(
                .invalidTenderType, nil,
                "the tender type must be \(ofReply.rawValue), as in the reply to the authorization")
        }
        return order
    }

    /// Whether an account is the card's. For an order made by the ledger's other API only the masked digits are known.
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
