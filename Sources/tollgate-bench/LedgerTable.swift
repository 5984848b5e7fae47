import Glibc
import Payments
import SQLiteStore

/// What commits cost on stores of several sizes, in turns.
struct LedgerTable {
    private var rows: [CostRow] = []
    private let storeCount: Int

    /// A kind of commits, by so many at once.
    private enum Kind: CaseIterable {
        case authorizations, captures, authorizationsAlone, capturesAlone

        var isAlone: Bool { self == .authorizationsAlone || self == .capturesAlone }
        var isAuthorization: Bool { self == .authorizations || self == .authorizationsAlone }
    }

    /// Measures. The first round only warms up.
    init(_ bench: LedgerBench, _ stores: [LedgerStore]) async throws {
        storeCount = stores.count
        for kind in Kind.allCases {
            for store in stores {
                rows.append(
                    CostRow(
                        "\(kind.isAuthorization ? "new order" : "capture") × "
                            + "\(kind.isAlone ? 1 : bench.committers), \(store.orders.count)"))
            }
        }
        for round in 0...bench.rounds {
            var opened: [(store: SQLiteStore, commits: LedgerCommits)] = []
            for store in stores {
                try store.renew()
                opened.append(try await store.open())
            }
            for (kindNumber, kind) in Kind.allCases.enumerated() {
                for number in opened.indices {
                    let count = kind.isAlone ? bench.transactions / 10 : bench.transactions
                    let commits =
                        kind.isAuthorization
                        ? try opened[number].commits.authorizations(count) : try opened[number].commits.captures(count)
                    let load = LedgerLoad(commits, committers: kind.isAlone ? 1 : bench.committers)
                    let before = try ProcessUsage(of: getpid())
                    let run = try await load.run(on: opened[number].store)
                    let cost = RequestCost(from: before, to: try ProcessUsage(of: getpid()), requests: run.requests)
                    if round > 0 { rows[kindNumber * storeCount + number].add(run, cost) }
                }
            }
            for (store, _) in opened { try store.close() }
        }
    }

    /// Prints the table. The ratio is that to the smallest store's.
    func print() {
        Swift.print(CostRow.head)
        for (number, row) in rows.enumerated() {
            Swift.print(row.line(against: rows[number / storeCount * storeCount].medianMicroseconds))
        }
    }
}
