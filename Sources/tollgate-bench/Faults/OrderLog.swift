/// All requests of clients for one order, with the answers.
struct OrderLog {
    /// A request that may change the order. It may be sent repeatedly, but must take effect at most once.
    struct Request {
        /// `transaction.reference`, unique to the request.
        let reference: String
        /// The id of the transaction that the request creates.
        let transaction: String
        let command: ModelOrder.Command
    }

    /// The subject of an exchange.
    enum Subject: Equatable {
        /// A request, by its position in the log.
        case request(Int)
        /// RETRIEVE_ORDER.
        case order
        /// RETRIEVE_TRANSACTION.
        case transaction(String)
    }

    /// One transmission of a request, with its answer, if any. Instants are nanoseconds on one clock.
    struct Exchange {
        let subject: Subject
        /// An instant before the first byte was sent.
        let begun: UInt64
        /// An instant after the last byte of the answer was received. Without an answer, an instant after every process
        /// that might have carried the request out had ended, or `UInt64.max`.
        var ended = UInt64.max
        var answer: PaymentAnswer?
    }

    let order: String
    private(set) var requests: [Request] = []
    var exchanges: [Exchange] = []

    init(order: String) { self.order = order }

    /// Adds a request that is about to be sent.
    ///
    /// - Returns: its position.
    mutating func add(_ request: Request) -> Int {
        requests.append(request)
        return requests.count - 1
    }
}

extension OrderLog: CustomStringConvertible {
    /// All exchanges, one per line, in microseconds since the first.
    var description: String {
        let start = exchanges.map(\.begun).min() ?? 0
        let lines = exchanges.map { exchange in
            let end = exchange.ended == .max ? "" : "\((exchange.ended - start) / 1000)"
            return "  \((exchange.begun - start) / 1000)...\(end) \(text(exchange.subject)): \(text(exchange.answer))"
        }
        return (["\(order):"] + lines).joined(separator: "\n")
    }

    private func text(_ subject: Subject) -> String {
        switch subject {
        case .order: "RETRIEVE_ORDER"
        case .transaction(let id): "RETRIEVE_TRANSACTION \(id)"
        case .request(let number):
            "\(requests[number].transaction) \(requests[number].command), reference \(requests[number].reference)"
        }
    }

    private func text(_ answer: PaymentAnswer?) -> String {
        switch answer {
        case nil: return "no answer"
        case .busy: return "busy"
        case .unexpected(let text): return text
        case .refused(let refusal): return "refused, \(refusal)"
        case .transaction(let shown): return "\(shown.id) \(shown.type) \(shown.cents); \(shown.state)"
        case .order(let shown):
            let transactions = shown.transactions.map { "\($0.id) \($0.type) \($0.cents) by \($0.reference)" }
            return "\(shown.state); \(transactions.joined(separator: ", "))"
        }
    }
}

/// A contradiction between answers, which can't all be true.
struct Contradiction: Error, CustomStringConvertible {
    /// The contradiction, without the log in which it was found.
    let summary: String
    let description: String

    init(_ summary: String, in log: some CustomStringConvertible) {
        self.summary = summary
        description = "\(summary)\n\(log)"
    }
}
