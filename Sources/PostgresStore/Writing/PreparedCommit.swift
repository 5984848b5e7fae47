internal import Payments
internal import Values
internal import Vault

/// A commit whose records are already encoded, so that the queue only batches them.
struct PreparedCommit: Sendable {
    let merchant: [UInt8]
    let order: [UInt8]
    let transaction: [UInt8]
    let versionBefore: Int64
    let orderRecord: [UInt8]
    /// When the transaction was answered, in milliseconds.
    let updated: Int64
    /// When the order's first transaction was answered, in milliseconds.
    let created: Int64
    let entry: OrderIndexEntry
    let transactionRecord: [UInt8]
    let particulars: [UInt8]?
    let fingerprint: [UInt8]
    let token: TokenUse?
    let items: [HeldItem]

    init(_ commit: Commit) {
        merchant = Array(commit.order.merchant.text.utf8)
        order = Array(commit.order.id.text.utf8)
        transaction = Array(commit.transaction.id.text.utf8)
        versionBefore = commit.versionBefore
        orderRecord = commit.order.record
        updated = commit.order.lastUpdatedTime.millisecondsSinceEpoch
        created = commit.order.creationTime.millisecondsSinceEpoch
        entry = OrderIndexEntry(commit.transaction)
        (transactionRecord, particulars) = commit.transaction.parts
        fingerprint = commit.fingerprint
        token = commit.token
        items = commit.items
    }

    /// Locks the orders, which also protects their transactions and the tokens presented for them. Then locks the items
    /// that the orders hold.
    ///
    /// Rows that don't exist yet can't be locked. If two transactions insert the same key, the second fails with a
    /// unique violation and is retried.
    static func lockQueries(of batch: [PreparedCommit]) -> [Query] {
        var queries: [Query] = []
        for (merchant, commits) in batch.byMerchant {
            let orders = Set(commits.map(\.order)).sorted(by: precedes)
            queries.append(.run(.lockOrders, [.bytes(merchant), .bytesArray(orders)]))
            queries.append(
                .run(
                    .findTransactions,
                    [
                        .bytes(merchant), .bytesArray(commits.map(\.order)), .bytesArray(commits.map(\.transaction)),
                    ]))
        }
        queries.append(.run(.findTokens, [.bytesArray(batch.flatMap { $0.token?.all.map(\.digest) ?? [] })]))
        if batch.hasItems {
            // Groups are locked before items, each in the order of their names. Writers of items alone use the same
            // lock order.
            let (groups, names) = (Parameter.bytesArray(batch.groupNames), Parameter.bytesArray(batch.itemNames))
            queries += [
                .run(.addGroups, [groups]), .run(.lockGroups, [groups, .bytesArray([])]), .run(.lockItems, [names]),
            ]
        }
        return queries
    }

    /// Decides the commits in order, each against the stored state and the commits before it.
    static func decide(
        _ batch: [PreparedCommit], on answers: ArraySlice<QueryResult>
    ) throws(StoreFailure) -> BatchDecision<CommitOutcome> {
        var kept = BatchOrders()
        var answers = answers
        for (merchant, _) in batch.byMerchant {
            guard let orders = answers.popFirst(), let transactions = answers.popFirst() else {
                preconditionFailure("each question has an answer")
            }
            try kept.add(orders, transactions, of: merchant)
        }
        guard let tokens = answers.popFirst() else { preconditionFailure("each question has an answer") }
        try kept.addTokens(tokens)
        var items = BatchItems()
        if batch.hasItems {
            guard answers.popFirst() != nil, let groupRows = answers.popFirst(), let itemRows = answers.popFirst()
            else {
                preconditionFailure("each question has an answer")
            }
            items = try BatchItems(groups: groupRows, items: itemRows)
        }
        let outcomes = batch.map { commit -> CommitOutcome in
            if let refusal = kept.refusal(of: commit) ?? items.refusal(of: commit.items) { return refusal }
            kept.take(commit)
            items.hold(commit.items, byOrder: commit.order, of: commit.merchant)
            return .committed
        }
        return BatchDecision(
            outcomes: outcomes, changes: kept.changes + items.changes, hasEffect: outcomes.contains(.committed))
    }
}

extension [PreparedCommit] {
    fileprivate var hasItems: Bool { contains { !$0.items.isEmpty } }
    fileprivate var itemNames: [[UInt8]] { Set(flatMap { $0.items.map(\.name) }).sorted(by: precedes) }
    /// The groups of the new items.
    fileprivate var groupNames: [[UInt8]] {
        let names = flatMap { commit in
            commit.items.compactMap { item in
                if case .new(_, let group) = item { group.name } else { nil }
            }
        }
        return Set(names).sorted(by: precedes)
    }

    /// The commits grouped by merchant. All writers lock the merchants in this order.
    fileprivate var byMerchant: [(key: [UInt8], value: [PreparedCommit])] {
        if let first, allSatisfy({ $0.merchant == first.merchant }) { return [(first.merchant, self)] }
        return Dictionary(grouping: self, by: \.merchant).sorted { precedes($0.key, $1.key) }
    }
}

/// Byte order, which is the order in which PostgreSQL sorts `bytea`.
func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.lexicographicallyPrecedes(other) }
