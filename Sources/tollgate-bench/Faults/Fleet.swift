import ArgumentParser
import Glibc
import GRDB
import Values

/// The kind of process or connection to kill.
enum Victim: String, CaseIterable, ExpressibleByArgument {
    /// A gateway.
    case gateway
    /// PostgreSQL's server, or one of its processes.
    case server
    /// The connections between gateways and that server.
    case connection
}

/// The kind of store that gateways use.
enum BenchStore: String, CaseIterable, ExpressibleByArgument { case sqlite, postgres }

/// Gateways on one store, with functions to kill either.
final class Fleet {
    let store: BenchStore
    let victim: Victim
    private let program: String
    private var installations: [BenchInstallation]
    private let options: [String]
    private let postgres: BenchPostgres?
    private let proxy: CutProxy?
    /// The gateways; nil for one that isn't running.
    private(set) var gateways: [GatewayProcess?]

    /// Starts a store and gateways on it.
    init(program: String, store: BenchStore, instances: Int, victim: Victim) throws {
        self.program = program
        self.store = store
        self.victim = victim
        postgres = store == .postgres ? try BenchPostgres() : nil
        proxy = victim == .connection ? try postgres.map(CutProxy.init) : nil
        options = (proxy?.url ?? postgres?.url).map { ["--store-url", $0] } ?? []
        gateways = Array(repeating: nil, count: instances)
        let first = try BenchInstallation(tokenSeconds: 86_400)
        installations = [first]
        do {
            try startGateway(0)
            for number in 1..<instances {
                installations.append(try BenchInstallation(beside: first, number: number + 1))
                try startGateway(number)
            }
        } catch {
            let errors = (try? BenchFile.read(errorsPath)) ?? []
            first.remove()
            throw BenchFailure("\(error): \(String(decoding: errors.suffix(4_000), as: UTF8.self))")
        }
    }

    deinit {
        proxy?.stop()
        for gateway in gateways { gateway?.kill() }
        installations[0].remove()
    }

    var installation: BenchInstallation { installations[0] }

    /// Whether an unanswered request may still be carried out after its gateway has ended: a PostgreSQL server may
    /// complete a commit that it has received.
    var outlivesGateways: Bool { store == .postgres }

    /// Starts gateways, runs `body`, and prints the random seed, the gateways' most frequent error lines and the
    /// duration. If `body` fails, it prints the end of the gateways' error output instead of the last two.
    static func run(
        program: String?, store: BenchStore, instances: Int, victim: Victim, seed: UInt64?,
        _ body: (_ fleet: Fleet, _ seed: UInt64) throws -> Void
    ) throws {
        let seed = seed ?? .random(in: 0..<(.max))
        print("seed \(seed)")
        let start = Monotonic.nanoseconds
        let fleet = try Fleet(
            program: try program ?? ProgramFile.sibling("tollgate"), store: store, instances: instances, victim: victim)
        do { try body(fleet, seed) } catch {
            let errors = (try? BenchFile.read(fleet.errorsPath)) ?? []
            print("the gateways wrote last:\n\(String(decoding: errors.suffix(4_000), as: UTF8.self))")
            throw error
        }
        for fault in fleet.faults.prefix(10) { print(fault) }
        print("\((Double(Monotonic.nanoseconds - start) / 1e9).rounded(to: 0)) s")
    }

    /// The gateways' lines on standard error with their frequencies, the most frequent first.
    private var faults: [String] {
        let text = String(decoding: (try? BenchFile.read(errorsPath)) ?? [], as: UTF8.self)
        let counts = text.split(separator: "\n").reduce(into: [Substring: Int]()) { $0[$1, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) × \($0.key)" }
    }

    private var errorsPath: String { "\(installation.configurationPath)/errors" }

    /// Throws if a gateway has ended by itself.
    func checkRunning() throws {
        for (number, gateway) in gateways.enumerated() where gateway?.isRunning == false {
            throw BenchFailure("gateway \(number) has ended by itself")
        }
    }

    // MARK: Gateways

    /// Kills a gateway.
    func killGateway(_ number: Int) {
        gateways[number]?.kill()
        gateways[number] = nil
    }

    /// Starts a gateway, and kills it during its start.
    func killStartingGateway(_ number: Int, _ chance: inout SeededGenerator) throws {
        try GatewayProcess.killStarting(
            program: program, installations[number], options: options, errors: errorsPath,
            afterMicroseconds: .random(in: 0..<60_000, using: &chance))
    }

    /// Starts a gateway that isn't running.
    func startGateway(_ number: Int) throws {
        gateways[number] = try GatewayProcess(
            program: program, installations[number], options: options, errors: errorsPath)
    }

    /// Makes every gateway finish its requests and end, checks the database file, and starts the gateways again.
    func restartInGoodOrder() throws {
        for number in gateways.indices {
            try gateways[number]?.stop()
            gateways[number] = nil
        }
        if store == .sqlite { try checkFile() }
        for number in gateways.indices { try startGateway(number) }
    }

    /// `PRAGMA integrity_check` on the database file.
    private func checkFile() throws {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(
            path: "\(installation.dataPath)/tollgate.sqlite", configuration: configuration)
        let found = try file.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        guard found == ["ok"] else { throw BenchFailure("integrity_check: \(found.joined(separator: "; "))") }
        print("integrity_check: ok")
    }

    // MARK: What they depend on

    /// Kills the server or one of its processes, or cuts connections.
    func disruptStore(_ chance: inout SeededGenerator) throws {
        if let proxy {
            proxy.cut(CutProxy.Cut.allCases.randomElement(using: &chance) ?? .all)
        } else if let postgres {
            if chance.once(in: 5), try postgres.killBackend(&chance) { return }
            try postgres.kill()
            isServerGone = true
        }
    }

    /// Whether the server must be started.
    private var isServerGone = false

    /// Starts the server if it isn't running, and lets connections through.
    func restoreStore() throws {
        proxy?.mend()
        if isServerGone { try postgres?.start() }
        isServerGone = false
    }
}
