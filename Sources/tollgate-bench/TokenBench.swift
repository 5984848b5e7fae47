import ApplePay
import ArgumentParser

/// `tollgate-bench token`: what opening a payment token costs, against the least that it can cost.
struct TokenBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Open minted tokens: the floor, ours with a known and an unknown chain, and the plain OpenSSL way.",
        discussion: """
            The floor of EC_v1 is one key agreement with the 65-byte point and one verification of an ECDSA signature \
            with a prepared key, that of RSA_v1 one private RSA-2048 operation and one RSA verification, and nothing \
            else. The plain way is what most programs do: CMS_verify with the whole \
            chain, d2i_PUBKEY, and the same decryption. All are measured in turns in one run.
            """)

    @Option(help: "How many rounds of measuring.")
    var rounds = 7

    @Option(help: "Seconds a round and kind of work.")
    var seconds = 0.5

    @Option(help: "How many different tokens.")
    var tokens = 64

    @Flag(help: "Open tokens with a known chain for the given seconds and nothing else: for profilers.")
    var profile = false

    func run() throws {
        let batches = try TokenVersion.allCases.map { try TokenBatch(of: $0, count: tokens) }
        guard !profile else {
            _ = Stopwatch(rounds: 1, roundSeconds: seconds).measure([batches[0].ours])
            return
        }
        // All in one run and in turns, so that a machine that changes its speed changes all of them alike.
        let measurements = Stopwatch(rounds: rounds, roundSeconds: seconds).measure(batches.flatMap(\.works))
        let worksEach = measurements.count / batches.count
        for (index, batch) in batches.enumerated() {
            report(batch, Array(measurements[(index * worksEach)..<((index + 1) * worksEach)]))
        }
    }

    private func report(_ batch: TokenBatch, _ measurements: [Measurement]) {
        let floor = measurements[0].cpuMicroseconds
        print("\(batch.version.rawValue), \(tokens) tokens of \(batch.averageBytes) bytes each on average\n")
        print(Self.row("", "CPU µs", "× floor", "1 core/s", "all cores/s"))
        for each in measurements {
            print(
                Self.row(
                    each.name, Self.decimal(each.cpuMicroseconds, 1), Self.decimal(each.cpuMicroseconds / floor, 2),
                    Self.decimal(each.perSecondOnOneCore, 0), Self.decimal(each.perSecondOnAllCores, 0)))
        }
        let gain = measurements[3].cpuMicroseconds / measurements[1].cpuMicroseconds
        print("\nours is \(Self.decimal(gain, 1)) × faster than the plain OpenSSL way\n")
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        columns.reduce(name + String(repeating: " ", count: max(0, 28 - name.count))) { line, column in
            line + String(repeating: " ", count: max(1, 12 - column.count)) + column
        }
    }

    private static func decimal(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((value * scale).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
