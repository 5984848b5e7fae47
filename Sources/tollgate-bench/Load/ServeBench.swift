import ArgumentParser
import Glibc

/// `tollgate-bench serve`: measures the cost of the gateway in addition to the necessary cryptography.
struct ServeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Drive a gateway over loopback and tell its cost a request, memory and time to be ready.",
        discussion: """
            The gateway runs on a fresh data directory with the durable store, for one merchant and without a sandbox. \
            Every AUTHORIZE is of an order and a token of its own, minted before the measurement; a wrong answer ends \
            it. The floor is that of `tollgate-bench token`, on one thread of this program. The baseline is a process \
            with a Dispatch read source for each connection, one read and one write of the bytes of the answer to \
            GET information, and nothing else. HTTP/2 is spoken without TLS by prior knowledge. All are measured \
            alternately, and the medians reported; CPU time is the server's, and comes from the kernel's accounts.
            """)

    /// The part to measure.
    enum Part: String, CaseIterable, ExpressibleByArgument { case information, authorize, memory, start }

    @Option(help: ArgumentHelp("The gateway (default: tollgate in the folder of this program).", valueName: "file"))
    var program: String?

    @Option(help: "Keep-alive connections.")
    var connections = 32

    @Option(help: "Requests of each kind, over all rounds.")
    var requests = 20_000

    @Option(help: "How many rounds.")
    var rounds = 5

    @Option(help: "How many starts.")
    var starts = 11

    @Option(help: ArgumentHelp("Measure only these: information, authorize, memory, start.", valueName: "part"))
    var only: [Part] = []

    @Option(help: ArgumentHelp("Speak only these: http1, http2, http1-tls, http2-tls.", valueName: "wire"))
    var wire: [Wire] = []

    @Option(help: "Requests that a connection of HTTP/2 has in flight; it takes as many fewer connections.")
    var streams = 4

    @Option(help: ArgumentHelp("A further option for `tollgate serve`, as one word.", valueName: "option"))
    var gatewayOption: [String] = []

    @Option(
        help: ArgumentHelp("Mix requests and cut connections for so long instead; see --seed.", valueName: "minutes"))
    var soak: Double?

    @Option(help: "Where the soak's chance begins.")
    var seed: UInt64?

    @Option(help: "How many requests a second the soak sends at most.")
    var rate = 500

    func validate() throws {
        guard connections > 0, rounds > 0, starts > 0, streams > 0, requests >= rounds, rate > 0, soak ?? 1 > 0 else {
            throw ValidationError("every number is 1 at least, and each round has a request")
        }
    }

    func run() throws {
        OwnDescriptorLimit.raise()
        let wires = wire.isEmpty ? Wire.allCases : wire
        let parts = only.isEmpty ? Part.allCases : only
        let costs = [Part.information, .authorize].filter(parts.contains)
        let gateways = try BenchGateways(
            program: try program ?? ProgramFile.sibling("tollgate"), options: gatewayOption,
            hasTLS: (soak != nil || !costs.isEmpty) && wires.contains(where: \.hasTLS), streams: streams)
        for gateway in gateways.all { print("gateway \(gateway.process.identifier) on port \(gateway.process.port)") }
        if let soak {
            let seed = seed ?? .random(in: 0..<(.max))
            print("seed \(seed)")
            try Soak(gateways, wires, connections: connections, rate: rate, seed: seed).run(minutes: soak)
            return try gateways.stop()
        }
        if !costs.isEmpty { try CostTable(self, gateways, wires, costs).print() }
        try gateways.stop()
        if parts.contains(.memory) { try MemoryTable(gateways.plain.restart).print() }
        if parts.contains(.start) { try StartTimes(starts, gateways.plain.restart).print() }
    }
}
