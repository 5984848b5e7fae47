import Payments
import PostgresStore
import SQLiteStore
import TestSupport
import Testing
import Values
import Vault

/// The stores that keep the contract. A new one joins by adding itself here.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case inMemory
    case sqlite
    case postgres

    var testDescription: String { rawValue }

    /// An empty store, which goes with all that it keeps when its last user does.
    func opened() async throws -> any PaymentStore & SealedStore & OrderListing {
        switch self {
        case .inMemory: return InMemoryStore()
        case .sqlite:
            let directory = try TemporaryDirectory()
            return StoreInDirectory(
                store: try SQLiteStore(path: directory.path + "/store.sqlite"), directory: directory)
        case .postgres: return try await PostgresStore(patiently: PostgresServer.shared().url())
        }
    }
}

/// A store together with the directory that it lies in, which goes with it.
private final class StoreInDirectory: PaymentStore, SealedStore, OrderListing {
    let store: any PaymentStore & SealedStore & OrderListing
    let directory: TemporaryDirectory

    init(store: any PaymentStore & SealedStore & OrderListing, directory: TemporaryDirectory) {
        self.store = store
        self.directory = directory
    }

    deinit { directory.remove() }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await store.recall(transaction, of: order)
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        try await store.history(of: order)
    }

    func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        try await store.ledger(of: order)
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome { try await store.commit(commit) }

    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        try await store.prune(retention, at: instant, countMax: countMax)
    }

    func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage? { try await store.orders(query) }

    func reset() async throws(StoreFailure) { try await store.reset() }
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        try await store.reset(merchant, groups: groups)
    }

    func check(_ aspect: StoreCheck) async throws(StoreFailure) { try await store.check(aspect) }

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? { try await store.item(name) }

    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        try await store.put(item, at: instant, in: group)
    }

    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool { try await store.remove(name) }

    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        try await store.removeExpired(at: instant, countMax: countMax)
    }
}
