import Glibc
import Payments
import SQLiteStore

/// A store of so many orders that a gateway can be started on.
protocol LedgerStore {
    var orders: LedgerOrders { get }
    var installation: BenchInstallation { get }
    /// The options of `tollgate serve` for it.
    var gatewayOptions: [String] { get }
    /// The server that keeps it, if there is one.
    var server: LedgerServer? { get }

    /// Loads it, unless it is there from before, and says so. Refuses if there isn't the disk for it.
    ///
    /// - Parameter program: the gateway, which makes the keys that it wants to find with a store.
    func load(program: String) async throws

    /// Loads it again if it is so small that a round changes its size. Nobody may have it open.
    func renew() async throws

    /// Opens it for this program, with commits to make on it.
    func open() async throws -> OpenLedger
}

/// A store that is open.
struct OpenLedger {
    let store: any PaymentStore
    var commits: LedgerCommits
    let close: () throws -> Void
}

extension LedgerOrders {
    /// Whether a round would change the size.
    var areFew: Bool { count <= 100_000 }
}

/// A SQLite store in the data directory of a gateway.
final class SQLiteLedger: LedgerStore {
    let gatewayOptions: [String] = []
    let server: LedgerServer? = nil
    let orders: LedgerOrders
    let installation: BenchInstallation
    private let sample: LedgerSample
    private var isLoaded: Bool { access(path, F_OK) == 0 }
    private var path: String { "\(installation.dataPath)/\(BenchInstallation.databaseName)" }

    /// - Parameter folder: where the store lies, or shall lie.
    init(_ sample: LedgerSample, count: Int, folder: String) throws {
        self.sample = sample
        orders = LedgerOrders(count: count)
        installation = try BenchInstallation(folder: folder)
    }

    func load(program: String) throws {
        guard !isLoaded else { return print("\(orders.count) orders: \(path), from before") }
        try GatewayProcess(program: program, installation).stop()
        removeFile()
        let loader = SQLiteLoader(sample: sample, orders: orders)
        let needed = try loader.byteCount()
        let free = try BenchFile.freeBytes(at: installation.dataPath)
        print(
            "\(orders.count) orders: \(path) takes about \(needed / 1_000_000) MB of disk, "
                + "of which \(free / 1_000_000) MB are free")
        guard needed + needed / 10 < free else { throw BenchFailure("too little disk for \(orders.count) orders") }
        let start = Monotonic.nanoseconds
        try loader.load(at: path)
        let seconds = Double(Monotonic.nanoseconds - start) / 1e9
        let bytes = try BenchFile.byteCount(of: path)
        print("  loaded in \(seconds.rounded(to: 1)) s: \(bytes / 1_000_000) MB")
    }

    func renew() throws {
        guard orders.areFew else { return }
        removeFile()
        try SQLiteLoader(sample: sample, orders: orders).load(at: path)
    }

    private func removeFile() { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }

    func open() async throws -> OpenLedger {
        let store = try SQLiteStore(path: path)
        return OpenLedger(store: store, commits: try await LedgerCommits(sample, orders, in: store)) {
            try store.close()
        }
    }
}
