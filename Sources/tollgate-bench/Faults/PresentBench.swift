import ArgumentParser

/// `tollgate-bench present`: checks whether a token that is presented many times concurrently is credited only once.
struct PresentBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Present each of many tokens for many orders at once, and count what is credited.",
        discussion: """
            Each presentation is an AUTHORIZE or PAY of an order of its own, sent to any of the gateways. When all are \
            answered every order is retrieved. Each token must have made exactly one transaction, and every answer must \
            have been true at some moment between its request and itself: a token is a register that is won once, and \
            nobody is refused before the winner was sent. With --kills the victim is killed in between, and half of \
            the clients without an answer retry.
            """)

    @Option(help: ArgumentHelp("The gateway (default: tollgate in the folder of this program).", valueName: "file"))
    var program: String?

    @Option(help: "How many tokens.")
    var tokens = 1_000

    @Option(help: "How many presentations, of all tokens together.")
    var presentations = 100_000

    @Option(help: "How often to kill in between.")
    var kills = 0

    @Option(help: "Where chance begins.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Where orders are kept: sqlite, postgres.", valueName: "store"))
    var store = BenchStore.postgres

    @Option(help: "How many gateways; several only on postgres (default: 3 there).")
    var instances: Int?

    @Option(help: ArgumentHelp("What is killed: gateway; on postgres also server, connection.", valueName: "victim"))
    var victim = Victim.gateway

    @Option(help: "How many clients.")
    var connections = 16

    private var instanceCount: Int { instances ?? (store == .postgres ? 3 : 1) }

    func validate() throws {
        guard tokens > 0, presentations >= tokens, kills >= 0, instanceCount > 0, connections >= instanceCount else {
            throw ValidationError("each token is presented, and each instance has a client")
        }
        guard store == .postgres || instanceCount == 1 && victim == .gateway else {
            throw ValidationError("a file has one gateway, and no server or connection to be killed")
        }
    }

    func run() throws {
        try Fleet.run(program: program, store: store, instances: instanceCount, victim: victim, seed: seed) {
            fleet, seed in
            try PresentRun(fleet, clients: connections, tokens: tokens, presentations: presentations, seed: seed)
                .run(kills: kills)
        }
    }
}
