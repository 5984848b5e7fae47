internal import Synchronization
public import Values

/// The merchants of an installation at one moment.
public struct Merchants: Sendable {
    private let merchants: [MerchantID: Merchant]
    /// The derivations of each enabled merchant that has derivations.
    public let derivations: [[PasswordDerivation]]
    private let named: [MerchantSectionName: Merchant]

    /// Creates a collection of merchants with unique identifiers.
    public init(_ merchants: [Merchant]) {
        self.merchants = Dictionary(uniqueKeysWithValues: merchants.map { ($0.id, $0) })
        derivations = merchants.filter(\.isEnabled).map(\.derivations).filter { !$0.isEmpty }
        named = Dictionary(
            merchants.flatMap { merchant in merchant.sections.map { (MerchantSectionName($0), merchant) } }
        ) { first, _ in first }
    }

    /// All merchants, in no particular order.
    public var list: [Merchant] { Array(merchants.values) }

    /// The merchant with this identifier; nil if there is none.
    public subscript(id: MerchantID) -> Merchant? { merchants[id] }

    /// The merchant whose section of this type has this name; nil if there is none.
    public func merchant(_ section: (some MerchantSection).Type, named name: String) -> Merchant? {
        named[MerchantSectionName(section, name)]
    }
}

/// The merchants of a running installation; all of them can be replaced at once. A request keeps the merchant object
/// that it looked up, so that one configuration applies to the whole request.
public final class MerchantDirectory: Sendable {
    private let current: Mutex<Merchants>

    /// Creates a directory of merchants with unique identifiers.
    public init(_ merchants: [Merchant]) { current = Mutex(Merchants(merchants)) }

    /// The current merchants.
    public var all: Merchants { current.withLock { $0 } }

    /// The current merchant with this identifier; nil if there is none.
    public subscript(id: MerchantID) -> Merchant? { all[id] }

    /// Replaces all merchants.
    public func replace(_ merchants: [Merchant]) {
        let merchants = Merchants(merchants)
        current.withLock { $0 = merchants }
    }
}
