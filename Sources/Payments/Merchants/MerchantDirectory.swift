internal import Synchronization
public import Values

/// The merchants of an installation at one moment.
public struct Merchants: Sendable {
    private let merchants: [MerchantID: Merchant]
    /// The derivations of each enabled merchant that has any.
    public let derivations: [[PasswordDerivation]]
    private let radialStores: [String: Merchant]

    /// All merchants; an identifier may occur once only.
    public init(_ merchants: [Merchant]) {
        self.merchants = Dictionary(uniqueKeysWithValues: merchants.map { ($0.id, $0) })
        derivations = merchants.filter(\.isEnabled).map(\.derivations).filter { !$0.isEmpty }
        radialStores = Dictionary(
            merchants.compactMap { merchant in merchant.radial.map { ($0.id, merchant) } }
        ) { first, _ in first }
    }

    /// All of them, in no order.
    public var list: [Merchant] { Array(merchants.values) }

    /// The merchant of an identifier.
    public subscript(id: MerchantID) -> Merchant? { merchants[id] }

    /// The merchant of a store id of Radial's API.
    public func merchant(ofRadialStore id: String) -> Merchant? { radialStores[id] }
}

/// The merchants of a running installation, who may be replaced all at once. A request keeps the merchant that it found,
/// so that a request is judged by one configuration from beginning to end.
public final class MerchantDirectory: Sendable {
    private let current: Mutex<Merchants>

    /// A directory; an identifier may occur once only.
    public init(_ merchants: [Merchant]) { current = Mutex(Merchants(merchants)) }

    /// The merchants as they are now.
    public var all: Merchants { current.withLock { $0 } }

    /// The merchant of an identifier as it is now.
    public subscript(id: MerchantID) -> Merchant? { all[id] }

    /// Puts others in the place of all merchants.
    public func replace(_ merchants: [Merchant]) {
        let merchants = Merchants(merchants)
        current.withLock { $0 = merchants }
    }
}
