internal import Synchronization
public import Values

/// The merchants of an installation at one moment.
public struct Merchants: Sendable {
    private let merchants: [MerchantID: Merchant]
    /// The derivations of each enabled merchant that has any.
    public let derivations: [[PasswordDerivation]]
    private let named: [MerchantSectionName: Merchant]

    /// All merchants; an identifier may occur once only.
    public init(_ merchants: [Merchant]) {
        self.merchants = Dictionary(uniqueKeysWithValues: merchants.map { ($0.id, $0) })
        derivations = merchants.filter(\.isEnabled).map(\.derivations).filter { !$0.isEmpty }
        named = Dictionary(
            merchants.flatMap { merchant in merchant.sections.map { (MerchantSectionName($0), merchant) } }
        ) { first, _ in first }
    }

    /// All of them, in no order.
    public var list: [Merchant] { Array(merchants.values) }

    /// The merchant of an identifier.
    public subscript(id: MerchantID) -> Merchant? { merchants[id] }

    /// The merchant whose section of a type has a name.
    public func merchant(_ section: (some MerchantSection).Type, named name: String) -> Merchant? {
        named[MerchantSectionName(section, name)]
    }
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
