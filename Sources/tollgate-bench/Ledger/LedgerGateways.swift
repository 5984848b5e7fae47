/// The cost of AUTHORIZE in gateways on stores of several sizes, measured alternately.
struct LedgerGateways {
    private var rows: [CostRow] = []
    private let storeCount: Int

    /// Takes the measurements. The first round is only a warm-up.
    init(_ bench: LedgerBench, _ program: String, _ stores: [any LedgerStore]) async throws {
        storeCount = stores.count
        let connectionCounts = bench.connections == 1 ? [1] : [bench.connections, 1]
        for connections in connectionCounts {
            for store in stores { rows.append(CostRow("AUTHORIZE × \(connections), \(store.orders.count)")) }
        }
        var gateways: [GatewayProcess] = []
        for store in stores {
            try await store.renew()
            gateways.append(
                try GatewayProcess(
                    program: program, store.installation, options: store.gatewayOptions + bench.gatewayOption))
        }
        for round in 0...bench.rounds {
            for (turn, connections) in connectionCounts.enumerated() {
                for (number, gateway) in gateways.enumerated() {
                    let count = connections == 1 ? bench.transactions / 10 : bench.transactions / 4
                    let seed = UInt64.random(in: 0...(.max))
                    let batch = try RequestBatch.authorizations(
                        count, first: round * count, stores[number].installation, at: .now
                    ) { LedgerOrders.newName($0, seed: seed) }
                    let generator = try LoadGenerator(port: gateway.port, connections: connections)
                    _ = try generator.run(RequestBatch(repeating: .information, count: connections))
                    let before = try gateway.usage()
                    let run = try generator.run(batch)
                    let cost = RequestCost(from: before, to: try gateway.usage(), requests: run.requests)
                    if round > 0 { rows[turn * storeCount + number].add(run, cost) }
                }
            }
        }
        for gateway in gateways { try gateway.stop() }
    }

    /// Prints the table, with the ratio of each median latency to that of the smallest store.
    func print() {
        Swift.print(CostRow.head)
        for (number, row) in rows.enumerated() {
            Swift.print(row.line(against: rows[number / storeCount * storeCount].medianMicroseconds))
        }
        for (number, row) in rows.enumerated() where !number.isMultiple(of: storeCount) {
            let first = rows[number / storeCount * storeCount]
            let ratio = row.medianLatencyNanoseconds / first.medianLatencyNanoseconds
            Swift.print("median latency of \(row.name): \(ratio.rounded(to: 2)) × that of \(first.name)")
        }
    }
}
