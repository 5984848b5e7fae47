import ApplePay
import Glibc
import Histogram

/// What requests cost, in turns with the floor and the yardstick.
struct CostTable {
    /// One kind of request over all rounds.
    private struct Row {
        let name: String
        var cpuMicroseconds: [Double] = []
        var kernelShares: [Double] = []
        var perSecond: [Double] = []
        var latencies: Histogram<UInt64>?

        init(_ name: String) { self.name = name }

        mutating func add(_ run: LoadGenerator.Run, _ cost: RequestCost) {
            cpuMicroseconds.append(cost.cpuMicroseconds)
            kernelShares.append(cost.kernelShare)
            perSecond.append(Double(run.requests) / run.seconds)
            var all = latencies ?? run.latencies
            if latencies != nil { all.add(run.latencies) }
            latencies = all
        }

        var line: ReportLine {
            let cpu = cpuMicroseconds.median
            let kernel = kernelShares.median * cpu
            func microseconds(_ percentile: Double) -> String {
                (Double(latencies?.valueAtPercentile(percentile) ?? 0) / 1000).rounded(to: 0)
            }
            return ReportLine(
                name,
                [
                    perSecond.median.rounded(to: 0), microseconds(50), microseconds(99), microseconds(99.9),
                    cpu.rounded(to: 1), (cpu - kernel).rounded(to: 1), kernel.rounded(to: 1),
                    "±" + (cpuMicroseconds.spreadPercent / 2).rounded(to: 0) + " %",
                ], columnWidth: 10)
        }
    }

    private var floor: [Double] = []
    private var rows: [Row] = []
    private let bench: ServeBench

    /// Measures.
    init(
        _ bench: ServeBench, _ installation: BenchInstallation, _ gateway: GatewayProcess, _ parts: Set<ServeBench.Part>
    )
        throws
    {
        self.bench = bench
        var yardstick = Row("yardstick")
        var information = Row("GET information")
        var authorize = Row("AUTHORIZE")
        let each = bench.requests / bench.rounds
        let fetch = RequestBatch(repeating: .information, count: each)
        let measuresFetch = parts.contains(.information)
        let measuresPayment = parts.contains(.authorize)

        let answer = try SingleExchange.answer(to: .information, port: gateway.port)
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let stick = try YardstickProcess(answer: answer, queues: cores)
        let tokens = try TokenBatch(of: .ellipticCurve, count: 64)
        let payments =
            try measuresPayment
            ? RequestBatch.authorizations(each * (bench.rounds + 1), first: 0, installation, at: .now) : nil
        Swift.print(
            "gateway \(gateway.identifier), \(bench.connections) connections, \(each) requests of each kind a round")

        let toGateway = try LoadGenerator(port: gateway.port, connections: bench.connections)
        let toStick = try LoadGenerator(port: stick.port, connections: bench.connections)
        for round in 0...bench.rounds {
            // The first round only warms up.
            let isMeasured = round > 0
            if measuresFetch {
                let before = try stick.usage()
                let run = try toStick.run(fetch)
                let cost = RequestCost(from: before, to: try stick.usage(), requests: run.requests)
                if isMeasured { yardstick.add(run, cost) }
            }
            if measuresFetch {
                let before = try gateway.usage()
                let run = try toGateway.run(fetch)
                let cost = RequestCost(from: before, to: try gateway.usage(), requests: run.requests)
                if isMeasured { information.add(run, cost) }
            }
            if let payments {
                let floor = Stopwatch.cpuMicroseconds(tokens.floor, seconds: isMeasured ? 0.3 : 0.1)
                if isMeasured { self.floor.append(floor) }
                let before = try gateway.usage()
                let run = try toGateway.run(payments.part(round, of: bench.rounds + 1))
                let cost = RequestCost(from: before, to: try gateway.usage(), requests: run.requests)
                if isMeasured { authorize.add(run, cost) }
            }
        }
        rows = (measuresFetch ? [yardstick, information] : []) + (measuresPayment ? [authorize] : [])
    }

    /// Prints the table and the ratios.
    func print() {
        Swift.print(
            ReportLine(
                "", ["req/s", "p50 µs", "p99 µs", "p99.9 µs", "CPU µs", "own", "kernel", "spread"], columnWidth: 10))
        for row in rows { Swift.print(row.line) }
        func cost(_ name: String) -> Double? { rows.first { $0.name == name }?.cpuMicroseconds.median }
        if let fetch = cost("GET information"), let stick = cost("yardstick") {
            Swift.print("GET information / yardstick  \((fetch / stick).rounded(to: 2))")
        }
        if let payment = cost("AUTHORIZE") {
            let spread = (floor.spreadPercent / 2).rounded(to: 0)
            Swift.print("crypto floor \(floor.median.rounded(to: 1)) CPU µs ±\(spread) %")
            Swift.print("AUTHORIZE / floor  \((payment / floor.median).rounded(to: 2))")
        }
    }
}

extension Instant {
    /// The machine's time.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(secondsSinceEpoch: Int64(time.tv_sec))
    }
}
