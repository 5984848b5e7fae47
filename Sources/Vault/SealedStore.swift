public import Values

/// A durable store of sealed records, such as sessions and card tokens.
///
/// One instance serves any number of concurrent callers. When `put` returns `written`, the item is on disk.
public protocol SealedStore: Sendable {
    /// The item with a name, even if it has expired; nil if there is none.
    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem?

    /// Writes an item. An item with revision 1 must not exist yet; any other must replace the preceding revision.
    ///
    /// Also removes at most 64 of the items that expired before `instant`, so that expired items don't accumulate in a
    /// busy store.
    ///
    /// - Parameter group: the group in which a new item counts while it is stored; nil for none. Items that were
    ///   written before groups existed count in none.
    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome

    /// Removes the item with a name. Returns false if there was none.
    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool

    /// Removes at most `countMax` items that expired before `instant`. Returns how many it removed.
    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int
}

/// A sealed record in its stored form.
public struct SealedItem: Equatable, Sendable {
    /// The maximum number of expired items that one `put` removes.
    public static let removedWithPutMax = 64

    /// The name by which the store finds the item: 32 bytes.
    public let name: [UInt8]
    /// The number of times that the item was written; 1 for a new item.
    public let revision: Int64
    /// The instant at which the item expires; nil if it is kept until it is removed.
    public let expiry: Instant?
    /// The sealed record.
    public let text: [UInt8]

    /// Creates an item.
    public init(name: [UInt8], revision: Int64, expiry: Instant?, text: [UInt8]) {
        precondition(name.count == 32 && revision >= 1, "a name is an HMAC, and a revision counts from 1")
        self.name = name
        self.revision = revision
        self.expiry = expiry
        self.text = text
    }
}

/// The outcome of writing an item. Only `written` changes the item.
public enum SealedOutcome: CaseIterable, Equatable, Sendable {
    /// The item was written durably.
    case written
    /// The stored item is not the preceding revision: it was changed, exists already, or doesn't exist.
    case moved
    /// The item's group has reached its maximum number of items.
    case full
}
