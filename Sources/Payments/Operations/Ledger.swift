internal import Vault

/// An order's transactions, each with what is left of it: what later operations are decided on.
public struct Ledger: Sendable {
    /// The order's present state.
    public let order: Order
    private let history: [LedgerEntry]
    /// Those of the order's transactions that were approved, voided or not.
    private let transactions: [LedgerEntry]
    /// The approved voids' targets.
    private let voided: Set<TransactionID>

    /// Takes an order's ledger. One whose transactions don't add up to the order's totals is damaged: no operation may be
    /// decided on it.
    init(_ ledger: OrderLedger) throws(Refusal) {
        order = ledger.order
        history = ledger.entries
        transactions = ledger.entries.filter(\.gatewayCode.isApproval)
        voided = Set(transactions.lazy.filter(\.type.isVoid).compactMap(\.targetTransactionID))
        let sum = transactions.reduce(OrderTotals()) { totals, transaction in
            totals.after(transaction.type, approvedMinorUnits: transaction.approvedMinorUnits)
        }
        guard sum == order.totals else {
            throw .storeUnavailable(.damaged(detail: "the transactions of an order don't add up to its totals"))
        }
    }

    /// The ledger of an order with its whole transactions.
    public init(_ history: OrderHistory) throws(Refusal) {
        try self.init(OrderLedger(order: history.order, entries: history.transactions.map(LedgerEntry.init)))
    }

    /// The transaction of a name, approved or not.
    subscript(id: TransactionID) -> LedgerEntry? { history.first { $0.id == id } }

    /// Whether a transaction was approved, and not voided since.
    func isLive(_ transaction: LedgerEntry) -> Bool {
        transaction.gatewayCode.isApproval && !voided.contains(transaction.id)
    }

    /// The authorization that may be captured, updated or voided. A payment has none: it was captured with it.
    public var authorization: LedgerEntry? { transactions.last { $0.type == .authorization && isLive($0) } }

    /// The captures, or the payment, that may be refunded.
    public var captures: [LedgerEntry] {
        transactions.filter { ($0.type == .capture || $0.type == .payment) && isLive($0) }
    }

    /// Those of the live transactions that build on another one: the captures of an authorization, the refunds of a
    /// capture or payment.
    func dependents(on target: LedgerEntry) -> [LedgerEntry] {
        transactions.filter {
            ($0.type == .capture || $0.type == .refund) && $0.targetTransactionID == target.id && isLive($0)
        }
    }

    /// What was captured by a transaction and not refunded yet; nil if more was refunded.
    func refundableMinorUnits(of capture: LedgerEntry) -> Int64 {
        max(0, dependents(on: capture).reduce(capture.approvedMinorUnits) { $0 - $1.approvedMinorUnits })
    }

    /// What is authorized and not captured yet.
    public var capturableMinorUnits: Int64 { order.totals.authorizedMinorUnits - order.totals.capturedMinorUnits }
}
