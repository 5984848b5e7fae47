import Glibc
import Payments
import SQLiteStore

/// A store with a given number of orders, on which a gateway can be started.
protocol LedgerStore {
    var orders: LedgerOrders { get }
    var installation: BenchInstallation { get }
    /// The options of `tollgate serve` for the store.
    var gatewayOptions: [String] { get }
    /// The server of the store; nil if there is none.
    var server: LedgerServer? { get }

    /// Loads the store and prints this, unless it is already loaded. Throws if the disk has too little space.
    ///
    /// - Parameter program: the gateway, which creates the keys that must exist for the store.
    func load(program: String) async throws

    /// Loads the store again if a round would change its size noticeably. It must not be open.
    func renew() async throws

    /// Opens the store for this program, with the commits to execute on it.
    func open() async throws -> OpenLedger
}

/// An open store.
struct OpenLedger {
    let store: any PaymentStore & OrderListing
    var commits: LedgerCommits
    let close: () throws -> Void
}

extension LedgerOrders {
    /// Whether there are so few orders that a round would change the store's size noticeably.
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

    /// - Parameter folder: the folder of the store, existing or new.
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
