internal import GRDB
internal import Payments
internal import Values

/// A commit whose records are already encoded, so that the writer only stores them. A class, as it is passed between
/// queues.
final class PreparedCommit: PreparedWrite {
    private let merchant: String
    private let order: String
    private let transaction: String
    private let versionBefore: Int64
    private let orderRecord: [UInt8]
    private let transactionRecord: [UInt8]
    private let particulars: [UInt8]?
    private let fingerprint: [UInt8]
    private let token: TokenUse?
    private let items: HeldItems
    private let entry: OrderIndexEntry

    init(_ commit: Commit) {
        merchant = commit.order.merchant.text
        order = commit.order.id.text
        transaction = commit.transaction.id.text
        versionBefore = commit.versionBefore
        orderRecord = commit.order.record
        (transactionRecord, particulars) = commit.transaction.parts
        fingerprint = commit.fingerprint
        token = commit.token
        items = HeldItems(commit.items)
        entry = OrderIndexEntry(commit.transaction)
    }

    /// Checks the commit against the stored state, and writes it if nothing refuses it. Every check precedes the first
    /// write: a commit with any outcome but `committed` has written nothing.
    func apply(to database: Database) throws -> CommitOutcome {
        let existing = try existingOrder(database)
        if let existing, try transactionExists(existing.row, database) { return .transactionExists }
        guard versionBefore == existing?.version ?? 0 else { return .orderMoved }
        var presented: [Presented?] = []
        var isElsewhere = false
        for (digest, sharing) in token?.all ?? [] {
            let found = try self.presented(digest, database)
            presented.append(found)
            guard let found else { continue }
            if found.isCredited {
                guard let sharing, found.orderRow == Self.row(of: sharing) else { return .tokenCredited }
            } else if found.orderRow != existing?.row {
                // A removed order leaves the uncredited tokens that were presented for it.
                isElsewhere = try isElsewhere || orderExists(found.orderRow, database)
            }
        }
        if isElsewhere { return .tokenPresentedElsewhere }
        if let refusal = try items.refusal(in: database) { return refusal }

        let row = try writeOrder(existing?.row, database)
        try writeTransaction(row, database)
        try entry.write(row, merchant: merchant, isNew: existing == nil, in: database)
        for (use, found) in zip(token?.all ?? [], presented) {
            try write(use.digest, use.sharing, of: row, found, database)
        }
        try items.write(heldBy: row, in: database)
        return .committed
    }

    private func existingOrder(_ database: Database) throws -> (row: Int64, version: Int64)? {
        var select = try StatementUse("SELECT row, version FROM orders WHERE merchant = ? AND id = ?", in: database)
        try select.bind(merchant)
        try select.bind(order)
        return try select.step() ? (try select.integer(0), try select.integer(1)) : nil
    }

    private func orderExists(_ row: Int64, _ database: Database) throws -> Bool {
        var select = try StatementUse("SELECT 1 FROM orders WHERE row = ?", in: database)
        try select.bind(row)
        return try select.step()
    }

    private func transactionExists(_ orderRow: Int64, _ database: Database) throws -> Bool {
        var select = try StatementUse("SELECT 1 FROM transactions WHERE orderRow = ? AND id = ?", in: database)
        try select.bind(orderRow)
        try select.bind(transaction)
        return try select.step()
    }

    /// The order that a digest was presented for before.
    private struct Presented {
        let orderRow: Int64
        let isCredited: Bool
    }

    /// The `orderRow` of a credited digest that several orders may share. It is negative, as the rows of orders are
    /// positive.
    private static func row(of sharing: TokenUse.Sharing) -> Int64 { -Int64(sharing.rawValue) }

    private func presented(_ digest: [UInt8], _ database: Database) throws -> Presented? {
        var select = try StatementUse("SELECT orderRow, isCredited FROM tokens WHERE digest = ?", in: database)
        try select.bind(digest)
        guard try select.step() else { return nil }
        return Presented(orderRow: try select.integer(0), isCredited: try select.integer(1) != 0)
    }

    /// Writes the order and returns its row number.
    private func writeOrder(_ existing: Int64?, _ database: Database) throws -> Int64 {
        if let existing {
            var update = try StatementUse("UPDATE orders SET version = ?, document = ? WHERE row = ?", in: database)
            try update.bind(versionBefore + 1)
            try update.bind(orderRecord)
            try update.bind(existing)
            _ = try update.step()
            return existing
        }
        var insert = try StatementUse(
            "INSERT INTO orders (merchant, id, version, document) VALUES (?, ?, ?, ?)", in: database)
        try insert.bind(merchant)
        try insert.bind(order)
        try insert.bind(versionBefore + 1)
        try insert.bind(orderRecord)
        _ = try insert.step()
        return database.lastInsertedRowID
    }

    private func writeTransaction(_ orderRow: Int64, _ database: Database) throws {
        var insert = try StatementUse(
            """
            INSERT INTO transactions (orderRow, id, fingerprint, document, particulars) VALUES (?, ?, ?, ?, ?)
            """, in: database)
        try insert.bind(orderRow)
        try insert.bind(transaction)
        try insert.bind(fingerprint)
        try insert.bind(transactionRecord)
        if let particulars { try insert.bind(particulars) } else { try insert.bind(nil) }
        _ = try insert.step()
    }

    private func write(
        _ digest: [UInt8], _ sharing: TokenUse.Sharing?, of orderRow: Int64, _ found: Presented?, _ database: Database
    ) throws {
        let isCredited = token?.isCredited == true
        guard isCredited || sharing == nil else { return }
        let orderRow = sharing.map(Self.row) ?? orderRow
        if found == nil {
            var insert = try StatementUse(
                "INSERT INTO tokens (digest, orderRow, isCredited) VALUES (?, ?, ?)", in: database)
            try insert.bind(digest)
            try insert.bind(orderRow)
            try insert.bind(isCredited ? 1 : 0)
            _ = try insert.step()
        } else if found?.isCredited != isCredited || found?.orderRow != orderRow {
            var update = try StatementUse(
                "UPDATE tokens SET orderRow = ?, isCredited = ? WHERE digest = ?", in: database)
            try update.bind(orderRow)
            try update.bind(isCredited ? 1 : 0)
            try update.bind(digest)
            _ = try update.step()
        }
    }
}
