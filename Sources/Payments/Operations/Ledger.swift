internal import Vault

/// An order's transactions with their remaining amounts, from which later operations are decided.
public struct Ledger: Sendable {
    /// The order's current state.
    public let order: Order
    private let history: [LedgerEntry]
    /// The order's approved transactions, including the voided ones.
    private let transactions: [LedgerEntry]
    /// The targets of the approved voids.
    private let voided: Set<TransactionID>

    /// Creates the ledger of an order. Throws if the transactions don't add up to the order's totals: then the stored
    /// data are damaged, and no operation may be decided on them.
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

    /// Creates the ledger of an order from its complete transactions.
    public init(_ history: OrderHistory) throws(Refusal) {
        try self.init(OrderLedger(order: history.order, entries: history.transactions.map(LedgerEntry.init)))
    }

    /// The transaction with this identifier, approved or not.
    subscript(id: TransactionID) -> LedgerEntry? { history.first { $0.id == id } }

    /// Whether a transaction was approved and has not been voided.
    func isLive(_ transaction: LedgerEntry) -> Bool {
        transaction.gatewayCode.isApproval && !voided.contains(transaction.id)
    }

    /// The authorization that may be captured, updated or voided. An order that was paid with PAY has none.
    public var authorization: LedgerEntry? { transactions.last { $0.type == .authorization && isLive($0) } }

    /// The captures or the payment that may be refunded.
    public var captures: [LedgerEntry] {
        transactions.filter { ($0.type == .capture || $0.type == .payment) && isLive($0) }
    }

    /// The transactions, approved and not voided, that refer to this one: the captures of an authorization, the
    /// refunds of a capture or payment.
    func dependents(on target: LedgerEntry) -> [LedgerEntry] {
        transactions.filter {
            ($0.type == .capture || $0.type == .refund) && $0.targetTransactionID == target.id && isLive($0)
        }
    }

    /// The amount that a transaction has captured and that has not been refunded; nil if more than that was refunded.
    func refundableMinorUnits(of capture: LedgerEntry) -> Int64 {
        max(0, dependents(on: capture).reduce(capture.approvedMinorUnits) { $0 - $1.approvedMinorUnits })
    }

    /// The authorized amount that has not been captured.
    public var capturableMinorUnits: Int64 { order.totals.authorizedMinorUnits - order.totals.capturedMinorUnits }
}
