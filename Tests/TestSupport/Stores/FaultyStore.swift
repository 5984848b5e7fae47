public import Payments
public import Values
public import Vault

/// A store of orders over another one, with faults that would take long to bring about.
public struct FaultyStore: PaymentStore {
    /// What is wrong with it.
    public enum Fault: Hashable, Sendable {
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

    private let store: InMemoryStore
    private let faults: Set<Fault>
    private let twin: Transaction?

    /// A store over another one.
    ///
    /// - Parameter twin: what a twin was answered.
    public init(store: InMemoryStore, faults: Set<Fault>, twin: Transaction? = nil) {
        self.store = store
        self.faults = faults
        self.twin = twin
    }

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

    /// Recalls.
    public func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try check()
        let found = try await store.recall(transaction, of: order)
        let recorded =
            faults.contains(.hasTwins)
            ? twin.map { RecordedTransaction(transaction: $0, fingerprint: Array(repeating: 0, count: 32)) }
            : found.transaction
        return Recollection(order: found.order.map(faulty), transaction: recorded)
    }

    /// Reads.
    public func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        try check()
        return try await store.history(of: order).map {
            OrderHistory(order: faulty($0.order), transactions: $0.transactions)
        }
    }

    /// Commits.
    public func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        try check()
        return try await store.commit(commit)
    }

    /// Prunes nothing.
    public func prune(_ retention: OrderRetention, at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int
    { 0 }
    /// Does nothing.
    public func reset() async throws(StoreFailure) {}
    /// Does nothing.
    public func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {}
    /// Checks.
    public func check(_ aspect: StoreCheck) async throws(StoreFailure) { try check() }
}

/// A store of sessions and tokens over another one, which may fail.
public struct FaultySealedStore: SealedStore {
    private let store: InMemoryStore
    private let fails: Bool

    /// A store over another one.
    public init(store: InMemoryStore, fails: Bool) {
        self.store = store
        self.fails = fails
    }

    private func check() throws(StoreFailure) { if fails { throw .unavailable(detail: "the test's") } }

    /// Reads.
    public func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        try check()
        return try await store.item(name)
    }

    /// Writes.
    public func put(_ item: SealedItem, at instant: Instant, in group: SealedGroup?) async throws(StoreFailure)
        -> SealedOutcome
    {
        try check()
        return try await store.put(item, at: instant, in: group)
    }

    /// Removes.
    public func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        try check()
        return try await store.remove(name)
    }

    /// Removes nothing.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int { 0 }
}
