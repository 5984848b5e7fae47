/// The sealed records of one purpose and one merchant. They are counted together, so that no merchant uses up another's
/// quota.
public struct SealedGroup: Hashable, Sendable {
    /// The name by which the store finds the group: 32 bytes that don't reveal the merchant.
    public let name: [UInt8]
    /// The maximum number of items.
    public let countMax: Int
    /// Whether a full group removes its oldest item with revision 1 and an expiry for a new item. If there is none, or
    /// if this is false, the new item is refused.
    public let replacesUnused: Bool
    /// Whether items are removed together with orders: each with the last order that holds it or, if no order ever held
    /// it, at the maximum age of an order. If false, no item is removed because of an order.
    public let followsOrders: Bool

    /// Creates a group.
    public init(name: [UInt8], countMax: Int, replacesUnused: Bool = false, followsOrders: Bool = false) {
        precondition(name.count == 32 && countMax >= 0, "a name is an HMAC, and a count is none that is negative")
        self.name = name
        self.countMax = countMax
        self.replacesUnused = replacesUnused
        self.followsOrders = followsOrders
    }
}

/// A merchant's limit for sealed records of one purpose.
public struct GroupLimit: Sendable {
    /// The maximum number of records.
    public let countMax: Int
    /// Whether a full group removes its oldest unused record for a new one. See ``SealedGroup/replacesUnused``.
    public let replacesUnused: Bool
    /// Whether records are removed together with orders. See ``SealedGroup/followsOrders``.
    public let followsOrders: Bool

    /// Creates a limit.
    public init(countMax: Int, replacesUnused: Bool = false, followsOrders: Bool = false) {
        self.countMax = countMax
        self.replacesUnused = replacesUnused
        self.followsOrders = followsOrders
    }
}
