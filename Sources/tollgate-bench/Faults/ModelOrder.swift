/// A model of an order according to the API's documentation, without the gateway's own rules: the effect of a command on
/// the order, and the state that the order then shows.
struct ModelOrder {
    /// A command of a client. Amounts are in cents.
    enum Command: Equatable, Sendable {
        /// AUTHORIZE or PAY, with the number of a token.
        case begin(isPayment: Bool, cents: Int, token: Int)
        case capture(cents: Int)
        /// REFUND. Without a target it refunds the only capture or payment with a remaining amount.
        case refund(cents: Int, target: String?)
        case void(target: String)
    }

    /// The simulated acquirer's answer, determined by the amount of an AUTHORIZE or PAY. Later commands are approved.
    enum Outcome {
        case approved
        /// No money moved, and the token may be presented again for the same order.
        case declined
        /// Money may have moved, so the token is spent.
        case timedOut

        init(cents: Int) {
            switch cents {
            case 575_700: self = .declined
            case 585_800: self = .timedOut
            default: self = .approved
            }
        }
    }

    /// A transaction of the order.
    struct Entry: Equatable {
        let id: String
        /// The value of `transaction.type`.
        let type: String
        let cents: Int
        let isApproved: Bool
        /// The transaction that this one follows up or voids.
        var target: String?
    }

    private(set) var entries: [Entry] = []
    /// The order's visible state; nil before its first transaction.
    private(set) var state: OrderState?

    /// The transaction that a command would add to the order; nil if the command must be refused.
    func entry(for command: Command, as id: String) -> Entry? {
        switch command {
        case .begin(let isPayment, let cents, _):
            guard state == nil || state?.status == "FAILED" else { return nil }
            return Entry(
                id: id, type: isPayment ? "PAYMENT" : "AUTHORIZATION", cents: cents,
                isApproved: Outcome(cents: cents) == .approved)
        case .capture(let cents):
            guard let state, let authorization = live.last(where: { $0.type == "AUTHORIZATION" }),
                cents <= state.authorizedCents - state.capturedCents
            else { return nil }
            return Entry(id: id, type: "CAPTURE", cents: cents, isApproved: true, target: authorization.id)
        case .refund(let cents, let target):
            guard let capture = refundable(target), cents <= leftToRefund(of: capture) else { return nil }
            return Entry(id: id, type: "REFUND", cents: cents, isApproved: true, target: capture.id)
        case .void(let target):
            guard let undone = live.first(where: { $0.id == target && !$0.type.hasPrefix("VOID") }),
                dependents(on: undone).isEmpty
            else { return nil }
            return Entry(id: id, type: "VOID_\(undone.type)", cents: undone.cents, isApproved: true, target: target)
        }
    }

    /// Adds a transaction and returns the state that the order then shows.
    @discardableResult
    mutating func add(_ entry: Entry) -> OrderState {
        entries.append(entry)
        var next = state ?? OrderState(status: "", cents: entry.cents, totals: (0, 0, 0))
        guard entry.isApproved else {
            next.status = "FAILED"
            next.cents = entry.cents
            state = next
            return next
        }
        switch entry.type {
        case "AUTHORIZATION", "PAYMENT":
            next.cents = entry.cents
            next.authorizedCents = entry.cents
            next.capturedCents = entry.type == "PAYMENT" ? entry.cents : 0
        case "CAPTURE": next.capturedCents += entry.cents
        case "REFUND": next.refundedCents += entry.cents
        case "VOID_CAPTURE": next.capturedCents -= entry.cents
        case "VOID_REFUND": next.refundedCents -= entry.cents
        case "VOID_AUTHORIZATION", "VOID_PAYMENT": (next.authorizedCents, next.capturedCents) = (0, 0)
        default: preconditionFailure("only types of this program")
        }
        next.status = next.statusByTotals
        state = next
        return next
    }

    /// The transactions that were approved and have not been voided.
    private var live: [Entry] {
        let voided = Set(entries.lazy.filter { $0.isApproved && $0.type.hasPrefix("VOID") }.compactMap(\.target))
        return entries.filter { $0.isApproved && !voided.contains($0.id) }
    }

    private func dependents(on target: Entry) -> [Entry] {
        live.filter { ($0.type == "CAPTURE" || $0.type == "REFUND") && $0.target == target.id }
    }

    private func leftToRefund(of capture: Entry) -> Int {
        dependents(on: capture).reduce(capture.cents) { $0 - $1.cents }
    }

    private func refundable(_ target: String?) -> Entry? {
        let captures = live.filter { $0.type == "CAPTURE" || $0.type == "PAYMENT" }
        if let target { return captures.first { $0.id == target } }
        let open = captures.filter { leftToRefund(of: $0) > 0 }
        return open.count == 1 ? open[0] : nil
    }
}

/// The part of an order that every answer shows: its status, amount and totals, in cents.
struct OrderState: Equatable, CustomStringConvertible {
    var status: String
    var cents: Int
    var authorizedCents: Int
    var capturedCents: Int
    var refundedCents: Int

    /// - Parameter totals: the authorized, captured and refunded totals.
    init(status: String, cents: Int, totals: (Int, Int, Int)) {
        self.status = status
        self.cents = cents
        (authorizedCents, capturedCents, refundedCents) = totals
    }

    /// The status of an order with at least one approved transaction.
    fileprivate var statusByTotals: String {
        if refundedCents > 0 { return refundedCents < capturedCents ? "PARTIALLY_REFUNDED" : "REFUNDED" }
        if capturedCents > 0 { return capturedCents < authorizedCents ? "PARTIALLY_CAPTURED" : "CAPTURED" }
        return authorizedCents > 0 ? "AUTHORIZED" : "CANCELLED"
    }

    var description: String {
        "\(status) \(cents), authorized \(authorizedCents), captured \(capturedCents), refunded \(refundedCents)"
    }
}
