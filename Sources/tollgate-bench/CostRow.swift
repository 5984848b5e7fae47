import Histogram

/// The costs of one kind of request, over all rounds.
struct CostRow {
    let name: String
    private var cpuMicroseconds: [Double] = []
    private var kernelShares: [Double] = []
    private var perSecond: [Double] = []
    private var latencies: Histogram<UInt64>?

    init(_ name: String) { self.name = name }

    /// Whether no round has been added.
    var isEmpty: Bool { cpuMicroseconds.isEmpty }

    /// The median of the server's CPU time per request.
    var medianMicroseconds: Double { cpuMicroseconds.median }

    /// The median time from a request's first byte to its answer's last byte.
    var medianLatencyNanoseconds: Double { Double(latencies?.valueAtPercentile(50) ?? 0) }

    /// Adds a round.
    mutating func add(_ run: LoadGenerator.Run, _ cost: RequestCost) {
        cpuMicroseconds.append(cost.cpuMicroseconds)
        kernelShares.append(cost.kernelShare)
        perSecond.append(Double(run.requests) / run.seconds)
        var all = latencies ?? run.latencies
        if latencies != nil { all.add(run.latencies) }
        latencies = all
    }

    /// The table's header line.
    static let head = line(
        "", ["req/s", "p50 µs", "p99 µs", "p99.9 µs", "CPU µs", "own", "kernel", "spread", "ratio"])

    /// The row's line.
    ///
    /// - Parameter reference: the cost to compare with, in microseconds.
    func line(against reference: Double?) -> ReportLine {
        let cpu = medianMicroseconds
        let kernel = kernelShares.median * cpu
        func microseconds(_ percentile: Double) -> String {
            (Double(latencies?.valueAtPercentile(percentile) ?? 0) / 1000).rounded(to: 0)
        }
        return Self.line(
            name,
            [
                perSecond.median.rounded(to: 0), microseconds(50), microseconds(99), microseconds(99.9),
                cpu.rounded(to: 1), (cpu - kernel).rounded(to: 1), kernel.rounded(to: 1),
                "±" + (cpuMicroseconds.spreadPercent / 2).rounded(to: 0) + " %",
                reference.map { (cpu / $0).rounded(to: 2) } ?? "",
            ])
    }

    private static func line(_ name: String, _ columns: [String]) -> ReportLine {
        ReportLine(name, columns, columnWidth: 10)
    }
}
