/// A sealed item that an order holds. An item is kept for as long as an order holds it.
public enum HeldItem: Equatable, Sendable {
    /// An item that is written together with the order, with revision 1 and no expiry. No item of this name may exist
    /// yet.
    case new(SealedItem, in: SealedGroup)
    /// An item that must exist, with any revision. An item that never expires is not held.
    case kept(name: [UInt8])

    /// The item's name, by which the store finds it: 32 bytes.
    public var name: [UInt8] {
        switch self {
        case .new(let item, _): item.name
        case .kept(let name): name
        }
    }
}
