@testable import tollgate_bench

/// The log of an order that behaves as it should but where a test says otherwise. Instants are small numbers, and may be
/// negative.
struct ToldOrder {
    private(set) var log = OrderLog(order: "order")
    /// What the order would show.
    private var made: [(entry: ModelOrder.Entry, reference: String)] = []

    /// The summary of what is wrong with it, if anything is.
    var fault: String? {
        do throws(Contradiction) {
            try OrderCheck.check(log)
            return nil
        } catch {
            return error.summary
        }
    }

    private var model: ModelOrder {
        made.reduce(into: ModelOrder()) { $0.add($1.entry) }
    }

    /// Sends a request, has it carried out, and answers it.
    ///
    /// - Parameter asLawful: a capture is carried out though the order doesn't allow it.
    mutating func tell(
        _ command: ModelOrder.Command, id: String, at instants: ClosedRange<Int>, asLawful: Bool = false,
        changing: (inout OrderState) -> Void = { _ in }
    ) {
        let number = add(command, id)
        if asLawful, case .capture(let cents) = command {
            let entry = ModelOrder.Entry(id: id, type: "CAPTURE", cents: cents, isApproved: true, target: "1")
            made.append((entry, log.requests[number].reference))
        } else {
            carryOut(command, id: id, reference: log.requests[number].reference)
        }
        answer(.request(number), .transaction(shown(id, changing: changing)), at: instants)
    }

    /// Sends a request, and refuses it.
    mutating func refuse(
        _ command: ModelOrder.Command, id: String, with refusal: PaymentAnswer.Refusal, at instants: ClosedRange<Int>
    ) {
        answer(.request(add(command, id)), .refused(refusal), at: instants)
    }

    /// Sends a request that is not answered.
    mutating func send(
        _ command: ModelOrder.Command, id: String, begun: Int, ended: Int? = nil, isCarriedOut: Bool
    ) {
        let number = add(command, id)
        log.exchanges.append(
            OrderLog.Exchange(
                subject: .request(number), begun: Self.instant(begun), ended: ended.map(Self.instant) ?? .max))
        if isCarriedOut { carryOut(command, id: id, reference: log.requests[number].reference) }
    }

    /// Adds a transaction to the order.
    mutating func carryOut(_ command: ModelOrder.Command, id: String, reference: String) {
        guard let entry = model.entry(for: command, as: id) else { preconditionFailure("a test's own command") }
        made.append((entry, reference))
    }

    /// Loses a transaction.
    mutating func forget(_ id: String) { made.removeAll { $0.entry.id == id } }

    /// RETRIEVE_ORDER.
    mutating func retrieve(at instants: ClosedRange<Int>, changing: (inout OrderState) -> Void = { _ in }) {
        answer(.order, .order(orderShown(changing: changing)), at: instants)
    }

    /// Any answer.
    mutating func answer(_ subject: OrderLog.Subject, _ answer: PaymentAnswer, at instants: ClosedRange<Int>) {
        log.exchanges.append(
            OrderLog.Exchange(
                subject: subject, begun: Self.instant(instants.lowerBound), ended: Self.instant(instants.upperBound),
                answer: answer))
    }

    /// The same answer again, or one with other bytes.
    mutating func repeatAnswer(of exchange: Int, at instants: ClosedRange<Int>, bytes: String?) {
        let first = log.exchanges[exchange]
        guard case .transaction(let shown)? = first.answer else { preconditionFailure("a test's own answer") }
        answer(
            first.subject, .transaction(copy(shown, bytes: bytes.map { Array($0.utf8) } ?? shown.bytes)), at: instants)
    }

    /// The order as it is.
    func orderShown(changing: (inout OrderState) -> Void = { _ in }) -> ShownOrder {
        var state = model.state ?? OrderState(status: "", cents: 0, totals: (0, 0, 0))
        changing(&state)
        return ShownOrder(
            id: log.order, state: state, transactions: made.map { copy(shown($0.entry.id), state: state) },
            bytes: Array("\(state)\(made.count)".utf8))
    }

    /// A transaction of the order, with the order as it is.
    func shown(
        _ id: String, bytes: String? = nil, lasting: String? = nil, changing: (inout OrderState) -> Void = { _ in }
    ) -> ShownTransaction {
        guard let (entry, reference) = made.last(where: { $0.entry.id == id }), var state = model.state else {
            preconditionFailure("a test's own transaction")
        }
        changing(&state)
        let text = "\(entry) by \(reference)"
        return ShownTransaction(
            order: log.order, state: state, id: id, type: entry.type, cents: entry.cents, isApproved: entry.isApproved,
            reference: reference, bytes: Array((bytes ?? "\(text) \(state)").utf8),
            lasting: Array((lasting ?? text).utf8))
    }

    private func copy(
        _ shown: ShownTransaction, state: OrderState? = nil, bytes: [UInt8]? = nil
    ) -> ShownTransaction {
        ShownTransaction(
            order: shown.order, state: state ?? shown.state, id: shown.id, type: shown.type, cents: shown.cents,
            isApproved: shown.isApproved, reference: shown.reference, bytes: bytes ?? shown.bytes,
            lasting: shown.lasting)
    }

    private mutating func add(_ command: ModelOrder.Command, _ id: String) -> Int {
        log.add(OrderLog.Request(reference: "\(log.requests.count + 1)", transaction: id, command: command))
    }

    private static func instant(_ number: Int) -> UInt64 { UInt64(1_000_000 + number * 1000) }
}
