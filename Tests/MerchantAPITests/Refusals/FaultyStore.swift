import Payments
import TestSupport
import Values
import Vault

/// A store of orders over another one, with faults that would take long to bring about.
struct FaultyStore: PaymentStore {
    enum Fault: Hashable {
        /// Nothing can be read or written.
        case fails
        /// Orders have as many transactions as they may have, reversals too.
        case isFull
        /// Orders keep as much of their requests as they may.
        case isFullOfParticulars
        /// Every transaction was answered, with other parameters.
        case hasTwins
        /// The merchant has as many card tokens as it may have.
        case isFullOfTokens
    }

    let store: InMemoryStore
    let faults: Set<Fault>
    /// What a twin was answered.
    let twin: Transaction?

    private func check() throws(StoreFailure) {
        if faults.contains(.fails) { throw .unavailable(detail: "the test's") }
    }

    private func faulty(_ order: Order) -> Order {
        let version = Int64(Order.transactionsMax + Order.reversalsMax)
        return Order(
            key: order.key, amount: order.amount, status: order.status, totals: order.totals,
            creationTime: order.creationTime, lastUpdatedTime: order.lastUpdatedTime,
            walletProvider: order.walletProvider, authenticationStatus: order.authenticationStatus,
            version: faults.contains(.isFull) ? version : order.version,
            particularsByteCount: faults.contains(.isFullOfParticulars)
                ? Order.particularsBytesMax : order.particularsByteCount)
    }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try check()
        let found = try await store.recall(transaction, of: order)
        let recorded =
            faults.contains(.hasTwins)
            ? twin.map { RecordedTransaction(transaction: $0, fingerprint: Array(repeating: 0, count: 32)) }
            : found.transaction
        return Recollection(order: found.order.map(faulty), transaction: recorded)
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        try check()
        return try await store.history(of: order).map {
            OrderHistory(order: faulty($0.order), transactions: $0.transactions)
        }
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        try check()
        return try await store.commit(commit)
    }

    func prune(_ retention: OrderRetention, at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int { 0 }
    func reset() async throws(StoreFailure) {}
    func check(_ aspect: StoreCheck) async throws(StoreFailure) { try check() }
}

/// A store of sessions and tokens over another one, which may fail.
struct FaultySealedStore: SealedStore {
    let store: InMemoryStore
    let fails: Bool

    private func check() throws(StoreFailure) { if fails { throw .unavailable(detail: "the test's") } }

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        try check()
        return try await store.item(name)
    }

    func put(_ item: SealedItem, at instant: Instant, in group: SealedGroup?) async throws(StoreFailure)
        -> SealedOutcome
    {
        try check()
        return try await store.put(item, at: instant, in: group)
    }

    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        try check()
        return try await store.remove(name)
    }

    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int { 0 }
}
