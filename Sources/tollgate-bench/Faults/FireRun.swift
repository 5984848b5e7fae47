import Glibc
import OpenSSL
import Values

/// A run in which clients use gateways that are killed. After each kill it checks whether every answer was true.
final class FireRun: RequestSource {
    /// How long clients send requests before a kill.
    private static let nanoseconds: ClosedRange<UInt64> = 50_000_000...500_000_000
    private static let lookNanosecondsMax: UInt64 = 30_000_000_000
    private static let tokensInStock = 300

    private let fleet: Fleet
    private let clientPool: ClientPool
    private var attack: Attack
    private let pool: TokenPool
    private var script: FireScript
    private var chance: SeededGenerator
    private var tokens: [Int: TokenLog] = [:]
    private(set) var counts = FireCounts()

    private var inFlight: [Int: FireScript.Step] = [:]
    private var lastRequest = 0
    /// The requests of the check after a kill, sent in place of new ones.
    private var look: [FireScript.Step]?
    private var lookBegan: UInt64 = 0
    /// The orders with exchanges since the last check.
    private var touched: [ObjectIdentifier: FireScript.Order] = [:]
    /// The orders that get no further requests, with the digest that RETRIEVE must return from now on.
    private var left: [(name: String, digest: [UInt8]?)] = []

    init(_ fleet: Fleet, clients: Int, seed: UInt64) throws {
        self.fleet = fleet
        chance = SeededGenerator(seed: seed)
        clientPool = try ClientPool(count: clients, gateways: fleet.gateways.count)
        attack = Attack(on: fleet, before: clientPool, seed: chance.next())
        pool = try TokenPool(fleet.installation)
        script = FireScript(PaymentRequests(fleet.installation), pool)
        clientPool.listens(at: fleet)
    }

    /// Kills the given number of times, and throws the first contradiction.
    func run(kills: Int) throws {
        for number in 1...kills {
            try cycle()
            (counts.kills, counts.killsAtStart) = (attack.kills, attack.killsAtStart)
            if number % 50 == 0 { print(counts.summary) }
        }
        try lookAtAll()
        let slowest = (
            Double(clientPool.slowestNanoseconds) / 1e9, Double(counts.slowestCheckNanoseconds) / 1e9
        )
        print(
            """
            \(counts.summary)
            \(tokens.values.count(where: \.isSpent)) tokens spent, none twice; slowest answer \
            \(slowest.0.rounded(to: 2)) s, all answered \(slowest.1.rounded(to: 2)) s after a kill at the latest
            """)
    }

    // MARK: One kill

    private func cycle() throws {
        try pool.fill(to: Self.tokensInStock) { FireScript.cents(&chance) }
        let kill = Monotonic.nanoseconds + UInt64.random(in: Self.nanoseconds, using: &chance)
        try clientPool.drive(self, until: kill)
        try attack.run(self) { if !fleet.outlivesGateways { settle() } }
        try lookAtTouched()
    }

    /// Marks unanswered requests that can no longer be carried out.
    private func settle() {
        let now = Monotonic.nanoseconds
        for order in touched.values {
            for number in order.news where order.log.exchanges[number].answer == nil {
                order.log.exchanges[number].ended = now
            }
        }
    }

    // MARK: RequestSource

    func next() throws -> ClientRequest? {
        let step: FireScript.Step
        if look != nil {
            guard let wanted = look?.popLast() else { return nil }
            guard Monotonic.nanoseconds - lookBegan < Self.lookNanosecondsMax else {
                throw BenchFailure("what was killed is not well again within 30 seconds")
            }
            step = wanted
        } else {
            step = script.next(&chance)
        }
        lastRequest += 1
        inFlight[lastRequest] = step
        return ClientRequest(bytes: script.bytes(of: step), number: lastRequest)
    }

    func didEnd(_ request: ClientRequest, begun: UInt64, ended: UInt64, _ answer: LoadAnswer?) throws {
        guard let step = inFlight.removeValue(forKey: request.number) else {
            throw BenchFailure("an unsolicited response")
        }
        let told = answer.map { PaymentAnswer(status: $0.status, content: $0.content) }
        if told == nil || told == .busy { look?.insert(step, at: 0) }
        note(step, begun: begun, ended: ended, told)
    }

    /// Records an exchange. A client that was told to retry doesn't know whether the request was carried out.
    private func note(_ step: FireScript.Step, begun: UInt64, ended: UInt64, _ answer: PaymentAnswer?) {
        let order = step.order
        let isOpen = answer == nil || answer == .busy
        order.news.append(order.log.exchanges.count)
        order.log.exchanges.append(
            OrderLog.Exchange(subject: step.subject, begun: begun, ended: isOpen ? .max : ended, answer: answer))
        touched[ObjectIdentifier(order)] = order
        switch answer {
        case nil: counts.lost += 1
        case .busy: counts.busy += 1
        case .refused(let refusal):
            counts.refused += 1
            guard refusal == .tokenUsed, case .request(let number) = step.subject,
                case .begin(_, _, let token) = order.log.requests[number].command
            else { break }
            tokens[token, default: TokenLog(number: token)].noteRefusal(order: order.log.order, ended: ended)
        case .order, .transaction, .unexpected:
            guard case .request(let number) = step.subject else {
                counts.retrieved += 1
                break
            }
            if order.acknowledged.insert(number).inserted { counts.acknowledged += 1 }
            if look != nil { counts.repeated += 1 }
        }
    }

    // MARK: The look after a kill

    /// Compares every order that has new exchanges with all answers about it.
    private func lookAtTouched() throws {
        let orders = touched.values.sorted { $0.log.exchanges[$0.news[0]].begun < $1.log.exchanges[$1.news[0]].begun }
        let released = script.release(&chance)
        let leaving = Set(released.map(ObjectIdentifier.init))
        let start = Monotonic.nanoseconds
        try retrieve(orders, alsoTransactions: true)
        counts.slowestCheckNanoseconds = max(counts.slowestCheckNanoseconds, Monotonic.nanoseconds - start)

        // Some requests are repeated, mainly those with an unknown outcome.
        var again: [FireScript.Step] = []
        for order in orders {
            for number in order.openRequests {
                let isDone = order.isShown(number)
                if isDone { counts.foundDone += 1 } else { counts.foundUndone += 1 }
                guard leaving.contains(ObjectIdentifier(order)) || chance.once(in: 2) else { continue }
                again.append(FireScript.Step(order: order, subject: .request(number)))
            }
            guard let number = order.acknowledged.sorted().randomElement(using: &chance) else { continue }
            again.append(FireScript.Step(order: order, subject: .request(number)))
        }
        try work(again)
        try retrieve(orders, alsoTransactions: false)
        let presented = try orders.reduce(into: Set<Int>()) { $0.formUnion(try check($1)) }
        for token in presented.sorted() { try tokens[token]?.check() }
        for order in released { leave(order) }
        touched = [:]
    }

    private func retrieve(_ orders: [FireScript.Order], alsoTransactions: Bool) throws {
        var steps: [FireScript.Step] = []
        for order in orders {
            for id in alsoTransactions ? order.newTransactions : [] {
                steps.append(FireScript.Step(order: order, subject: .transaction(id)))
            }
        }
        try work(steps)
        // Sent after all other requests have ended, so that the answers show all of their effects.
        try work(orders.map { FireScript.Step(order: $0, subject: .order) })
    }

    private func work(_ steps: [FireScript.Step]) throws {
        look = steps
        lookBegan = Monotonic.nanoseconds
        defer { look = nil }
        try clientPool.drive(self)
    }

    /// Checks an order, and returns the tokens that were presented for it.
    private func check(_ order: FireScript.Order) throws -> Set<Int> {
        counts.orderChecks += 1
        let transactions = try OrderCheck.check(order.log)
        for token in order.log.tokens {
            tokens[token, default: TokenLog(number: token)].note(transactions, of: order.log)
        }
        order.news = []
        return order.log.tokens
    }

    // MARK: Orders that get no further requests

    private func leave(_ order: FireScript.Order) {
        left.append((order.log.order, order.log.lastShown.map { SHA256.hash($0.bytes) }))
    }

    /// Restarts every gateway in good order, and compares every order of the whole run with its last known state.
    private func lookAtAll() throws {
        for order in script.releaseAll() { leave(order) }
        try fleet.restartInGoodOrder()
        clientPool.listens(at: fleet)
        for start in stride(from: 0, to: left.count, by: 1_000) {
            let part = left[start..<min(start + 1_000, left.count)]
            let orders = part.map { FireScript.Order($0.name) }
            try work(orders.map { FireScript.Step(order: $0, subject: .order) })
            for (order, before) in zip(orders, part) {
                guard order.log.lastShown.map({ SHA256.hash($0.bytes) }) == before.digest else {
                    throw Contradiction("an order changed after it was last retrieved", in: order.log)
                }
            }
        }
        touched = [:]
        print("\(left.count) orders are as they were left")
    }
}

extension FireScript.Order {
    /// The requests among the new exchanges whose outcome is unknown.
    fileprivate var openRequests: [Int] {
        let open = news.compactMap { number -> Int? in
            let exchange = log.exchanges[number]
            guard case .request(let request) = exchange.subject, exchange.ended == .max || exchange.answer == nil,
                !acknowledged.contains(request)
            else { return nil }
            return request
        }
        return Set(open).sorted()
    }

    /// The transactions that the new exchanges may have created.
    fileprivate var newTransactions: [String] {
        let ids = news.compactMap { number -> String? in
            guard case .request(let request) = log.exchanges[number].subject, log.exchanges[number].refusal == nil
            else { return nil }
            return log.requests[request].transaction
        }
        return Set(ids).sorted()
    }

    /// Whether the last RETRIEVE_ORDER showed the transaction of a request.
    fileprivate func isShown(_ request: Int) -> Bool {
        log.lastShown?.transactions.contains { $0.reference == log.requests[request].reference } ?? false
    }
}

extension OrderLog {
    /// The order as RETRIEVE_ORDER last showed it.
    fileprivate var lastShown: ShownOrder? {
        for exchange in exchanges.reversed() { if case .order(let shown)? = exchange.answer { return shown } }
        return nil
    }

    /// The tokens that were presented for the order.
    fileprivate var tokens: Set<Int> {
        Set(
            requests.compactMap { request in
                guard case .begin(_, _, let token) = request.command else { return nil }
                return token
            })
    }
}
