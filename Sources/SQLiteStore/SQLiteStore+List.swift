internal import GRDB
public import Payments
internal import Values
public import Vault

extension SQLiteStore: OrderListing {
    /// Lists orders in the order in which they were made, the newest first.
    public func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage? {
        guard let search = OrderSearch(query) else { return nil }
        return try await longReads.read { try search.page(in: $0) }
    }
}

/// A search for orders in one file.
///
/// It follows the index of one filter and steps through it from the newest row, so that each page takes bounded time.
private struct OrderSearch: Sendable {
    private let query: OrderQuery
    /// Only rows below this number are listed.
    private let end: Int64

    /// Creates a search; nil if its position is none of this store.
    init?(_ query: OrderQuery) {
        self.query = query
        guard let before = query.before else {
            end = Int64.max
            return
        }
        guard let row = Int64(before.text), row > 0, before.text == String(row) else { return nil }
        end = row
    }

    func page(in database: Database) throws -> OrderPage {
        if let order = query.order { return try page(of: order, in: database) }
        var orders: [ListedOrder] = []
        var last: Int64?
        var examined = 0
        let select = try statement(in: database)
        while try select.step() {
            let row = try select.integer(0)
            // The order after a full page proves that there is a next one.
            guard orders.count < query.count, examined < OrderQuery.examinedMax else {
                return OrderPage(orders: orders, next: last.map { OrderPosition(String($0)) })
            }
            examined += 1
            last = row
            guard try select.integer(1) != 0 else { continue }
            guard let order = try Self.order(row, in: database) else { continue }
            orders.append(ListedOrder(order: order, lastFour: try select.textIfPresent(2)))
        }
        return OrderPage(orders: orders, next: nil)
    }

    /// A filter: the index that finds its rows, its column, and its value.
    private enum Filter {
        case text(index: String, column: String, String)
        case amount(Int64)

        var index: String {
            switch self {
            case .text(let index, _, _): index
            case .amount: "listedByAmount"
            }
        }

        var condition: String {
            switch self {
            case .text(_, let column, _): "\(column) = ?"
            case .amount: "amount = ?"
            }
        }

        func bind(to statement: inout StatementUse) throws {
            switch self {
            case .text(_, _, let text): try statement.bind(text)
            case .amount(let amount): try statement.bind(amount)
            }
        }
    }

    /// The filters that are set, beginning with the one that usually matches the fewest orders.
    private var filters: [Filter] {
        [
            query.lastFour.map { .text(index: "listedByLastFour", column: "lastFour", $0) },
            query.amount.map { .amount($0.tenThousandths) },
            query.merchant.map { .text(index: "listedByMerchant", column: "merchant", $0.text) },
            query.status.map { .text(index: "listedByStatus", column: "status", $0.rawValue) },
            query.wallet.map { .text(index: "listedByWallet", column: "wallet", $0.rawValue) },
        ].compactMap { $0 }
    }

    /// Selects row number, whether all filters match, and last four digits, from the newest row on.
    private func statement(in database: Database) throws -> StatementUse {
        guard let first = filters.first else {
            var select = try StatementUse(
                """
                SELECT orders.row, 1, listed.lastFour FROM orders LEFT JOIN listed ON listed.row = orders.row
                WHERE orders.row < ? ORDER BY orders.row DESC
                """, in: database)
            try select.bind(end)
            return select
        }
        let others = filters.dropFirst()
        let matches = others.isEmpty ? "1" : others.map(\.condition).joined(separator: " AND ")
        var select = try StatementUse(
            """
            SELECT row, coalesce(\(matches), 0), lastFour FROM listed INDEXED BY \(first.index)
            WHERE \(first.condition) AND row < ? ORDER BY row DESC
            """, in: database)
        for filter in others { try filter.bind(to: &select) }
        try first.bind(to: &select)
        try select.bind(end)
        return select
    }

    private static func order(_ row: Int64, in database: Database) throws -> Order? {
        var select = try StatementUse("SELECT document FROM orders WHERE row = ?", in: database)
        try select.bind(row)
        return try select.step() ? try Order(record: try select.bytes(0)) : nil
    }
}

extension OrderSearch {
    /// The orders of one identifier: at most one of each merchant, found by the key, whose merchants are skipped through.
    private func page(of order: OrderID, in database: Database) throws -> OrderPage {
        let merchants =
            query.merchant == nil
            ? """
            WITH RECURSIVE merchants (name) AS (
                SELECT min(merchant) FROM orders
                UNION ALL
                SELECT (SELECT min(merchant) FROM orders WHERE merchant > name) FROM merchants WHERE name IS NOT NULL
            )
            """ : "WITH merchants (name) AS (SELECT ?)"
        var select = try StatementUse(
            """
            \(merchants)
            SELECT orders.row, orders.document, listed.lastFour FROM merchants
            CROSS JOIN orders ON orders.merchant = name AND orders.id = ?
            LEFT JOIN listed ON listed.row = orders.row
            WHERE orders.row < ? ORDER BY orders.row DESC
            """, in: database)
        if let merchant = query.merchant { try select.bind(merchant.text) }
        try select.bind(order.text)
        try select.bind(end)
        var orders: [ListedOrder] = []
        var last: Int64?
        while try select.step() {
            let listed = ListedOrder(
                order: try Order(record: try select.bytes(1)), lastFour: try select.textIfPresent(2))
            guard query.matches(listed) else { continue }
            guard orders.count < query.count else {
                return OrderPage(orders: orders, next: last.map { OrderPosition(String($0)) })
            }
            last = try select.integer(0)
            orders.append(listed)
        }
        return OrderPage(orders: orders, next: nil)
    }
}
