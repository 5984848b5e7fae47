internal import Foundation
internal import GRDB
internal import Payments

/// A commit with its records written, so that the one writer has only to store them.
struct PreparedCommit: PreparedWrite {
    private let merchant: String
    private let order: String
    private let transaction: String
    private let versionBefore: Int64
    private let orderRecord: Data
    private let transactionRecord: Data
    private let fingerprint: Data
    private let token: (digest: Data, isCredited: Bool)?

    init(_ commit: Commit) {
        merchant = commit.order.merchant.text
        order = commit.order.id.text
        transaction = commit.transaction.id.text
        versionBefore = commit.versionBefore
        orderRecord = Data(commit.order.record)
        transactionRecord = Data(commit.transaction.record)
        fingerprint = Data(commit.fingerprint)
        token = commit.token.map { (Data($0.digest), $0.isCredited) }
    }

    /// Checks the commit against what the store holds and, if nothing stands against it, writes it. Every check comes
    /// before the first write: a commit that is told anything but `committed` has written nothing.
    func apply(to database: Database) throws -> CommitOutcome {
        let existing = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT row, version FROM orders WHERE merchant = ? AND id = ?"),
            arguments: [merchant, order])
        let orderRow = try existing?.integer(0)
        if let orderRow, try transactionExists(orderRow, database) { return .transactionExists }
        guard try versionBefore == existing?.integer(1) ?? 0 else { return .orderMoved }
        let presented = try presentedToken(database)
        if let presented {
            if presented.isCredited { return .tokenCredited }
            guard presented.orderRow == orderRow else { return .tokenPresentedElsewhere }
        }

        let row = try writeOrder(orderRow, database)
        try database.cachedStatement(
            sql: "INSERT INTO transactions (orderRow, id, fingerprint, document) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [row, transaction, fingerprint, transactionRecord])
        try writeToken(row, isPresented: presented != nil, database)
        return .committed
    }

    private func transactionExists(_ orderRow: Int64, _ database: Database) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM transactions WHERE orderRow = ? AND id = ?"),
            arguments: [orderRow, transaction]) != nil
    }

    private func presentedToken(_ database: Database) throws -> (orderRow: Int64, isCredited: Bool)? {
        guard let token else { return nil }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT orderRow, isCredited FROM tokens WHERE digest = ?"),
            arguments: [token.digest])
        return try row.map { (try $0.integer(0), try $0.integer(1) != 0) }
    }

    /// Writes the order and returns its row.
    private func writeOrder(_ existing: Int64?, _ database: Database) throws -> Int64 {
        if let existing {
            try database.cachedStatement(sql: "UPDATE orders SET version = ?, document = ? WHERE row = ?")
                .execute(arguments: [versionBefore + 1, orderRecord, existing])
            return existing
        }
        try database.cachedStatement(sql: "INSERT INTO orders (merchant, id, version, document) VALUES (?, ?, ?, ?)")
            .execute(arguments: [merchant, order, versionBefore + 1, orderRecord])
        return database.lastInsertedRowID
    }

    private func writeToken(_ orderRow: Int64, isPresented: Bool, _ database: Database) throws {
        guard let token else { return }
        if !isPresented {
            try database.cachedStatement(sql: "INSERT INTO tokens (digest, orderRow, isCredited) VALUES (?, ?, ?)")
                .execute(arguments: [token.digest, orderRow, token.isCredited])
        } else if token.isCredited {
            try database.cachedStatement(sql: "UPDATE tokens SET isCredited = 1 WHERE digest = ?")
                .execute(arguments: [token.digest])
        }
    }
}
