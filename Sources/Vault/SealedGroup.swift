/// What is counted together: the sealed texts of one purpose and one merchant, so that no merchant takes another's room.
public struct SealedGroup: Hashable, Sendable {
    /// What finds the group, 32 bytes, from which nobody can tell whose it is.
    public let name: [UInt8]
    /// How many items it has at most.
    public let countMax: Int
    /// Whether a full group lets the oldest item of revision 1 that expires go for a new one, before it refuses any.
    public let replacesUnused: Bool
    /// Whether its items go when orders do: each with the last order that holds it or, if none ever has, once it is as old as
    /// an order may become. Otherwise none goes for an order.
    public let followsOrders: Bool

    /// A group.
    public init(name: [UInt8], countMax: Int, replacesUnused: Bool = false, followsOrders: Bool = false) {
        precondition(name.count == 32 && countMax >= 0, "a name is an HMAC, and a count is none that is negative")
        self.name = name
        self.countMax = countMax
        self.replacesUnused = replacesUnused
        self.followsOrders = followsOrders
    }
}

/// A merchant's limit for sealed texts of one purpose.
public struct GroupLimit: Sendable {
    /// The maximum number of texts.
    public let countMax: Int
    /// Whether a full group removes its oldest unused text for a new one. See ``SealedGroup/replacesUnused``.
    public let replacesUnused: Bool
    /// Whether texts are removed together with orders. See ``SealedGroup/followsOrders``.
    public let followsOrders: Bool

    /// A limit.
    public init(countMax: Int, replacesUnused: Bool = false, followsOrders: Bool = false) {
        self.countMax = countMax
        self.replacesUnused = replacesUnused
        self.followsOrders = followsOrders
    }
}
