internal import HTTP
internal import JSON
internal import Payments

/// `responseControls.sensitiveData`: whether a reply shows account numbers unmasked.
enum SensitiveData {
    case masked
    case unmasked

    /// The field's path.
    static let path = "responseControls.sensitiveData"

    /// Reads a request's value, and checks that the caller may use it: UNMASK requires the privilege, and a merchant
    /// that is authenticated by the certificate of its connection.
    init(_ text: String?, for caller: Caller) throws(ErrorReply) {
        switch text {
        case nil: self = .masked
        case "UNMASK":
            guard caller.isKnownByCertificate else {
                throw .invalid(Self.path, "UNMASK", "The request must be authenticated by certificate")
            }
            guard caller.merchant.privileges.contains(.unmaskSensitiveData) else {
                let name = Privilege.unmaskSensitiveData.rawValue
                throw .invalid(Self.path, "UNMASK", "Missing merchant privilege '\(name)'")
            }
            self = .unmasked
        case let text?: throw .invalid(Self.path, text, "Expected UNMASK")
        }
    }

    /// Reads the value in the content of a request.
    init(_ request: JSONNode, for caller: Caller) throws(ErrorReply) {
        try self.init(request.member("responseControls")?.member("sensitiveData")?.fieldText, for: caller)
    }

    /// Reads the value in the query of a retrieval, which has no content.
    init(query target: String, for caller: Caller) throws(ErrorReply) {
        let query = target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
        for field in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = try? PathSegments.decode(parts[0]), name == Self.path else { continue }
            // A value that can't be decoded is not a valid one.
            let value = parts.count == 2 ? (try? PathSegments.decode(parts[1])) ?? "%" : ""
            try self.init(value, for: caller)
            return
        }
        self = .masked
    }
}

extension Gateway {
    /// A transaction with its account numbers as the reply shows them.
    func shown(_ transaction: Transaction, _ sensitive: SensitiveData) throws(Refusal) -> Transaction {
        switch sensitive {
        case .masked: transaction
        case .unmasked: try unmasked(transaction)
        }
    }

    /// An order's transactions with their account numbers as the reply shows them.
    func shown(_ history: OrderHistory, _ sensitive: SensitiveData) throws(Refusal) -> OrderHistory {
        var transactions: [Transaction] = []
        for transaction in history.transactions { transactions.append(try shown(transaction, sensitive)) }
        return OrderHistory(order: history.order, transactions: transactions)
    }
}
