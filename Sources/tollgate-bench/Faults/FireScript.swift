import Values

/// Generates the clients' random steps on orders during a run with kills.
struct FireScript {
    /// An order that clients send requests for.
    final class Order {
        var log: OrderLog
        /// The bytes of each of the log's requests.
        var bytes: [[UInt8]] = []
        /// The exchanges since the order was last checked, as positions in the log.
        var news: [Int] = []
        /// The requests that were acknowledged to a client.
        var acknowledged: Set<Int> = []
        private(set) var lastTransaction = 0

        init(_ name: String) { log = OrderLog(order: name) }

        /// A transaction id that no request has used yet.
        func freeTransaction() -> String {
            lastTransaction += 1
            return "\(lastTransaction)"
        }
    }

    /// A step of a client: a request, or a retrieval of an order.
    struct Step {
        let order: Order
        let subject: OrderLog.Subject
    }

    private static let ordersMin = 40
    /// The maximum number of requests for one order.
    private static let requestsMax = 16

    private let requests: PaymentRequests
    private let pool: TokenPool
    private(set) var orders: [Order] = []
    private var lastOrder = 0
    private var lastReference = 0
    /// The tokens that were presented, the latest last.
    private var presented: [TokenPool.Token] = []
    /// A token that must be presented for `count` further orders at once.
    private var burst: (token: TokenPool.Token, count: Int)?

    init(_ requests: PaymentRequests, _ pool: TokenPool) {
        self.requests = requests
        self.pool = pool
    }

    /// The amount of a token: usually one that is approved, rarely one that is not.
    static func cents(_ chance: inout SeededGenerator) -> Int {
        switch Int.random(in: 0..<100, using: &chance) {
        case ..<6: 575_700
        case ..<9: 585_800
        default: .random(in: 100...50_000, using: &chance)
        }
    }

    /// The next step.
    mutating func next(_ chance: inout SeededGenerator) -> Step {
        if let burst, burst.count > 0 {
            self.burst = (burst.token, burst.count - 1)
            return begin(with: burst.token, &chance)
        }
        let kind = Int.random(in: 0..<100, using: &chance)
        if kind < 28 || orders.count < Self.ordersMin, let token = pool.take() {
            presented.append(token)
            if presented.count > 200 { presented.removeFirst(100) }
            if chance.once(in: 6) { burst = (token, .random(in: 1...5, using: &chance)) }
            return begin(with: token, &chance)
        }
        if kind < 31, let token = presented.randomElement(using: &chance) { return begin(with: token, &chance) }
        let order = order(&chance)
        let log = order.log
        switch kind {
        case ..<55: return add(.capture(cents: .random(in: 1...log.cents / 3, using: &chance)), to: order)
        case ..<68:
            let target = chance.once(in: 3) ? nil : transaction(of: log, &chance)
            return add(.refund(cents: .random(in: 1...log.cents / 6, using: &chance), target: target), to: order)
        case ..<73: return add(.void(target: transaction(of: log, &chance)), to: order)
        case ..<83:
            return Step(order: order, subject: .request(.random(in: log.requests.indices, using: &chance)))
        case ..<88: return alter(order, &chance)
        case ..<95: return Step(order: order, subject: .order)
        default: return Step(order: order, subject: .transaction(transaction(of: log, &chance)))
        }
    }

    /// The bytes of a step.
    func bytes(of step: Step) -> [UInt8] {
        switch step.subject {
        case .request(let number): step.order.bytes[number]
        case .order: requests.retrieve(step.order.log.order)
        case .transaction(let id): requests.retrieve(step.order.log.order, transaction: id)
        }
    }

    /// Releases the orders with enough requests, and some random others.
    mutating func release(_ chance: inout SeededGenerator) -> [Order] {
        var released: [Order] = []
        orders.removeAll { order in
            guard order.log.requests.count >= Self.requestsMax || chance.once(in: 12) else { return false }
            released.append(order)
            return true
        }
        return released
    }

    /// Releases all orders.
    mutating func releaseAll() -> [Order] {
        defer { orders = [] }
        return orders
    }

    // MARK: Steps

    /// Returns an order: half the time one of the latest, which other clients use, too; usually an existing one.
    private func order(_ chance: inout SeededGenerator) -> Order {
        let recent = chance.once(in: 2) ? orders.count : min(12, orders.count)
        let few = (0..<4).map { _ in orders[orders.count - 1 - .random(in: 0..<recent, using: &chance)] }
        return few.first { !$0.acknowledged.isEmpty } ?? few[0]
    }

    /// Returns a transaction id that may exist.
    private func transaction(of log: OrderLog, _ chance: inout SeededGenerator) -> String {
        log.requests[.random(in: log.requests.indices, using: &chance)].transaction
    }

    private mutating func begin(with token: TokenPool.Token, _ chance: inout SeededGenerator) -> Step {
        // A declined token may be presented again.
        if chance.once(in: 8), let order = orders.last(where: { $0.log.token == token.number }) {
            return add(begin(token, &chance), to: order, token)
        }
        lastOrder += 1
        let order = Order("fire-\(lastOrder)")
        orders.append(order)
        return add(begin(token, &chance), to: order, token)
    }

    private func begin(_ token: TokenPool.Token, _ chance: inout SeededGenerator) -> ModelOrder.Command {
        .begin(isPayment: chance.once(in: 3), cents: token.cents, token: token.number)
    }

    private mutating func add(
        _ command: ModelOrder.Command, to order: Order, as transaction: String? = nil, _ token: TokenPool.Token? = nil
    ) -> Step {
        lastReference += 1
        let request = OrderLog.Request(
            reference: "r\(lastReference)", transaction: transaction ?? order.freeTransaction(), command: command)
        order.bytes.append(requests.perform(request, order: order.log.order, token: token))
        return Step(order: order, subject: .request(order.log.add(request)))
    }

    /// Other parameters with the identifiers of an earlier request, which may be in flight.
    private mutating func alter(_ order: Order, _ chance: inout SeededGenerator) -> Step {
        let earlier = order.log.requests[.random(in: order.log.requests.indices, using: &chance)]
        let cents = Int.random(in: 1...order.log.cents, using: &chance)
        return add(
            chance.once(in: 2) ? .capture(cents: cents) : .refund(cents: cents, target: nil), to: order,
            as: earlier.transaction)
    }
}

extension OrderLog {
    /// The amount of the order's first request.
    fileprivate var cents: Int {
        guard case .begin(_, let cents, _)? = requests.first?.command else { return 100 }
        return cents
    }

    /// The token of the order's first request.
    fileprivate var token: Int? {
        guard case .begin(_, _, let token)? = requests.first?.command else { return nil }
        return token
    }
}
