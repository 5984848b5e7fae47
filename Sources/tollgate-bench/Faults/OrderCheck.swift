/// Checks whether the answers about one order are linearizable: whether they are as if the requests had been carried out
/// one after the other, each at one instant between its sending and its answer, by the order's rules (Herlihy, Wing:
/// "Linearizability: a correctness condition for concurrent objects", 1990).
///
/// RETRIEVE_ORDER shows the transactions in the order of their creation, so no search for the order of writes is
/// necessary: the longest list that was shown must be it. The check verifies that this list conforms to the rules and the
/// instants, and finds a position in it for every other answer.
struct OrderCheck {
    /// A transaction of the list.
    private struct Write {
        let request: Int
        let shown: ShownTransaction
        /// The write was carried out between these two instants.
        let begun: UInt64
        let ended: UInt64
    }

    private let log: OrderLog
    private var writes: [Write] = []
    /// The order's model before the first write, and after each write.
    private var models = [ModelOrder()]

    /// Reads the list of transactions, and checks it against the rules and the instants.
    private init(_ log: OrderLog) throws(Contradiction) {
        self.log = log
        let longest = log.exchanges.compactMap(\.order?.transactions).max { $0.count < $1.count }
        for shown in longest ?? [] { try append(shown) }
        for (position, write) in writes.enumerated() {
            if let later = writes[..<position].first(where: { write.ended < $0.begun }) {
                throw fault(
                    "transaction \(later.shown.id) comes before \(write.shown.id), which was answered before it was sent"
                )
            }
        }
    }

    /// Throws the first contradiction in a log. The last exchange must be a RETRIEVE_ORDER sent after all others had
    /// ended; otherwise the final requests can't be judged.
    ///
    /// - Returns: the order's transactions.
    @discardableResult
    static func check(_ log: OrderLog) throws(Contradiction) -> [ShownTransaction] {
        let check = try OrderCheck(log)
        try check.checkBytes()
        try check.place()
        return check.writes.map(\.shown)
    }

    // MARK: The writes

    private mutating func append(_ shown: ShownTransaction) throws(Contradiction) {
        guard let request = log.requests.firstIndex(where: { $0.reference == shown.reference }),
            log.requests[request].transaction == shown.id
        else { throw fault("transaction \(shown.id) was made by a request that nobody sent: \(shown.reference)") }
        guard !writes.contains(where: { $0.shown.id == shown.id }) else {
            throw fault("transaction \(shown.id) is there twice")
        }
        var model = models[writes.count]
        guard let entry = model.entry(for: log.requests[request].command, as: shown.id) else {
            throw fault("transaction \(shown.id) was made of an order that doesn't allow it")
        }
        guard (entry.type, entry.cents, entry.isApproved) == (shown.type, shown.cents, shown.isApproved) else {
            throw fault("transaction \(shown.id) is not what was asked for: \(entry)")
        }
        model.add(entry)
        models.append(model)
        // A refused request has changed nothing.
        let sent = log.exchanges.filter { $0.subject == .request(request) && $0.refusal == nil }
        guard let begun = sent.map(\.begun).min() else {
            throw fault("transaction \(shown.id) was made, though it was refused whenever it was asked for")
        }
        let answered = sent.filter { $0.transaction != nil }.map(\.ended).min()
        writes.append(
            Write(request: request, shown: shown, begun: begun, ended: answered ?? sent.map(\.ended).max() ?? .max))
    }

    // MARK: The bytes

    /// Compares the bytes of answers with each other.
    private func checkBytes() throws(Contradiction) {
        var first: [Int: ShownTransaction] = [:]
        for exchange in log.exchanges {
            guard case .request(let request) = exchange.subject, let shown = exchange.transaction else { continue }
            if let before = first[request], before.bytes != shown.bytes {
                throw fault("transaction \(shown.id): a request that was sent again is answered with other bytes")
            }
            first[request] = shown
        }
        for shown in log.exchanges.flatMap(\.transactions) {
            // A missing transaction is reported when its answer is placed.
            guard let write = writes.first(where: { $0.shown.reference == shown.reference }) else { continue }
            guard write.shown.lasting == shown.lasting, write.shown.id == shown.id, shown.order == log.order else {
                throw fault("transaction \(shown.id) is shown otherwise than before")
            }
        }
        // After the last write nothing can have changed.
        guard let last = writes.last, let answered = first[last.request] else { return }
        for exchange in log.exchanges {
            guard exchange.subject == .transaction(last.shown.id), let shown = exchange.transaction else { continue }
            guard shown.bytes == answered.bytes else {
                throw fault("transaction \(shown.id) is retrieved with other bytes than it was answered with")
            }
        }
    }

    // MARK: The other answers

    /// Finds for each answer the number of writes that preceded it. The number must not be smaller than that of an answer
    /// that was received before this request was sent. The smallest possible number is always the best choice, since it
    /// restricts the other answers least.
    private func place() throws(Contradiction) {
        var placed: [(ended: UInt64, count: Int)] = []
        for exchange in log.exchanges.sorted(by: { $0.begun < $1.begun }) {
            guard let answer = exchange.answer, answer != .busy else { continue }
            if case .unexpected(let text) = answer { throw fault("an answer that no request may have: \(text)") }
            let before = writes.lastIndex { $0.ended < exchange.begun }.map { $0 + 1 } ?? 0
            let most = writes.firstIndex { $0.begun > exchange.ended } ?? writes.count
            let least = placed.lazy.filter { $0.ended < exchange.begun }.map(\.count).reduce(before, max)
            let found = (0...writes.count).first { $0 >= least && isTrue(answer, of: exchange, after: $0) }
            guard let count = found else {
                throw fault("an answer that was true at no moment\(at(exchange)): \(missing(answer, exchange))")
            }
            guard count <= most else {
                throw fault("a response shows an operation that had not been requested yet\(at(exchange))")
            }
            placed.append((exchange.ended, count))
        }
    }

    /// Whether an answer is correct after `count` writes.
    private func isTrue(_ answer: PaymentAnswer, of exchange: OrderLog.Exchange, after count: Int) -> Bool {
        let (model, done) = (models[count], writes[..<count])
        switch (exchange.subject, answer) {
        case (.order, .order(let shown)):
            return shown.transactions.map(\.reference) == done.map(\.shown.reference)
                && shown.id == log.order && shown.state == model.state
                && shown.transactions.allSatisfy { $0.state == shown.state }
        case (.order, .refused(.unknown)): return count == 0
        case (.transaction(let id), .transaction(let shown)):
            return shown.state == model.state && shown.id == id
                && done.contains { $0.shown.reference == shown.reference }
        case (.transaction(let id), .refused(.unknown)): return !done.contains { $0.shown.id == id }
        case (.request(let number), .transaction(let shown)):
            // The answer shows the order right after the transaction, even if it is sent later.
            guard shown.reference == log.requests[number].reference,
                let position = done.firstIndex(where: { $0.request == number })
            else { return false }
            return shown.state == models[position + 1].state
        case (.request(let number), .refused(let refusal)):
            return isRefused(log.requests[number], with: refusal, by: model, after: done)
        default: return false
        }
    }

    private func isRefused(
        _ request: OrderLog.Request, with refusal: PaymentAnswer.Refusal, by model: ModelOrder,
        after done: ArraySlice<Write>
    ) -> Bool {
        if let other = done.first(where: { $0.shown.id == request.transaction }) {
            return refusal == .otherParameters && other.shown.reference != request.reference
        }
        let isLawful = model.entry(for: request.command, as: request.transaction) != nil
        switch refusal {
        case .otherParameters: return false
        // ``TokenLog`` checks where else the token was used.
        case .tokenUsed: return isLawful
        case .unknown: return !isLawful && done.isEmpty
        case .order: return !isLawful
        }
    }

    // MARK: Words

    private func fault(_ summary: String) -> Contradiction { Contradiction(summary, in: log) }

    private func at(_ exchange: OrderLog.Exchange) -> String {
        let start = log.exchanges.map(\.begun).min() ?? 0
        return " (begun \((exchange.begun - start) / 1000))"
    }

    /// A hint at what may be missing if an answer was never correct.
    private func missing(_ answer: PaymentAnswer, _ exchange: OrderLog.Exchange) -> String {
        guard case .transaction(let shown) = answer else { return "\(exchange.subject)" }
        let isThere = writes.contains { $0.shown.reference == shown.reference }
        return isThere ? "the order shown with transaction \(shown.id)" : "transaction \(shown.id) is lost"
    }
}

extension OrderLog.Exchange {
    /// The order, if the answer contains one.
    fileprivate var order: ShownOrder? {
        guard case .order(let order)? = answer else { return nil }
        return order
    }

    /// The transaction, if the answer contains only one transaction.
    var transaction: ShownTransaction? {
        guard case .transaction(let transaction)? = answer else { return nil }
        return transaction
    }

    /// All transactions in the answer.
    fileprivate var transactions: [ShownTransaction] { transaction.map { [$0] } ?? order?.transactions ?? [] }

    var refusal: PaymentAnswer.Refusal? {
        guard case .refused(let refusal)? = answer else { return nil }
        return refusal
    }
}
