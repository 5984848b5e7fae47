internal import Foundation
internal import GRDB
internal import Values
internal import Vault

/// A sealed item to write.
struct PreparedItem: PreparedWrite {
    private let name: Data
    private let revision: Int64
    private let expiry: Int64?
    private let text: Data
    private let instant: Int64
    private let group: SealedGroup?

    init(_ item: SealedItem, at instant: Int64, in group: SealedGroup?) {
        name = Data(item.name)
        revision = item.revision
        expiry = item.expiry?.millisecondsSinceEpoch
        text = Data(item.text)
        self.instant = instant
        self.group = group
    }

    func apply(to database: Database) throws -> SealedOutcome {
        let kept = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT revision FROM sealed WHERE name = ?"), arguments: [name])
        guard try (kept?.integer(0) ?? 0) == revision - 1 else { return .moved }
        if kept == nil {
            if expiry != nil {
                // Expired items are removed first. They stay removed even if the group is still full.
                try Self.removeExpired(at: instant, countMax: SealedItem.removedWithPutMax, in: database)
            }
            guard try hasRoom(in: database) else { return .full }
            try database.cachedStatement(
                sql: """
                    INSERT INTO sealed (name, revision, expiry, text, groupName, unheldSince) VALUES (?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [
                    name, revision, expiry, text, group.map { Data($0.name) },
                    group?.followsOrders == true ? instant : nil,
                ])
        } else {
            try database.cachedStatement(sql: "UPDATE sealed SET revision = ?, expiry = ?, text = ? WHERE name = ?")
                .execute(arguments: [revision, expiry, text, name])
        }
        return .written
    }

    /// Whether the group has room for one more item. Replaces an unused item if the group is full and permits that.
    private func hasRoom(in database: Database) throws -> Bool {
        guard let group else { return true }
        let name = Data(group.name)
        let count = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT items FROM sealedGroups WHERE name = ?"), arguments: [name])
        guard try (count?.integer(0) ?? 0) >= group.countMax else { return true }
        guard group.replacesUnused else { return false }
        try database.cachedStatement(
            sql: """
                DELETE FROM sealed WHERE row IN (
                    SELECT row FROM sealed WHERE groupName = ? AND revision = 1 AND expiry IS NOT NULL
                    ORDER BY expiry LIMIT 1)
                """
        ).execute(arguments: [name])
        return database.changesCount == 1
    }

    /// Removes items that expired by an instant, earliest expiry first.
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

    /// Removes items that no order has held since an instant, oldest first.
    static func removeUnheld(before instant: Int64, countMax: Int, in database: Database) throws -> Int {
        try database.cachedStatement(
            sql: """
                DELETE FROM sealed WHERE row IN (
                    SELECT row FROM sealed WHERE unheldSince < 9223372036854775807 AND unheldSince < ?
                    ORDER BY unheldSince LIMIT ?)
                """
        ).execute(arguments: [instant, countMax])
        return database.changesCount
    }
}
