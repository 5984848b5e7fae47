import ApplePay
import Glibc
import Payments
import SQLiteStore

/// A SQLite store of so many orders in the data directory of a gateway.
final class LedgerStore {
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

    /// Whether it is loaded anew for every round, as a round would change its size.
    var isSmall: Bool { orders.count <= 100_000 }

    /// Loads it, unless it is there from before, and says so. Refuses if there isn't the disk for it.
    ///
    /// - Parameter program: the gateway, which makes the keys that it wants to find with a store.
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

    /// Loads a small one anew. Nobody may have it open.
    func renew() throws {
        guard isSmall else { return }
        removeFile()
        try SQLiteLoader(sample: sample, orders: orders).load(at: path)
    }

    private func removeFile() { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }

    /// Opens it for this program, with commits to make on it.
    func open() async throws -> (store: SQLiteStore, commits: LedgerCommits) {
        let store = try SQLiteStore(path: path)
        let captured = try await captured(in: store)
        return (store, LedgerCommits(sample, orders, captured: captured, seed: .random(in: 0...(.max))))
    }

    /// How many of the loaded orders have been captured: the nth to be captured was, or none after it.
    private func captured(in store: SQLiteStore) async throws -> Int {
        var (low, high) = (0, orders.count)
        let capture = try TransactionID("2")
        while low < high {
            let middle = (low + high) / 2
            let key = OrderKey(
                merchant: try LedgerSample.merchant, order: try OrderID(orders.name(orders.mixed(middle))))
            if try await store.recall(capture, of: key).transaction != nil { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
