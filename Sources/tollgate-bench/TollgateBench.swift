import ArgumentParser

/// Measures what Tollgate costs.
@main
struct TollgateBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tollgate-bench", abstract: "Measure what Tollgate costs, against what it must cost.",
        subcommands: [
            TokenBench.self, ServeBench.self, InstructionsBench.self, LedgerBench.self, CrashBench.self,
            PresentBench.self, BaselineServer.self,
        ])
}
