import Dispatch
import Glibc
import Histogram
import Synchronization

/// Compares three gateways on one database with one gateway, alternately, with the same total number of connections.
struct SharedLedger {
    private static let gatewayCount = 3
    private var rows: [CostRow]
    private var serverRows: [CostRow]

    /// Takes the measurements. The first round is only a warm-up.
    init(_ bench: LedgerBench, _ program: String, _ store: any LedgerStore) throws {
        rows = [1, Self.gatewayCount].map { CostRow("AUTHORIZE, \($0) gateway\($0 > 1 ? "s" : "")") }
        serverRows = rows.map { _ in CostRow("  of their server") }
        let gateways = try (0..<Self.gatewayCount).map { number in
            try GatewayProcess(
                program: program, number == 0 ? store.installation : store.installation.sibling("data\(number)"),
                options: store.gatewayOptions + ["--keys-folder", store.installation.dataPath] + bench.gatewayOption)
        }
        guard let server = store.server else { preconditionFailure("what gateways share has a server") }
        let count = max(Self.gatewayCount * 100, bench.transactions / 4)
        for round in 0...bench.rounds {
            for turn in rows.indices {
                let taking = turn == 0 ? 1 : Self.gatewayCount
                let seed = UInt64.random(in: 0...(.max))
                let batch = try RequestBatch.authorizations(count, first: 0, store.installation, at: .now) {
                    LedgerOrders.newName($0, seed: seed)
                }
                let identifiers = gateways[..<taking].map(\.identifier)
                let before = try identifiers.map { try FamilyUsage(of: $0) }
                let serverBefore = try server.usage()
                let run = try Self.run(
                    batch, ports: gateways[..<taking].map(\.port), connections: bench.connections / taking)
                let costs = try zip(before, identifiers).map {
                    RequestCost(from: $0, to: try FamilyUsage(of: $1), requests: run.requests)
                }
                let serverCost = RequestCost(from: serverBefore, to: try server.usage(), requests: run.requests)
                guard round > 0 else { continue }
                rows[turn].add(run, RequestCost(sum: costs))
                serverRows[turn].add(run, serverCost)
            }
        }
        for gateway in gateways { try gateway.stop() }
    }

    /// Sends an equal part of the batch to each port, with one thread per port.
    private static func run(_ batch: RequestBatch, ports: [UInt16], connections: Int) throws -> LoadGenerator.Run {
        let runs = Mutex<[Result<LoadGenerator.Run, any Error>]>([])
        let start = Monotonic.nanoseconds
        DispatchQueue.concurrentPerform(iterations: ports.count) { number in
            let run = Result {
                try LoadGenerator(port: ports[number], connections: max(1, connections))
                    .run(batch.part(number, of: ports.count))
            }
            runs.withLock { $0.append(run) }
        }
        let seconds = Double(Monotonic.nanoseconds - start) / 1e9
        let all = try runs.withLock { try $0.map { try $0.get() } }
        var latencies = all[0].latencies
        for run in all.dropFirst() { latencies.add(run.latencies) }
        return LoadGenerator.Run(
            seconds: seconds, requests: all.map(\.requests).reduce(0, +), latencies: latencies)
    }

    /// Prints the table. The ratio compares with one gateway.
    func print() {
        Swift.print(CostRow.head)
        for (row, serverRow) in zip(rows, serverRows) {
            Swift.print(row.line(against: rows[0].medianMicroseconds))
            Swift.print(serverRow.line(against: serverRows[0].medianMicroseconds))
        }
    }
}
