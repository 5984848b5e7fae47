internal import ApplePay
import Glibc
import HTTP
import Values

/// The costs of requests, measured alternately with the floor and the baseline server (``BaselineServer``).
struct CostTable {
    private var floor: [Double] = []
    private var baseline = CostRow("baseline")
    private var rows: [(kind: ServeBench.Part, row: CostRow)] = []

    /// One kind of request over one protocol.
    private struct Work {
        let kind: ServeBench.Part
        let gateway: BenchGateways.Gateway
        let wire: LoadProtocol
    }

    /// Takes the measurements.
    init(_ bench: ServeBench, _ gateways: BenchGateways, _ wires: [Wire], _ kinds: [ServeBench.Part]) throws {
        let each = bench.requests / bench.rounds
        let fetches = RequestBatch(repeating: .information, count: each)
        let response = try SingleExchange.response(to: .information, port: gateways.plain.process.port)
        var answer: [UInt8] = []
        try HTTP1Writer.append(
            response, to: &answer, date: HTTPDate(unixSeconds: 0), persistence: .implied, isHead: false)
        let stick = try BaselineServerProcess(answer: answer, queues: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let tokens = try TokenBatch(of: .ellipticCurve, count: 64)
        var works: [Work] = []
        for wire in wires {
            let gateway = gateways.gateway(wire)
            let kind = try gateways.kind(wire)
            works += kinds.map { Work(kind: $0, gateway: gateway, wire: kind) }
            rows += kinds.map { ($0, CostRow("\($0.name), \(wire.name)")) }
        }

        for round in 0...bench.rounds {
            // The first round is only a warm-up.
            let isMeasured = round > 0
            let (run, cost) = try Self.measure(fetches, over: .http1, port: stick.port, bench) { try stick.usage() }
            let floor = Stopwatch.cpuMicroseconds(tokens.floor, seconds: isMeasured ? 0.3 : 0.1)
            if isMeasured {
                baseline.add(run, cost)
                self.floor.append(floor)
            }
            for (index, work) in works.enumerated() {
                let batch =
                    work.kind == .information
                    ? fetches
                    : try RequestBatch.authorizations(
                        each, first: (round * works.count + index) * each, work.gateway.installation, at: .now)
                let process = work.gateway.process
                let (run, cost) = try Self.measure(batch, over: work.wire, port: process.port, bench) {
                    try process.usage()
                }
                if isMeasured { rows[index].row.add(run, cost) }
            }
        }
    }

    /// Measures on separate connections, each of which has been used for one request before.
    private static func measure(
        _ batch: RequestBatch, over wire: LoadProtocol, port: UInt16, _ bench: ServeBench,
        _ usage: () throws -> ProcessUsage
    ) throws -> (LoadGenerator.Run, RequestCost) {
        let count = max(1, bench.connections / wire.streams)
        let generator = try LoadGenerator(port: port, wire, connections: count)
        _ = try generator.run(RequestBatch(repeating: .information, count: count * wire.streams))
        let before = try usage()
        let run = try generator.run(batch)
        return (run, RequestCost(from: before, to: try usage(), requests: run.requests))
    }

    /// Prints the table. The ratio compares with the baseline server or with the floor.
    func print() {
        Swift.print(CostRow.head)
        Swift.print(baseline.line(against: nil))
        for (kind, row) in rows where kind == .information {
            Swift.print(row.line(against: baseline.medianMicroseconds))
        }
        let spread = (floor.spreadPercent / 2).rounded(to: 0)
        Swift.print("crypto floor: \(floor.median.rounded(to: 1)) CPU µs ±\(spread) % on one thread")
        for (kind, row) in rows where kind == .authorize { Swift.print(row.line(against: floor.median)) }
    }
}

extension ServeBench.Part {
    fileprivate var name: String { self == .information ? "GET information" : "AUTHORIZE" }
}

extension Instant {
    /// The system time.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(secondsSinceEpoch: Int64(time.tv_sec))
    }
}
