public import ApplePay
public import Values

/// A merchant: who may ask, and what may be asked for.
///
/// It never changes, and is passed on by reference, as every request does several times on every core.
public final class Merchant: Sendable {
    /// How many API passwords a merchant has at most.
    public static let passwordsMax = 2

    /// The merchant's identifier.
    public let id: MerchantID
    /// The API passwords that are valid now; two while one replaces the other.
    public let passwords: [APIPassword]
    /// What opens the merchant's Apple Pay tokens; nil if the merchant has no keys here.
    public let applePay: TokenOpener?
    /// How strictly those tokens must match the merchant's orders.
    public let tokenMatching: TokenMatching
    /// The currencies that the merchant accepts; nil means every one.
    public let currencies: Set<Currency>?
    /// What the merchant may ask for.
    public let privileges: Set<Privilege>
    /// Whether the merchant is let in at all.
    public let isEnabled: Bool
    /// How many requests the merchant may send in a second, over all APIs; nil means any number.
    public let requestsPerSecondMax: Int?
    /// The SHA-256 of each client certificate by which the merchant is known, 32 bytes each.
    public let certificateFingerprints: [[UInt8]]
    /// What single APIs know of the merchant, at most one section of a type.
    public let sections: [any MerchantSection]

    /// A merchant.
    public init(
        id: MerchantID, passwords: [APIPassword], applePay: TokenOpener?,
        tokenMatching: TokenMatching = TokenMatching(), currencies: Set<Currency>? = nil,
        privileges: Set<Privilege> = .usual, isEnabled: Bool = true, certificateFingerprints: [[UInt8]] = [],
        sections: [any MerchantSection] = [], requestsPerSecondMax: Int? = nil
    ) {
        precondition(requestsPerSecondMax.map { $0 >= 1 } ?? true, "who may send nothing is disabled")
        self.id = id
        self.passwords = passwords
        self.applePay = applePay
        self.tokenMatching = tokenMatching
        self.currencies = currencies
        self.privileges = privileges
        self.isEnabled = isEnabled
        self.certificateFingerprints = certificateFingerprints
        self.sections = sections
        self.requestsPerSecondMax = requestsPerSecondMax
    }

    /// The derivations that may have to be made to know whether a password is the merchant's.
    public var derivations: [PasswordDerivation] { passwords.compactMap(\.derivation) }

    /// Whether a verified client certificate of this SHA-256 is one of the merchant's.
    public func isIdentified(by certificateFingerprint: [UInt8]) -> Bool {
        certificateFingerprints.contains(certificateFingerprint)
    }

    /// What one API alone knows of the merchant; nil if that API is not open to the merchant.
    public func section<Section: MerchantSection>(_: Section.Type) -> Section? {
        for section in sections {
            if let section = section as? Section { return section }
        }
        return nil
    }

    /// Whether the merchant accepts payments in `currency`.
    public func accepts(_ currency: Currency) -> Bool { currencies?.contains(currency) ?? true }
}
