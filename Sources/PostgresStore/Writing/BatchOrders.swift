internal import Payments
internal import Vault

/// The stored state of a batch's orders and tokens, and the changes that the batch makes to it.
struct BatchOrders {
    private struct Key: Hashable {
        let merchant: [UInt8]
        let order: [UInt8]

        /// The key of a credited digest that several orders may share. No order has it, as every merchant has a name.
        static func of(_ sharing: TokenUse.Sharing) -> Key { Key(merchant: [], order: [sharing.rawValue]) }
    }

    private struct Kept {
        let versionBefore: Int64
        var version: Int64
        /// The commit with the order's latest state; nil if the order is unchanged.
        var latest: PreparedCommit?
    }

    private struct Presented {
        let key: Key
        let wasKept: Bool
        let isCredited: Bool
        var isChanged = false
    }

    private var orders: [Key: Kept] = [:]
    private var transactions: [Key: Set<[UInt8]>] = [:]
    private var tokens: [[UInt8]: Presented] = [:]
    private var committed: [PreparedCommit] = []

    /// Adds the stored versions and transactions of a merchant's orders.
    mutating func add(
        _ orderRows: QueryResult, _ transactionRows: QueryResult, of merchant: [UInt8]
    ) throws(StoreFailure) {
        for row in 0..<orderRows.rowCount {
            let version = try orderRows.integer(row, 1)
            orders[Key(merchant: merchant, order: try orderRows.bytes(row, 0))] = Kept(
                versionBefore: version, version: version)
        }
        for row in 0..<transactionRows.rowCount {
            let key = Key(merchant: merchant, order: try transactionRows.bytes(row, 0))
            transactions[key, default: []].insert(try transactionRows.bytes(row, 1))
        }
    }

    /// Adds the stored tokens.
    mutating func addTokens(_ rows: QueryResult) throws(StoreFailure) {
        for row in 0..<rows.rowCount {
            let key = Key(merchant: try rows.bytes(row, 1), order: try rows.bytes(row, 2))
            tokens[try rows.bytes(row, 0)] = Presented(
                key: key, wasKept: true, isCredited: try rows.flag(row, 3))
        }
    }

    /// Why a commit is refused; nil if it can be written.
    func refusal(of commit: PreparedCommit) -> CommitOutcome? {
        let key = Key(merchant: commit.merchant, order: commit.order)
        if transactions[key]?.contains(commit.transaction) == true { return .transactionExists }
        guard commit.versionBefore == orders[key]?.version ?? 0 else { return .orderMoved }
        return commit.token.flatMap { refusal(of: $0, for: key) }
    }

    /// Applies a commit that was not refused.
    mutating func take(_ commit: PreparedCommit) {
        let key = Key(merchant: commit.merchant, order: commit.order)
        let kept = orders[key]
        if let token = commit.token { take(token, for: key) }
        orders[key] = Kept(
            versionBefore: kept?.versionBefore ?? 0, version: commit.versionBefore + 1, latest: commit)
        transactions[key, default: []].insert(commit.transaction)
        committed.append(commit)
    }

    private func refusal(of token: TokenUse, for key: Key) -> CommitOutcome? {
        var isElsewhere = false
        for (digest, sharing) in token.all {
            guard let presented = tokens[digest] else { continue }
            if presented.isCredited {
                guard let sharing, presented.key == .of(sharing) else { return .tokenCredited }
            } else if presented.key != key {
                isElsewhere = true
            }
        }
        return isElsewhere ? .tokenPresentedElsewhere : nil
    }

    private mutating func take(_ token: TokenUse, for key: Key) {
        for (digest, sharing) in token.all where token.isCredited || sharing == nil {
            let presented = tokens[digest]
            let key = sharing.map(Key.of) ?? key
            // A token that this batch has already changed must still be written.
            let isSame = presented?.key == key && presented?.isCredited == token.isCredited
            tokens[digest] = Presented(
                key: key, wasKept: presented?.wasKept ?? false, isCredited: token.isCredited,
                isChanged: presented?.isChanged == true || !isSame)
        }
    }

    /// The changes to write, in the lock order that all writers share.
    var changes: [Change] {
        committed.isEmpty ? [] : orderChanges + transactionChanges + tokenChanges
    }

    private var orderChanges: [Change] {
        var queries: [Change] = []
        let changed = orders.values.compactMap { kept in
            kept.latest.map { (isNew: kept.versionBefore == 0, commit: $0) }
        }
        let merchants = Dictionary(grouping: changed, by: \.commit.merchant).sorted { precedes($0.key, $1.key) }
        for (merchant, orders) in merchants {
            let sorted = orders.sorted { precedes($0.commit.order, $1.commit.order) }
            for (statement, isNew) in [(Statement.insertOrders, true), (.updateOrders, false)] {
                let commits = sorted.filter { $0.isNew == isNew }.map(\.commit)
                guard !commits.isEmpty else { continue }
                queries.append(Change(commits.count, .run(statement, [.bytes(merchant)] + commits.orderColumns)))
            }
        }
        return queries
    }

    /// This batch holds the locks of these orders, so no one else writes their transactions.
    private var transactionChanges: [Change] {
        Dictionary(grouping: committed, by: \.merchant).map { merchant, commits in
            Change(
                commits.count,
                .run(
                    .insertTransactions,
                    [
                        .bytes(merchant), .bytesArray(commits.map(\.order)),
                        .bytesArray(commits.map(\.transaction)),
                        .integerArray(commits.map { $0.versionBefore + 1 }),
                        .bytesArray(commits.map(\.fingerprint)),
                        .bytesArray(commits.map(\.transactionRecord)),
                        .bytesArray(commits.map { $0.particulars ?? [] }),
                    ]))
        }
    }

    private var tokenChanges: [Change] {
        var queries: [Change] = []
        let tokens = tokens.filter(\.value.isChanged).sorted { precedes($0.key, $1.key) }
        let new = tokens.filter { !$0.value.wasKept }
        if !new.isEmpty {
            queries.append(
                Change(
                    new.count,
                    .run(
                        .insertTokens,
                        [
                            .bytesArray(new.map(\.key)), .bytesArray(new.map(\.value.key.merchant)),
                            .bytesArray(new.map(\.value.key.order)), .flagArray(new.map(\.value.isCredited)),
                        ])))
        }
        let credited = tokens.filter { $0.value.wasKept }
        if !credited.isEmpty {
            queries.append(
                Change(
                    credited.count,
                    .run(
                        .creditTokens,
                        [
                            .bytesArray(credited.map(\.key)), .bytesArray(credited.map(\.value.key.merchant)),
                            .bytesArray(credited.map(\.value.key.order)),
                        ])))
        }
        return queries
    }
}

extension [PreparedCommit] {
    /// The columns of the orders as the commits leave them.
    fileprivate var orderColumns: [Parameter] {
        [
            .bytesArray(map(\.order)), .integerArray(map { $0.versionBefore + 1 }), .bytesArray(map(\.orderRecord)),
            .integerArray(map(\.updated)), .integerArray(map { Schema.hour(of: $0.updated) }),
            .integerArray(map(\.created)), .bytesArray(map { [UInt8]($0.entry.status.utf8) }),
            .integerArray(map(\.entry.amount)), .bytesArray(map { [UInt8](($0.entry.wallet ?? "").utf8) }),
            .bytesArray(map { [UInt8](($0.entry.lastFour ?? "").utf8) }),
        ]
    }
}
