public import Payments
internal import Values
public import Vault

extension PostgresStore: OrderListing {
    /// Lists orders by their creation time, the newest first. Orders of the same millisecond are in the order of merchant and
    /// identifier.
    public func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage? {
        guard let search = OrderSearch(query) else { return nil }
        return try search.page(try await read(query.order == nil ? search.matching : search.byIdentifier))
    }
}

/// A search for orders in one database.
private struct OrderSearch {
    private let query: OrderQuery
    private let end: (created: Int64, merchant: [UInt8], order: [UInt8])?

    /// Creates a search; nil if its position is none of this store.
    init?(_ query: OrderQuery) {
        self.query = query
        guard let before = query.before else {
            end = nil
            return
        }
        let parts = before.text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let created = Int64(parts[0]), let merchant = Hexadecimal.decoded(parts[1].utf8),
            let order = Hexadecimal.decoded(parts[2].utf8)
        else { return nil }
        end = (created, merchant, order)
    }

    /// The orders of one identifier: at most one of each merchant, whose merchants are skipped through by the key.
    var byIdentifier: Query {
        var parameters: [Parameter] = []
        let merchants =
            query.merchant.map { "WITH merchants (name) AS (SELECT \(parameters.add(.bytes($0.text)))::bytea)" }
                ?? """
                WITH RECURSIVE merchants (name) AS (
                (SELECT merchant FROM orders ORDER BY merchant LIMIT 1)
                UNION ALL
                SELECT (SELECT merchant FROM orders WHERE merchant > name ORDER BY merchant LIMIT 1)
                FROM merchants WHERE name IS NOT NULL)
                """
        let order = parameters.add(.bytes(query.order?.text ?? ""))
        let older = older(than: end, "coalesce(created, 0)", &parameters)
        return .text(
            """
            \(merchants)
            SELECT coalesce(created, 0), merchant, id, document, last_four FROM merchants
            JOIN orders ON orders.merchant = name AND orders.id = \(order)::bytea
            WHERE \(older) ORDER BY 1 DESC, merchant DESC, id DESC
            """, parameters)
    }

    /// The orders that match: at most one more than a page has. If several filters are set, a last row without a document
    /// is the position up to which orders were examined, unless there are no more.
    var matching: Query {
        var parameters: [Parameter] = []
        let filters = filters(&parameters)
        let (first, others) = (filters.first, filters.dropFirst())
        let older = older(than: end, "created", &parameters)
        let count = parameters.add(.integer(Int64(query.count) + 1))
        let examined = """
            SELECT created, merchant, id, document, status, amount, wallet, last_four FROM orders
            WHERE created IS NOT NULL AND \(first ?? "true") AND \(older)
            ORDER BY created DESC, merchant DESC, id DESC
            """
        guard !others.isEmpty else {
            return .text(
                "SELECT created, merchant, id, document, last_four FROM (\(examined) LIMIT \(count)::bigint) AS found",
                parameters)
        }
        let max = parameters.add(.integer(Int64(OrderQuery.examinedMax)))
        return .text(
            """
            WITH examined AS (\(examined) LIMIT \(max)::bigint)
            (SELECT created, merchant, id, document, last_four FROM examined
            WHERE \(others.joined(separator: " AND ")) LIMIT \(count)::bigint)
            UNION ALL
            (SELECT created, merchant, id, NULL, NULL FROM examined OFFSET \(max)::bigint - 1 LIMIT 1)
            """, parameters)
    }

    func page(_ found: QueryResult) throws(StoreFailure) -> OrderPage {
        var orders: [ListedOrder] = []
        var last = 0
        for row in 0..<found.rowCount {
            guard let record = try found.bytesIfPresent(row, 3) else {
                return OrderPage(orders: orders, next: try Self.position(found, row))
            }
            let order: Order
            do throws(RecordFault) { order = try Order(record: record) } catch {
                throw .damaged(detail: "record: \(error)")
            }
            let lastFour = try found.bytesIfPresent(row, 4).map { String(decoding: $0, as: UTF8.self) }
            let listed = ListedOrder(order: order, lastFour: lastFour)
            guard query.order == nil || query.matches(listed) else { continue }
            guard orders.count < query.count else {
                return OrderPage(orders: orders, next: try Self.position(found, last))
            }
            orders.append(listed)
            last = row
        }
        return OrderPage(orders: orders, next: nil)
    }

    /// The conditions that are set, beginning with the one that usually matches the fewest orders.
    private func filters(_ parameters: inout [Parameter]) -> [String] {
        var filters: [String] = []
        if let lastFour = query.lastFour { filters.append("last_four = \(parameters.add(.bytes(lastFour)))::bytea") }
        if let amount = query.amount {
            filters.append("amount = \(parameters.add(.integer(amount.tenThousandths)))::bigint")
        }
        if let merchant = query.merchant {
            filters.append("merchant = \(parameters.add(.bytes(merchant.text)))::bytea")
        }
        if let status = query.status { filters.append("status = \(parameters.add(.bytes(status.rawValue)))::bytea") }
        if let wallet = query.wallet { filters.append("wallet = \(parameters.add(.bytes(wallet.rawValue)))::bytea") }
        return filters
    }

    private func older(
        than end: (created: Int64, merchant: [UInt8], order: [UInt8])?, _ created: String,
        _ parameters: inout [Parameter]
    ) -> String {
        guard let end else { return "true" }
        let instant = parameters.add(.integer(end.created))
        let (merchant, order) = (parameters.add(.bytes(end.merchant)), parameters.add(.bytes(end.order)))
        // The first condition finds the place in the index.
        return """
            \(created) <= \(instant)::bigint
            AND (\(created), merchant, id) < (\(instant)::bigint, \(merchant)::bytea, \(order)::bytea)
            """
    }

    private static func position(_ found: QueryResult, _ row: Int) throws(StoreFailure) -> OrderPosition {
        let merchant = Hexadecimal.encoded(try found.bytes(row, 1))
        return OrderPosition("\(try found.integer(row, 0)).\(merchant).\(Hexadecimal.encoded(try found.bytes(row, 2)))")
    }
}

extension [Parameter] {
    /// Appends a parameter and returns its name.
    fileprivate mutating func add(_ parameter: Parameter) -> String {
        append(parameter)
        return "$\(count)"
    }
}
