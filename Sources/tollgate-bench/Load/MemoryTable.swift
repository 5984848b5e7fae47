import Glibc

/// Resident memory of a gateway whose connections are idle.
struct MemoryTable {
    private var lines: [ReportLine] = []

    /// Takes the measurements. Each connection has had one request answered before.
    init(_ start: () throws -> GatewayProcess) throws {
        let gateway = try start()
        let connections = try LoadGenerator(port: gateway.port, connections: 1)
        for count in [1, 1_000, 10_000] {
            try connections.addConnections(count - connections.connectionCount)
            _ = try connections.run(RequestBatch(repeating: .information, count: count))
            usleep(300_000)
            let mebibytes = Double(try ProcessUsage.residentBytes(of: gateway.identifier)) / 1_048_576
            let name = count == 1 ? "idle" : "\(count) idle connections"
            lines.append(ReportLine(name, ["\(mebibytes.rounded(to: 1)) MiB resident"], columnWidth: 20))
        }
        try gateway.stop()
    }

    /// Prints the table.
    func print() { for line in lines { Swift.print(line) } }
}

/// The times from the start of a gateway on an existing data directory to the answer to its first request.
struct StartTimes {
    private var milliseconds: [Double] = []
    private var cpuMilliseconds: [Double] = []

    /// Starts and stops gateways one after the other.
    init(_ count: Int, _ start: () throws -> GatewayProcess) throws {
        for _ in 0..<count {
            let before = Monotonic.nanoseconds
            let gateway = try start()
            _ = try SingleExchange.response(to: .information, port: gateway.port)
            milliseconds.append(Double(Monotonic.nanoseconds - before) / 1e6)
            cpuMilliseconds.append(Double(try gateway.usage().cpuNanoseconds) / 1e6)
            try gateway.stop()
        }
    }

    /// Prints the median and the range.
    func print() {
        let least = milliseconds.min() ?? 0
        let most = milliseconds.max() ?? 0
        Swift.print(
            "ready after \(milliseconds.median.rounded(to: 1)) ms, median of \(milliseconds.count) starts "
                + "(\(least.rounded(to: 1)) to \(most.rounded(to: 1))), of which "
                + "\(cpuMilliseconds.median.rounded(to: 1)) ms CPU time")
    }
}
