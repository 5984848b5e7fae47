/// A filter for the request log.
struct RequestFilter: Equatable {
    /// The status of a reply, or a class of statuses.
    enum Status: Equatable {
        case code(Int)
        /// The hundreds: 4 for 400 to 499.
        case kind(Int)

        /// Reads `400` or `4xx`.
        init?(_ text: String) {
            let digits = text.hasSuffix("xx") ? text.dropLast(2) : text[...]
            guard let number = Int(digits) else { return nil }
            switch (digits.count, text.count) {
            case (1, 3) where (1...5).contains(number): self = .kind(number)
            case (3, 3) where (100...599).contains(number): self = .code(number)
            default: return nil
            }
        }

        func matches(_ code: Int) -> Bool {
            switch self {
            case .code(let expected): code == expected
            case .kind(let hundreds): code / 100 == hundreds
            }
        }
    }

    var merchant: String?
    var order: String?
    var status: Status?
    /// The `response.gatewayCode` of the reply.
    var outcome: String?
    /// Only requests after the one with this identifier.
    var after: Int?
    var limit = RequestLog.countMax

    /// Creates a filter that every request matches.
    init() {}

    /// Parses a query in which each parameter is optional.
    init(query: String?) throws(ControlFault) {
        let query = try ControlQuery(query, ["merchant", "order", "status", "outcome", "after", "limit"])
        merchant = query["merchant"]
        order = query["order"]
        status = try query.value("status", "a status such as 400, or 4xx") { Status($0) }
        outcome = try query.value("outcome", "a gatewayCode such as DECLINED") { text in
            text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
                ? text : nil
        }
        after = try query.integer("after", in: 0...Int.max)
        limit = try query.integer("limit", in: 1...RequestLog.countMax) ?? limit
    }

    func matches(_ entry: RequestLog.Entry, id: Int) -> Bool {
        (merchant == nil || entry.merchant == merchant) && (order == nil || entry.order == order)
            && (outcome == nil || entry.outcome == outcome) && (after.map { id > $0 } ?? true)
            && (status.map { status in entry.status.map(status.matches) ?? false } ?? true)
    }
}
