public import ApplePay

/// A merchant: who may ask, and what may be asked for.
public struct Merchant: Sendable {
    /// The merchant's identifier.
    public let id: MerchantID
    /// The API passwords that are valid now; two while one replaces the other.
    public let passwords: [APIPassword]
    /// What opens the merchant's Apple Pay tokens; nothing if the merchant has no keys here.
    public let applePay: TokenOpener?
    /// The currencies that the merchant accepts; nothing means every one.
    public let currencies: Set<Currency>?

    /// What the merchant may ask for.
    public let privileges: Set<Privilege>

    /// A merchant.
    public init(
        id: MerchantID, passwords: [APIPassword], applePay: TokenOpener?, currencies: Set<Currency>? = nil,
        privileges: Set<Privilege> = .usual
    ) {
        self.id = id
        self.passwords = passwords
        self.applePay = applePay
        self.currencies = currencies
        self.privileges = privileges
    }

    /// Whether `password` is one of the merchant's. Every password is tried, so that the time doesn't tell which fits.
    public func accepts(_ password: SecretText) -> Bool {
        passwords.reduce(false) { accepted, candidate in candidate.matches(password) || accepted }
    }

    /// Whether the merchant accepts payments in `currency`.
    public func accepts(_ currency: Currency) -> Bool { currencies?.contains(currency) ?? true }
}

/// The merchants of an installation.
public struct MerchantDirectory: Sendable {
    private let merchants: [MerchantID: Merchant]

    /// A directory; an identifier may occur once only.
    public init(_ merchants: [Merchant]) {
        self.merchants = Dictionary(uniqueKeysWithValues: merchants.map { ($0.id, $0) })
    }

    /// The merchant of an identifier.
    public subscript(id: MerchantID) -> Merchant? { merchants[id] }
}
