import ArgumentParser
import Glibc
import SQLiteStore

/// `tollgate-bench ledger`: measures the cost of a durable transaction, alone and in a gateway, for several numbers of
/// stored orders.
struct LedgerBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Tell the cost of a durable transaction in stores of several sizes, alone and through the gateway.",
        discussion: """
            Each store is loaded by ascending keys with orders as the gateway keeps them, authorized with a token each; \
            names and tokens are spread at random. Then the stores are measured alternately: new orders with a token, and \
            captures of loaded orders at random. Commits are made beforehand; what is measured begins with a commit and \
            ends when it is durable. At last a gateway on each store answers AUTHORIZE. CPU time is that of the whole \
            process, with all its threads and what the kernel did for it. PostgreSQL is Debian's, with its own settings, \
            on a port of its own and stopped after; its CPU time is listed apart, and three gateways on one of its \
            databases are compared with one.
            """)

    /// The kind of store.
    enum Kind: String, CaseIterable, ExpressibleByArgument { case sqlite, postgres }

    /// The part to measure.
    enum Part: String, CaseIterable, ExpressibleByArgument { case store, lists, gateway, shared }

    @Option(help: ArgumentHelp("The gateway (default: tollgate in the folder of this program).", valueName: "file"))
    var program: String?

    @Option(help: "Which store: sqlite or postgres.")
    var store = Kind.sqlite

    @Option(help: ArgumentHelp("How many orders the stores hold, with commas between.", valueName: "counts"))
    var orders = "10000,1000000,10000000"

    @Option(
        help: ArgumentHelp(
            "Where the stores lie, are kept, and are used again (default: a folder that is removed).",
            valueName: "folder"))
    var folder: String?

    @Option(help: "Transactions of each kind and round.")
    var transactions = 6_400

    @Option(help: "How many rounds.")
    var rounds = 5

    @Option(help: "How many commit at once, where several do.")
    var committers = 64

    @Option(help: "Keep-alive connections to a gateway, where there are several.")
    var connections = 32

    @Option(help: ArgumentHelp("Measure only these: store, lists, gateway, shared (PostgreSQL).", valueName: "part"))
    var only: [Part] = []

    @Option(help: ArgumentHelp("A further option for `tollgate serve`, as one word.", valueName: "option"))
    var gatewayOption: [String] = []

    private var counts: [Int] { orders.split(separator: ",").compactMap { Int($0) } }

    func validate() throws {
        guard !counts.isEmpty, counts.count == orders.split(separator: ",").count,
            counts.allSatisfy({ (1_000...1_000_000_000).contains($0) })
        else { throw ValidationError("orders are numbers from 1000 to 1000000000, with commas between") }
        guard transactions >= 100, rounds > 0, committers > 0, connections > 0 else {
            throw ValidationError("every number is 1 at least, and each round has 100 transactions")
        }
    }

    func run() async throws {
        let program = try program ?? ProgramFile.sibling("tollgate")
        let root = try folder ?? BenchFile.makeTemporaryFolder()
        defer { if folder == nil { BenchFile.removeFolder(root) } }
        let sample = try await LedgerSample(program: program)
        // The server's own user must have access, which it doesn't have in this program's temporary folder.
        let serverFolder = try folder.map { "\($0)/postgres" } ?? BenchFile.makeTemporaryFolder()
        defer { if folder == nil { BenchFile.removeFolder(serverFolder) } }
        let server = store == .postgres ? try LedgerServer(folder: serverFolder) : nil
        let stores: [any LedgerStore] = try counts.map { count in
            guard let server else { return try SQLiteLedger(sample, count: count, folder: "\(root)/\(count)") }
            return try PostgresLedger(sample, count: count, on: server, folder: "\(root)/\(count)-postgres")
        }
        for store in stores {
            try await store.load(program: program)
            fflush(nil)
        }
        let parts = only.isEmpty ? Part.allCases : only
        if parts.contains(.store) {
            try await LedgerTable(self, stores).print()
            fflush(nil)
        }
        if parts.contains(.lists) {
            for store in stores { try await LedgerLists(store).print() }
            fflush(nil)
        }
        if parts.contains(.gateway) {
            try await LedgerGateways(self, program, stores).print()
            fflush(nil)
        }
        if parts.contains(.shared), store == .postgres { try SharedLedger(self, program, stores[0]).print() }
        try server?.stop()
    }
}
