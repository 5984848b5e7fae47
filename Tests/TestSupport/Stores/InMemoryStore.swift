public import Payments
public import Values
public import Vault

/// A store of the length of a test. It keeps the contract that `StoreTests` hold every store to.
public actor InMemoryStore: PaymentStore, OrderListing {
    private struct Kept {
        var order: Order
        var transactions: [RecordedTransaction]
        /// The order's place among all that were made.
        var number = 0
    }

    private struct Presented {
        let order: OrderKey
        let sharing: TokenUse.Sharing?
        let isCredited: Bool
    }

    private var orders: [OrderKey: Kept] = [:]
    private var madeCount = 0
    private var tokens: [[UInt8]: Presented] = [:]
    var sealed: [[UInt8]: SealedItem] = [:]
    /// The groups of items that count in one.
    var sealedGroups: [[UInt8]: [UInt8]] = [:]
    /// The orders that hold an item, of those items that follow orders; none where none ever has.
    var holders: [[UInt8]: Set<OrderKey>] = [:]
    /// Since when items that follow orders have been without one.
    var unheldSince: [[UInt8]: Instant] = [:]

    /// An empty store.
    public init() {}

    /// The order and, if it exists, the transaction.
    public func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        let kept = orders[order]
        return Recollection(
            order: kept?.order, transaction: kept?.transactions.first { $0.transaction.id == transaction })
    }

    /// The order with its transactions.
    public func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        orders[order].map { OrderHistory(order: $0.order, transactions: $0.transactions.map(\.transaction)) }
    }

    /// All of a commit or nothing.
    public func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        let key = commit.order.key
        var kept = orders[key] ?? Kept(order: commit.order, transactions: [])
        guard !kept.transactions.contains(where: { $0.transaction.id == commit.transaction.id }) else {
            return .transactionExists
        }
        guard commit.versionBefore == orders[key]?.order.version ?? 0 else { return .orderMoved }
        if let token = commit.token {
            if let refusal = refusal(of: token, for: key) { return refusal }
        }
        if let refusal = refusal(of: commit.items) { return refusal }
        hold(commit.items, by: key)
        if let token = commit.token {
            for (digest, sharing) in token.all where token.isCredited || sharing == nil {
                tokens[digest] = Presented(order: key, sharing: sharing, isCredited: token.isCredited)
            }
        }
        if kept.transactions.isEmpty {
            madeCount += 1
            kept.number = madeCount
        }
        kept.order = commit.order
        kept.transactions.append(RecordedTransaction(transaction: commit.transaction, fingerprint: commit.fingerprint))
        orders[key] = kept
        return .committed
    }

    private func refusal(of token: TokenUse, for order: OrderKey) -> CommitOutcome? {
        let presented = token.all.compactMap { use in tokens[use.digest].map { (use.sharing, $0) } }
        if presented.contains(where: { $1.isCredited && ($0 == nil || $1.sharing != $0) }) { return .tokenCredited }
        return presented.contains { !$1.isCredited && $1.order != order } ? .tokenPresentedElsewhere : nil
    }

    /// The orders that match, the newest first.
    public func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage? {
        guard query.before.map({ Int($0.text) != nil }) ?? true else { return nil }
        let end = query.before.flatMap { Int($0.text) } ?? Int.max
        let found = orders.values.filter { $0.number < end }.sorted { $0.number > $1.number }
            .map { kept in
                (
                    kept.number,
                    ListedOrder(order: kept.order, lastFour: kept.transactions.last?.transaction.card.lastFour)
                )
            }
            .filter { query.matches($0.1) }
        let page = found.prefix(query.count)
        return OrderPage(
            orders: page.map(\.1),
            next: found.count > page.count ? page.last.map { OrderPosition(String($0.0)) } : nil)
    }

    /// Removes the oldest orders.
    public func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        var removedCount = 0
        for order in orders.values.map(\.order).sorted(by: { $0.lastUpdatedTime < $1.lastUpdatedTime }) {
            let isAged = retention.agedBefore(at: instant).map { order.lastUpdatedTime < $0 } ?? false
            let isSurplus = retention.ordersMax.map { orders.count > $0 } ?? false
            let mayGo = order.lastUpdatedTime < retention.surplusBefore(at: instant)
            guard removedCount < countMax, isAged || isSurplus && mayGo else { break }
            orders[order.key] = nil
            tokens = tokens.filter { $0.value.isCredited || $0.value.order != order.key }
            release(order.key)
            removedCount += 1
        }
        guard let before = retention.agedBefore(at: instant) else { return removedCount }
        return removedCount + removeUnheld(before: before, countMax: countMax - removedCount)
    }

    /// Forgets one merchant.
    public func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        for key in orders.keys where key.merchant == merchant {
            orders[key] = nil
            release(key)
        }
        tokens = tokens.filter { $0.value.sharing != nil || $0.value.order.merchant != merchant }
        for (name, group) in sealedGroups where groups.contains(group) && holders[name]?.isEmpty ?? true {
            (sealed[name], sealedGroups[name], holders[name], unheldSince[name]) = (nil, nil, nil, nil)
        }
    }

    /// Forgets everything.
    public func reset() async throws(StoreFailure) {
        orders = [:]
        tokens = [:]
        sealed = [:]
        sealedGroups = [:]
        holders = [:]
        unheldSince = [:]
    }
}
