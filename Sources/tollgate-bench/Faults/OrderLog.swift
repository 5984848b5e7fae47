/// All that clients asked of one order, and what they were answered.
struct OrderLog {
    /// A request that may change the order. However often it is sent, it may do so once.
    struct Request {
        /// `transaction.reference`: no other request has it.
        let reference: String
        /// The transaction that it is to make.
        let transaction: String
        let command: ModelOrder.Command
    }

    /// What an exchange is about.
    enum Subject: Equatable {
        /// One of the requests, by its position among them.
        case request(Int)
        /// RETRIEVE_ORDER.
        case order
        /// RETRIEVE_TRANSACTION.
        case transaction(String)
    }

    /// One sending of a request, with its answer if one came. Instants are nanoseconds on one clock.
    struct Exchange {
        let subject: Subject
        /// Before its first byte was sent.
        let begun: UInt64
        /// After its answer's last byte was received; of one without an answer, after any instance might have carried it
        /// out was gone, or `UInt64.max`.
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
    /// Every exchange on a line, in microseconds since the first.
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

/// Answers that can't all be true.
struct Contradiction: Error, CustomStringConvertible {
    /// What is wrong, without what it was seen in.
    let summary: String
    let description: String

    init(_ summary: String, in log: some CustomStringConvertible) {
        self.summary = summary
        description = "\(summary)\n\(log)"
    }
}
