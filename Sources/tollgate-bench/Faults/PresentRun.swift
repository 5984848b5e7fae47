import Values

/// A run in which each token is presented for many orders concurrently.
final class PresentRun: RequestSource {
    /// The maximum number of tokens presented at the same time. With fewer tokens there are more races for each.
    private static let tokensAtOnceMax = 8
    /// The maximum time for which the gateways may answer an order with busy, or not at all, after everything was
    /// presented.
    private static let busyNanosecondsMax: UInt64 = 30_000_000_000
    /// The number of other requests before an order with a busy answer is retrieved again.
    private static let looksBetween = 1_000

    /// The content of a client's request: the presentation of a token for an order, or the retrieval of that
    /// order.
    private struct Step {
        let order: Int
        let subject: OrderLog.Subject
    }

    private let fleet: Fleet
    private let clientPool: ClientPool
    private var attack: Attack
    private let requests: PaymentRequests
    private var chance: SeededGenerator
    private var tokens: [TokenPool.Token] = []
    private var tokenLogs: [TokenLog] = []
    /// One log per presentation; `orders[n]` is for token n / ordersEach.
    private var orders: [OrderLog] = []
    private let ordersEach: Int

    private var waiting: [Step] = []
    private var inFlight: [Int: Step] = [:]
    private var lastRequest = 0
    /// Whether all tokens have been presented, and every order must be retrieved.
    private var isLooking = false
    private var counts = (credited: 0, refused: 0, lost: 0, busy: 0)

    init(_ fleet: Fleet, clients: Int, tokens count: Int, presentations: Int, seed: UInt64) throws {
        self.fleet = fleet
        ordersEach = presentations / count
        chance = SeededGenerator(seed: seed)
        clientPool = try ClientPool(count: clients, gateways: fleet.gateways.count)
        attack = Attack(on: fleet, before: clientPool, seed: chance.next())
        requests = PaymentRequests(fleet.installation)
        let pool = try TokenPool(fleet.installation)
        try pool.fill(to: count) { .random(in: 100...50_000, using: &chance) }
        for number in 0..<count {
            guard let token = pool.take() else { break }
            tokens.append(token)
            tokenLogs.append(TokenLog(number: token.number))
            orders += (0..<ordersEach).map { Self.order(number, $0, token) }
        }
        clientPool.listens(at: fleet)
    }

    private static func order(_ number: Int, _ presentation: Int, _ token: TokenPool.Token) -> OrderLog {
        let name = "present-\(number)-\(presentation)"
        var log = OrderLog(order: name)
        _ = log.add(
            OrderLog.Request(
                reference: name, transaction: "1",
                command: .begin(isPayment: presentation % 2 == 0, cents: token.cents, token: token.number)))
        return log
    }

    /// Presents everything, with the given number of kills in between, and throws the first contradiction.
    func run(kills: Int) throws {
        waiting = plan().reversed()
        for kill in 0..<kills {
            // A random time between the neighbouring kills.
            let left = waiting.count / (kills - kill)
            let pause = waiting.count - Int.random(in: 0...left, using: &chance)
            try clientPool.drive(self) { self.waiting.count > pause }
            try attack.run(self)
        }
        try clientPool.drive(self)
        try look()
        print(
            """
            \(orders.count) presentations of \(tokens.count) tokens, \(attack.kills) kills: \(counts.credited) \
            credited, \(counts.refused) refused as used, \(counts.lost) lost, \(counts.busy) answered busy
            """)
    }

    /// All presentations, with those of a few tokens at a time shuffled.
    private func plan() -> [Step] {
        var steps: [Step] = []
        var first = 0
        while first < tokens.count {
            let next = min(tokens.count, first + .random(in: 1...Self.tokensAtOnceMax, using: &chance))
            let few = Array(first * ordersEach..<next * ordersEach).shuffled(using: &chance)
            steps += few.map { Step(order: $0, subject: .request(0)) }
            first = next
        }
        return steps
    }

    // MARK: RequestSource

    func next() throws -> ClientRequest? {
        guard let step = waiting.popLast() else { return nil }
        if isLooking, let since = orders[step.order].lookBegan, Monotonic.nanoseconds - since > Self.busyNanosecondsMax
        {
            throw BenchFailure("what was killed is not well again within 30 seconds")
        }
        lastRequest += 1
        inFlight[lastRequest] = step
        let log = orders[step.order]
        let bytes =
            step.subject == .order
            ? requests.retrieve(log.order)
            : requests.perform(log.requests[0], order: log.order, token: tokens[step.order / ordersEach])
        return ClientRequest(bytes: bytes, number: lastRequest)
    }

    func didEnd(_ request: ClientRequest, begun: UInt64, ended: UInt64, _ answer: LoadAnswer?) throws {
        guard let step = inFlight.removeValue(forKey: request.number) else {
            throw BenchFailure("an unsolicited response")
        }
        let told = answer.map { PaymentAnswer(status: $0.status, content: $0.content) }
        let isOpen = told == nil || told == .busy
        orders[step.order].exchanges.append(
            OrderLog.Exchange(subject: step.subject, begun: begun, ended: isOpen ? .max : ended, answer: told))
        if told == nil { counts.lost += 1 }
        if told == .busy { counts.busy += 1 }
        if told == .refused(.tokenUsed) {
            counts.refused += 1
            tokenLogs[step.order / ordersEach].noteRefusal(order: orders[step.order].order, ended: ended)
        }
        guard isOpen else { return }
        if isLooking {
            waiting.insert(step, at: max(0, waiting.count - Self.looksBetween))
        } else if chance.once(in: 2) {
            // Some clients retry, and others never learn the outcome.
            waiting.insert(step, at: 0)
        }
    }

    // MARK: The look at all orders

    /// Retrieves every order, and checks orders and tokens against all answers.
    private func look() throws {
        isLooking = true
        waiting = orders.indices.map { Step(order: $0, subject: .order) }
        try clientPool.drive(self)
        for (number, log) in orders.enumerated() {
            tokenLogs[number / ordersEach].note(try OrderCheck.check(log), of: log)
        }
        for token in tokenLogs {
            try token.check()
            guard token.isSpent else { throw Contradiction("token \(token.number) is credited to nobody", in: token) }
            counts.credited += 1
        }
    }
}

extension OrderLog {
    /// The time of the order's first retrieval.
    fileprivate var lookBegan: UInt64? { exchanges.first { $0.subject == .order }?.begun }
}
