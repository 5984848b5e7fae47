import ApplePay
import ArgumentParser

/// `tollgate-bench token`: measures the cost of opening a payment token, compared with the minimum cryptography.
struct TokenBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Open minted tokens: the floor, ours with a known and an unknown chain, and the plain OpenSSL way.",
        discussion: """
            The floor of EC_v1 is one key agreement with the 65-byte point and one verification of an ECDSA signature \
            with a prepared key, that of RSA_v1 one private RSA-2048 operation and one RSA verification, and nothing \
            else. The plain way is what most programs do: CMS_verify with the whole \
            chain, d2i_PUBKEY, and the same decryption. All are measured alternately in one run.
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
        // All kinds of work are measured alternately in one run, so that changes of the machine's speed affect all
        // equally.
        let measurements = Stopwatch(rounds: rounds, roundSeconds: seconds).measure(batches.flatMap(\.works))
        let worksEach = measurements.count / batches.count
        for (index, batch) in batches.enumerated() {
            report(batch, Array(measurements[(index * worksEach)..<((index + 1) * worksEach)]))
        }
    }

    private func report(_ batch: TokenBatch, _ measurements: [Measurement]) {
        let floor = measurements[0].cpuMicroseconds
        print("\(batch.version.rawValue), \(tokens) tokens of \(batch.averageBytes) bytes each on average\n")
        print(ReportLine("", ["CPU µs", "× floor", "1 core/s", "all cores/s"]))
        for each in measurements {
            print(
                ReportLine(
                    each.name,
                    [
                        each.cpuMicroseconds.rounded(to: 1), (each.cpuMicroseconds / floor).rounded(to: 2),
                        each.perSecondOnOneCore.rounded(to: 0), each.perSecondOnAllCores.rounded(to: 0),
                    ]))
        }
        let gain = measurements[3].cpuMicroseconds / measurements[1].cpuMicroseconds
        print("\nours is \(gain.rounded(to: 1)) × faster than the plain OpenSSL way\n")
    }
}
