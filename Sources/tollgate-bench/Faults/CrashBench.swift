import ArgumentParser

/// `tollgate-bench crash`: checks whether a gateway's answers are still true after it was killed.
struct CrashBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash",
        abstract: "Kill gateways, their database's server or the connections between, and look for what was lost.",
        discussion: """
            Clients authorize, pay, capture, refund, void, send requests again, present tokens for other orders and other \
            parameters under the same identifiers, all at once, and on the same orders. At a moment that chance decides \
            the victim is killed and made to run again. Then every order is retrieved and compared with all that any \
            client ever learned of it: each answer must have been true at some moment between its request and itself, \
            by the rules that the API documents, and a request that is sent again must be answered with the same bytes. \
            In the end the gateways are restarted and every order is retrieved once more. The first contradiction \
            ends it, with all that is known of the order. The seed repeats what clients choose and when the victim is \
            killed, not how the machine shares out its time.
            """)

    @Option(help: ArgumentHelp("The gateway (default: tollgate in the folder of this program).", valueName: "file"))
    var program: String?

    @Option(help: "How often to kill.")
    var kills = 500

    @Option(help: "Where chance begins.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Where orders are kept: sqlite, postgres.", valueName: "store"))
    var store = BenchStore.sqlite

    @Option(help: "How many gateways; several only on postgres.")
    var instances = 1

    @Option(help: ArgumentHelp("What is killed: gateway; on postgres also server, connection.", valueName: "victim"))
    var victim = Victim.gateway

    @Option(help: "How many clients.")
    var connections = 24

    func validate() throws {
        guard kills > 0, instances > 0, connections >= instances else {
            throw ValidationError("every number is 1 at least, and each instance has a client")
        }
        guard store == .postgres || instances == 1 && victim == .gateway else {
            throw ValidationError("a file has one gateway, and no server or connection to be killed")
        }
    }

    func run() throws {
        try Fleet.run(program: program, store: store, instances: instances, victim: victim, seed: seed) { fleet, seed in
            try FireRun(fleet, clients: connections, seed: seed).run(kills: kills)
        }
    }
}
