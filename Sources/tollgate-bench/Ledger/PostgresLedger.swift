import Glibc
import Payments
import PostgresStore
internal import Values

/// A PostgreSQL database for a gateway.
final class PostgresLedger: LedgerStore {
    let orders: LedgerOrders
    let installation: BenchInstallation
    let server: LedgerServer?
    private let postgres: LedgerServer
    private let sample: LedgerSample
    private var database: String { "orders_\(orders.count)" }
    private var url: String { postgres.url(database: database) }
    var gatewayOptions: [String] { ["--store-url", url] }

    /// - Parameter folder: the folder of the gateway's keys, existing or new.
    init(_ sample: LedgerSample, count: Int, on server: LedgerServer, folder: String) throws {
        self.sample = sample
        self.server = server
        postgres = server
        orders = LedgerOrders(count: count)
        installation = try BenchInstallation(folder: folder)
    }

    func load(program: String) async throws {
        guard try postgres.createDatabase(database) else {
            return print("\(orders.count) orders: database \(database), from before")
        }
        // The write-ahead log of the load needs additional space, up to the server's limit.
        let needed = try SQLiteLoader(sample: sample, orders: orders).byteCount() * 5 / 4 + 8_000_000_000
        let free = try BenchFile.freeBytes(at: installation.dataPath)
        print(
            "\(orders.count) orders: database \(database) takes at most \(needed / 1_000_000) MB of disk, "
                + "of which \(free / 1_000_000) MB are free")
        guard needed < free else { throw BenchFailure("too little disk for \(orders.count) orders") }
        let start = Monotonic.nanoseconds
        try await fill()
        print("  loaded in \((Double(Monotonic.nanoseconds - start) / 1e9).rounded(to: 1)) s")
    }

    func renew() async throws {
        guard orders.areFew else { return }
        try postgres.dropDatabase(database)
        guard try postgres.createDatabase(database) else { throw BenchFailure("\(database) can't be made") }
        try await fill()
    }

    func open() async throws -> OpenLedger {
        let store = try await PostgresStore(url: url)
        return OpenLedger(store: store, commits: try await LedgerCommits(sample, orders, in: store)) { store.close() }
    }

    /// Fills the tables in ascending order of keys. The store itself has created them.
    private func fill() async throws {
        try await PostgresStore(url: url).close()
        let merchant = try LedgerSample.merchant
        let merchantBytes = Array(merchant.text.utf8)
        func transaction(_ rank: Int) throws -> Transaction {
            sample.authorization(
                of: OrderKey(merchant: merchant, order: try OrderID(orders.name(rank))), number: rank)
        }
        try copy("orders (merchant, id, version, document, created, status, amount, wallet, last_four)") { rank in
            let made = try transaction(rank)
            let entry = OrderIndexEntry(made)
            return [
                merchantBytes, Array(made.order.id.text.utf8), CopyRow.integer(1), made.order.record,
                CopyRow.integer(made.order.creationTime.millisecondsSinceEpoch), Array(entry.status.utf8),
                CopyRow.integer(entry.amount), Array((entry.wallet ?? "").utf8), Array((entry.lastFour ?? "").utf8),
            ]
        }
        try copy("transactions (merchant, order_id, id, version, fingerprint, document)") { rank in
            let made = try transaction(rank)
            return [
                merchantBytes, Array(made.order.id.text.utf8), Array(made.id.text.utf8), CopyRow.integer(1),
                orders.digest(rank), made.record,
            ]
        }
        try copy("tokens (digest, merchant, order_id, is_credited)") { rank in
            [orders.digest(rank), merchantBytes, Array(orders.name(orders.mixed(rank)).utf8), [1]]
        }
        try postgres.run("VACUUM ANALYZE", database: database)
        try postgres.run("CHECKPOINT", database: database)
    }

    private func copy(_ table: String, _ row: (Int) throws -> [[UInt8]]) throws {
        let child = try postgres.psql("COPY \(table) FROM STDIN (FORMAT binary)", database: database)
        var bytes = CopyRow.head
        for rank in 0..<orders.count {
            CopyRow.append(try row(rank), to: &bytes)
            guard bytes.count > 1_000_000 else { continue }
            try child.send(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try child.send(bytes + CopyRow.end)
        let status = child.finish()
        guard status == 0 else { throw BenchFailure("psql ended with wait status \(status)") }
    }
}

/// The binary format of rows for `COPY` (PostgreSQL 15, "COPY", "Binary Format").
private enum CopyRow {
    /// The signature, the flags, and an empty header extension.
    static let head = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    /// The trailer: a column count of -1.
    static let end: [UInt8] = [0xFF, 0xFF]

    static func append(_ columns: [[UInt8]], to bytes: inout [UInt8]) {
        withUnsafeBytes(of: Int16(columns.count).bigEndian) { bytes.append(contentsOf: $0) }
        for column in columns {
            withUnsafeBytes(of: Int32(column.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes += column
        }
    }

    /// A BIGINT.
    static func integer(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
