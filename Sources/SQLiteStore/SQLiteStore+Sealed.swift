internal import Foundation
internal import GRDB
public import Values
public import Vault

extension SQLiteStore: SealedStore {
    /// The item with a name; nil if there is none.
    public func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        try await reads.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT revision, expiry, text FROM sealed WHERE name = ?")
            guard let row = try Row.fetchOne(statement, arguments: [Data(name)]) else { return nil }
            return SealedItem(
                name: name, revision: try row.revision(0),
                expiry: try row.integerIfPresent(1).map { Instant(millisecondsSinceEpoch: $0) },
                text: try row.bytes(2))
        }
    }

    /// Writes an item, in one transaction with other waiting writes.
    public func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        try await sealedItems.commit(
            PreparedItem(item, at: instant.millisecondsSinceEpoch, in: group)
        ).get()
    }

    /// Removes the item with a name. Returns false if there is none.
    public func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        try await chores.commit(
            PreparedChore { database in
                try database.cachedStatement(sql: "DELETE FROM sealed WHERE name = ?").execute(arguments: [Data(name)])
                return database.changesCount
            }
        ).get() > 0
    }

    /// Removes expired items, earliest expiry first. Returns how many were removed.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        try await chores.commit(
            PreparedChore {
                try PreparedItem.removeExpired(at: instant.millisecondsSinceEpoch, countMax: countMax, in: $0)
            }
        ).get()
    }
}
