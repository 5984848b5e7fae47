/// A sealed item that orders hold: it is kept for as long as one of them is.
public enum HeldItem: Equatable, Sendable {
    /// One that is written with the order, of revision 1 and without an expiry. There must be none of its name yet.
    case new(SealedItem, in: SealedGroup)
    /// An item that must exist, of any revision. One that never expires is not held.
    case kept(name: [UInt8])

    /// What finds it, 32 bytes.
    public var name: [UInt8] {
        switch self {
        case .new(let item, _): item.name
        case .kept(let name): name
        }
    }
}
