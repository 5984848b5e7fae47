import ApplePay
import ArgumentParser
import Glibc

/// `tollgate-bench serve`: what the gateway costs beside the cryptography that it must do.
struct ServeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Drive a gateway over loopback and tell its cost a request, memory and time to be ready.",
        discussion: """
            The gateway runs on a fresh data directory with the durable store, for one merchant and without a sandbox. \
            Every AUTHORIZE is of an order and a token of its own, minted before the measurement; a wrong answer ends \
            it. The floor is that of `tollgate-bench token`, on one thread of this program. The yardstick is a process \
            with a Dispatch read source for each connection, one read and one write of the bytes of the answer to \
            GET information, and nothing else. All are measured in turns, and the medians told; CPU time is the \
            server's, and comes from the kernel's accounts.
            """)

    /// What can be measured.
    enum Part: String, CaseIterable, ExpressibleByArgument { case information, authorize, memory, start }

    @Option(help: ArgumentHelp("The gateway (default: tollgate beside this program).", valueName: "file"))
    var program: String?

    @Option(help: "Keep-alive connections.")
    var connections = 32

    @Option(help: "Requests of each kind, over all rounds.")
    var requests = 20_000

    @Option(help: "How many rounds.")
    var rounds = 5

    @Option(help: "How many starts.")
    var starts = 11

    @Option(help: ArgumentHelp("Measure these alone: information, authorize, memory, start.", valueName: "part"))
    var only: [Part] = []

    @Option(help: ArgumentHelp("A further option for `tollgate serve`, as one word.", valueName: "option"))
    var gatewayOption: [String] = []

    func validate() throws {
        guard connections > 0, rounds > 0, starts > 0, requests >= rounds else {
            throw ValidationError("connections, rounds and starts are 1 at least, and each round has a request")
        }
    }

    func run() throws {
        OwnDescriptorLimit.raise()
        let parts = Set(only.isEmpty ? Part.allCases : only)
        let installation = try BenchInstallation()
        defer { installation.remove() }
        let program = try program ?? ProgramFile.sibling("tollgate")
        func start() throws -> GatewayProcess {
            try GatewayProcess(program: program, installation, options: gatewayOption)
        }
        let gateway = try start()
        if parts.contains(.information) || parts.contains(.authorize) {
            try CostTable(self, installation, gateway, parts).print()
        }
        try gateway.stop()
        if parts.contains(.memory) { try MemoryTable(start).print() }
        if parts.contains(.start) { try StartTimes(starts, start).print() }
    }
}
