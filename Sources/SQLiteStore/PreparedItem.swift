internal import ApplePay
internal import Foundation
internal import GRDB
internal import Payments

/// A sealed item that is to be written.
struct PreparedItem: PreparedWrite {
    private let name: Data
    private let revision: Int64
    private let expiry: Int64?
    private let text: Data
    private let instant: Int64
    private let expiringMax: Int

    init(_ item: SealedItem, at instant: Int64, expiringMax: Int) {
        name = Data(item.name)
        revision = item.revision
        expiry = item.expiry?.millisecondsSinceEpoch
        text = Data(item.text)
        self.instant = instant
        self.expiringMax = expiringMax
    }

    func apply(to database: Database) throws -> SealedOutcome {
        let kept = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT revision FROM sealed WHERE name = ?"), arguments: [name])
        guard try (kept?.integer(0) ?? 0) == revision - 1 else { return .moved }
        if kept == nil, expiry != nil {
            // Room is made first, and stays made if there is none left.
            try Self.removeExpired(at: instant, countMax: SealedItem.removedWithPutMax, in: database)
            let count = try Row.fetchOne(database.cachedStatement(sql: "SELECT expiring FROM sealedCount"))
            guard try (count?.integer(0) ?? 0) < expiringMax else { return .full }
        }
        if kept == nil {
            try database.cachedStatement(
                sql: "INSERT INTO sealed (name, revision, expiry, text) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [name, revision, expiry, text])
        } else {
            try database.cachedStatement(sql: "UPDATE sealed SET revision = ?, expiry = ?, text = ? WHERE name = ?")
                .execute(arguments: [revision, expiry, text, name])
        }
        return .written
    }

    /// Removes items that expired before an instant, the first to expire first.
    @discardableResult
    static func removeExpired(at instant: Int64, countMax: Int, in database: Database) throws -> Int {
        try database.cachedStatement(
            sql: """
                DELETE FROM sealed WHERE row IN (
                    SELECT row FROM sealed WHERE expiry IS NOT NULL AND expiry <= ? ORDER BY expiry LIMIT ?)
                """
        ).execute(arguments: [instant, countMax])
        return database.changesCount
    }
}
