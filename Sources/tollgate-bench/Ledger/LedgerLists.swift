import Payments
import Values

/// The time that a store takes for one page of a list of its orders.
struct LedgerLists {
    private static let repetitions = 21

    private let orders: LedgerOrders
    private var lines: [String] = []

    /// A search, and its name in the table.
    private struct Search {
        let name: String
        let query: OrderQuery

        init(_ name: String, _ change: (inout OrderQuery) throws -> Void) rethrows {
            self.name = name
            var query = OrderQuery()
            try change(&query)
            self.query = query
        }
    }

    /// Takes the measurements.
    init(_ ledger: any LedgerStore) async throws {
        orders = ledger.orders
        let opened = try await ledger.open()
        guard let newest = try await opened.store.orders(OrderQuery())?.orders.first else {
            throw BenchFailure("the store lists no orders")
        }
        for search in try Self.searches(newest, orders) {
            var milliseconds: [Double] = []
            var found = 0
            for _ in 0..<Self.repetitions {
                let start = Monotonic.nanoseconds
                found = try await opened.store.orders(search.query)?.orders.count ?? 0
                milliseconds.append(Double(Monotonic.nanoseconds - start) / 1e6)
            }
            milliseconds.sort()
            lines.append(
                "\(search.name), \(orders.count) orders: \(milliseconds[Self.repetitions / 2].rounded(to: 2)) ms, "
                    + "at most \(milliseconds[Self.repetitions - 1].rounded(to: 2)) ms; \(found) found")
        }
        try opened.close()
    }

    /// Searches that match every order, one, and none; the last ones examine as many orders as a page may.
    private static func searches(_ newest: ListedOrder, _ orders: LedgerOrders) throws -> [Search] {
        let (order, lastFour) = (newest.order, newest.lastFour)
        return [
            Search("the newest") { _ in },
            Search("by merchant") { $0.merchant = order.merchant },
            Search("by status") { $0.status = order.status },
            Search("by amount") { $0.amount = ExactDecimal(order.amount) },
            Search("by wallet") { $0.wallet = order.walletProvider },
            Search("by last four") { $0.lastFour = lastFour },
            try Search("by identifier") { $0.order = try OrderID(orders.name(orders.count / 2)) },
            Search("no such status") { $0.status = .excessivelyRefunded },
            Search("no such last four") { $0.lastFour = "0000" },
            Search("last four and no such wallet") { ($0.lastFour, $0.wallet) = (lastFour, .googlePay) },
            Search("amount, status and no such wallet") {
                ($0.amount, $0.status, $0.wallet) = (ExactDecimal(order.amount), order.status, .samsungPay)
            },
        ]
    }

    /// Prints one line for each search.
    func print() { for line in lines { Swift.print(line) } }
}
