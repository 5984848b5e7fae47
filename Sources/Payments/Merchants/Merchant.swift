public import ApplePay
public import Values

/// A merchant: its credentials, and the operations that it may perform.
///
/// Immutable, and a class because every request passes it on several times on every core.
public final class Merchant: Sendable {
    /// The maximum number of API passwords of a merchant.
    public static let passwordsMax = 2

    /// The merchant's identifier.
    public let id: MerchantID
    /// The API passwords that are valid now; two during a password change.
    public let passwords: [APIPassword]
    /// Decrypts the merchant's Apple Pay tokens; nil if the merchant has no keys here.
    public let applePay: TokenOpener?
    /// How strictly the merchant's tokens must match its orders.
    public let tokenMatching: TokenMatching
    /// The currencies that the merchant accepts; nil accepts every currency.
    public let currencies: Set<Currency>?
    /// The merchant's privileges.
    public let privileges: Set<Privilege>
    /// Whether the merchant may use the gateway at all.
    public let isEnabled: Bool
    /// The maximum number of requests that the merchant may send per second, over all APIs; nil means no limit.
    public let requestsPerSecondMax: Int?
    /// The SHA-256 fingerprints of the client certificates that identify the merchant, 32 bytes each.
    public let certificateFingerprints: [[UInt8]]
    /// The merchant's settings for single APIs, at most one section of each type.
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

    /// The derivations that may be needed to check whether a password is the merchant's.
    public var derivations: [PasswordDerivation] { passwords.compactMap(\.derivation) }

    /// Whether a verified client certificate with this SHA-256 fingerprint is one of the merchant's.
    public func isIdentified(by certificateFingerprint: [UInt8]) -> Bool {
        certificateFingerprints.contains(certificateFingerprint)
    }

    /// The merchant's settings for one API; nil if the merchant may not use that API.
    public func section<Section: MerchantSection>(_: Section.Type) -> Section? {
        for section in sections {
            if let section = section as? Section { return section }
        }
        return nil
    }

    /// Whether the merchant accepts payments in `currency`.
    public func accepts(_ currency: Currency) -> Bool { currencies?.contains(currency) ?? true }
}
