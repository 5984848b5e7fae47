public import Values

/// Where sealed texts are kept, durably: what sessions and tokens hold.
///
/// One instance serves any number of concurrent callers. What `put` has answered with `written` is on disk.
public protocol SealedStore: Sendable {
    /// The item of a name, whether it has expired or not.
    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem?

    /// Writes an item of revision 1 if there is none of its name, any other one in place of the revision before it.
    ///
    /// Removes some of the items that expired before `instant`, at most 64, so that a busy store never grows for them.
    ///
    /// - Parameter group: what a new item counts in for as long as it is kept; nil if it counts nowhere. Items that were
    ///   written before groups were kept count in none.
    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome

    /// Removes the item of a name; false if there was none.
    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool

    /// Removes items that expired before `instant`, at most `countMax`, and returns how many.
    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int
}

/// A sealed text as it is kept.
public struct SealedItem: Equatable, Sendable {
    /// How many expired items go with one that is written.
    public static let removedWithPutMax = 64

    /// What finds it, 32 bytes.
    public let name: [UInt8]
    /// How often it was written, 1 when it is new.
    public let revision: Int64
    /// When it expires; nil if it stays until it is removed.
    public let expiry: Instant?
    /// The sealed text.
    public let text: [UInt8]

    /// An item.
    public init(name: [UInt8], revision: Int64, expiry: Instant?, text: [UInt8]) {
        precondition(name.count == 32 && revision >= 1, "a name is an HMAC, and a revision counts from 1")
        self.name = name
        self.revision = revision
        self.expiry = expiry
        self.text = text
    }
}

/// The outcome of writing an item. All but `written` had no effect on it.
public enum SealedOutcome: CaseIterable, Equatable, Sendable {
    /// It is durable.
    case written
    /// The item that was kept has another revision than the one before, or exists, or doesn't.
    case moved
    /// Its group has as many items as it may have.
    case full
}
