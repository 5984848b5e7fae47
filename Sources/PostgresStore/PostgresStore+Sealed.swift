public import Values
public import Vault

extension PostgresStore: SealedStore {
    /// The item with a name; nil if there is none.
    public func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        let found = try await read(.run(.findItem, [.bytes(name)]))
        guard found.rowCount > 0 else { return nil }
        let revision = try found.integer(0, 0)
        guard revision >= 1 else { throw .damaged(detail: "PostgreSQL: an item's revision counts from 1") }
        return SealedItem(
            name: name, revision: revision,
            expiry: try found.integerIfPresent(0, 1).map { Instant(millisecondsSinceEpoch: $0) },
            text: try found.bytes(0, 2))
    }

    /// Writes an item, in one transaction with other waiting writes.
    public func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        let write = SealedWrite.put(item, instant: instant.millisecondsSinceEpoch, group: group)
        guard case .put(let outcome) = try await sealedWrites.ask(write).get() else {
            preconditionFailure("what is put is not removed")
        }
        return outcome
    }

    /// Removes the item with a name. Returns false if there is none.
    public func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        try await removed(by: .remove(name: name)) > 0
    }

    /// Removes expired items, earliest expiry first. Returns how many were removed.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        try await removed(by: .removeExpired(instant: instant.millisecondsSinceEpoch, countMax: countMax))
    }

    private func removed(by write: SealedWrite) async throws(StoreFailure) -> Int {
        guard case .removed(let count) = try await sealedWrites.ask(write).get() else {
            preconditionFailure("what is removed is not put")
        }
        return count
    }
}
