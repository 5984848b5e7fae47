import JSON

/// The information in an answer of the API.
enum PaymentAnswer: Equatable {
    /// The reason why a request was refused.
    enum Refusal: Equatable {
        /// The transaction exists, but was created with other parameters.
        case otherParameters
        /// The token was used for another payment, or was presented for another order.
        case tokenUsed
        /// There is no such order, or the order has no such transaction.
        case unknown
        /// The order's state does not allow the request.
        case order(String)
    }

    /// 201 for an operation, or 200 for RETRIEVE_TRANSACTION.
    case transaction(ShownTransaction)
    /// 200 for RETRIEVE_ORDER.
    case order(ShownOrder)
    /// 400.
    case refused(Refusal)
    /// 503 SERVER_BUSY: the request must be retried, and its outcome is unknown.
    case busy
    /// Any other answer.
    case unexpected(String)

    /// Reads an answer.
    init(status: Int, content: UnsafeRawBufferPointer) {
        let text = { "\(status) \(String(decoding: content.prefix(1500), as: UTF8.self))" }
        do {
            let root = try JSONDocument(content).root
            switch status {
            case 200, 201:
                if root["transaction"]?.kind == .array {
                    self = .order(try ShownOrder(root, Array(content)))
                } else {
                    self = .transaction(try ShownTransaction(root, Array(content)))
                }
            case 400:
                let refusal = Refusal(root["error"]?["explanation"]?.string ?? "")
                self = refusal.map(Self.refused) ?? .unexpected(text())
            case 503 where root["error"]?["cause"]?.string == "SERVER_BUSY": self = .busy
            default: self = .unexpected(text())
            }
        } catch {
            self = .unexpected("\(error): \(text())")
        }
    }
}

extension PaymentAnswer.Refusal {
    /// The API's explanations for orders whose state does not allow a request.
    private static let ofOrder = [
        "The order is already", "The order has no authorization", "exceeds outstanding authorized amount",
        "There is no transaction to refund", "There is more than one transaction to refund",
        "The order has no such transaction to refund", "can't be refunded", "'Excessive Refund'",
        "There is no transaction to void", "must be voided first",
    ]

    /// Parses an explanation; nil if no request of this program should be refused with it.
    init?(_ explanation: String) {
        if explanation.contains("the transaction parameters do not match") {
            self = .otherParameters
        } else if explanation.contains("refused at step 'replay'") {
            self = .tokenUsed
        } else if explanation.hasPrefix("Unable to find") {
            self = .unknown
        } else if Self.ofOrder.contains(where: explanation.contains) {
            self = .order(explanation)
        } else {
            return nil
        }
    }
}

/// A transaction as an answer shows it.
struct ShownTransaction: Equatable {
    /// The members of the order that are shown with it.
    let order: String
    let state: OrderState
    let id: String
    let type: String
    let cents: Int
    let isApproved: Bool
    /// `transaction.reference`, which identifies the request that created it.
    let reference: String
    /// The bytes of the answer.
    let bytes: [UInt8]
    /// The members that must never change, as written in the answer.
    let lasting: [UInt8]
}

extension ShownTransaction {
    /// Reads a transaction.
    ///
    /// - Parameter bytes: the bytes of the whole transaction.
    init(_ root: JSONNode, _ bytes: [UInt8]) throws {
        let order = try Members(root).object("order")
        let transaction = try Members(root).object("transaction")
        self.order = try order.text("id")
        state = try OrderState(order)
        id = try transaction.text("id")
        type = try transaction.text("type")
        cents = try transaction.cents("amount")
        reference = try transaction.text("reference")
        isApproved = try Members(root).text("result") == "SUCCESS"
        self.bytes = bytes
        var lasting: [UInt8] = []
        for name in [
            "authorizationResponse", "merchant", "response", "result", "sourceOfFunds", "timeOfRecord", "transaction",
        ] {
            root[name]?.withRawBytes { lasting += $0 }
        }
        self.lasting = lasting
    }
}

/// An order as RETRIEVE_ORDER shows it.
struct ShownOrder: Equatable {
    let id: String
    let state: OrderState
    /// The transactions, oldest first.
    let transactions: [ShownTransaction]
    /// The bytes of the answer.
    let bytes: [UInt8]
}

extension ShownOrder {
    fileprivate init(_ root: JSONNode, _ bytes: [UInt8]) throws {
        let members = Members(root)
        id = try members.text("id")
        state = try OrderState(members)
        var transactions: [ShownTransaction] = []
        if let elements = root["transaction"]?.elements {
            for element in elements {
                transactions.append(try ShownTransaction(element, element.withRawBytes { Array($0) }))
            }
        }
        self.transactions = transactions
        self.bytes = bytes
    }
}

extension OrderState {
    fileprivate init(_ order: Members) throws {
        self.init(
            status: try order.text("status"), cents: try order.cents("amount"),
            totals: (
                try order.cents("totalAuthorizedAmount"), try order.cents("totalCapturedAmount"),
                try order.cents("totalRefundedAmount")
            ))
    }
}

/// Reads the members that an object of an answer must have.
private struct Members {
    private let object: JSONNode

    init(_ object: JSONNode) { self.object = object }

    func object(_ name: String) throws -> Members { Members(try node(name)) }

    func text(_ name: String) throws -> String {
        guard let text = try node(name).string else { throw BenchFailure("\(name) is no text") }
        return text
    }

    /// An amount with two decimals.
    func cents(_ name: String) throws -> Int {
        let parts = (try node(name).numberText ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let units = Int(parts[0]), let cents = Int(parts[1]), units >= 0
        else { throw BenchFailure("\(name) is no amount with two decimals") }
        return units * 100 + cents
    }

    private func node(_ name: String) throws -> JSONNode {
        guard let node = object[name] else { throw BenchFailure("\(name) is missing") }
        return node
    }
}
