/// The history of one token that clients present for many orders, of which only one may win.
struct TokenLog {
    /// A transaction that was made with the token.
    private struct Use {
        let order: String
        let transaction: String
        /// Whether money may have moved, so that the token is spent.
        let isSpent: Bool
        /// An instant before its request was first sent.
        let begun: UInt64
    }

    /// A refusal because the token was used.
    private struct Refusal {
        let order: String
        /// An instant after the answer was received.
        let ended: UInt64
    }

    let number: Int
    private var uses: [Use] = []
    private var refusals: [Refusal] = []

    init(number: Int) { self.number = number }

    /// Whether money may have moved with the token.
    var isSpent: Bool { uses.contains(where: \.isSpent) }

    /// Records the results of an order's check.
    mutating func note(_ transactions: [ShownTransaction], of log: OrderLog) {
        for shown in transactions {
            guard let request = log.requests.firstIndex(where: { $0.reference == shown.reference }),
                case .begin(_, let cents, let token) = log.requests[request].command, token == number,
                !uses.contains(where: { $0.order == log.order && $0.transaction == shown.id })
            else { continue }
            let begun = log.exchanges.lazy.filter { $0.subject == .request(request) }.map(\.begun).min()
            uses.append(
                Use(
                    order: log.order, transaction: shown.id, isSpent: ModelOrder.Outcome(cents: cents) != .declined,
                    begun: begun ?? 0))
        }
    }

    /// Records a refusal.
    mutating func noteRefusal(order: String, ended: UInt64) { refusals.append(Refusal(order: order, ended: ended)) }

    /// Throws the first contradiction. All orders for which the token was presented must have been recorded before.
    func check() throws(Contradiction) {
        let spent = uses.filter(\.isSpent)
        guard spent.count <= 1 else { throw Contradiction("token \(number) is credited twice", in: self) }
        guard Set(uses.map(\.order)).count <= 1 else {
            throw Contradiction("token \(number) was accepted for two orders", in: self)
        }
        for refusal in refusals {
            guard let first = uses.min(by: { $0.begun < $1.begun }) else {
                throw Contradiction("token \(number) is refused as used, and made no transaction", in: self)
            }
            guard first.begun < refusal.ended else {
                throw Contradiction("token \(number) was refused before it was sent to where it was used", in: self)
            }
            guard !spent.isEmpty || refusal.order != first.order else {
                throw Contradiction("token \(number) is refused for the order that it is bound to", in: self)
            }
        }
    }
}

extension TokenLog: CustomStringConvertible {
    var description: String {
        let made = uses.map { "  \($0.order), transaction \($0.transaction)\($0.isSpent ? ", spent" : "")" }
        return (["token \(number):"] + made + ["  refused \(refusals.count) times"]).joined(separator: "\n")
    }
}
