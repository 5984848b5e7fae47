import Glibc

/// The cost of commits on stores of several sizes, measured alternately.
struct LedgerTable {
    private var rows: [CostRow] = []
    private var serverRows: [CostRow] = []
    private let storeCount: Int

    /// A kind of commit, and the number of concurrent tasks.
    private enum Kind: CaseIterable {
        case authorizations, captures, authorizationsAlone, capturesAlone

        var isAlone: Bool { self == .authorizationsAlone || self == .capturesAlone }
        var isAuthorization: Bool { self == .authorizations || self == .authorizationsAlone }
    }

    /// Takes the measurements. The first round is only a warm-up.
    init(_ bench: LedgerBench, _ stores: [any LedgerStore]) async throws {
        storeCount = stores.count
        for kind in Kind.allCases {
            for store in stores {
                rows.append(
                    CostRow(
                        "\(kind.isAuthorization ? "new order" : "capture") × "
                            + "\(kind.isAlone ? 1 : bench.committers), \(store.orders.count)"))
                serverRows.append(CostRow("  of its server"))
            }
        }
        for round in 0...bench.rounds {
            var opened: [OpenLedger] = []
            for store in stores {
                try await store.renew()
                opened.append(try await store.open())
            }
            for (kindNumber, kind) in Kind.allCases.enumerated() {
                for number in opened.indices {
                    let count = kind.isAlone ? bench.transactions / 10 : bench.transactions
                    let commits =
                        kind.isAuthorization
                        ? try opened[number].commits.authorizations(count) : try opened[number].commits.captures(count)
                    let load = LedgerLoad(commits, committers: kind.isAlone ? 1 : bench.committers)
                    let serverBefore = try stores[number].server?.usage()
                    let before = try ProcessUsage(of: getpid())
                    let run = try await load.run(on: opened[number].store)
                    let cost = RequestCost(from: before, to: try ProcessUsage(of: getpid()), requests: run.requests)
                    guard round > 0 else { continue }
                    rows[kindNumber * storeCount + number].add(run, cost)
                    guard let serverBefore, let after = try stores[number].server?.usage() else { continue }
                    serverRows[kindNumber * storeCount + number].add(
                        run, RequestCost(from: serverBefore, to: after, requests: run.requests))
                }
            }
            for ledger in opened { try ledger.close() }
        }
    }

    /// Prints the table. The ratio compares with the smallest store.
    func print() {
        Swift.print(CostRow.head)
        for (number, row) in rows.enumerated() {
            Swift.print(row.line(against: rows[number / storeCount * storeCount].medianMicroseconds))
            if !serverRows[number].isEmpty { Swift.print(serverRows[number].line(against: nil)) }
        }
    }
}
