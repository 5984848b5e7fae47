internal import Values

/// How plain cards steer the simulated acquirer: by their expiry, by their card security code and by their issuer. A device's
/// card never does.
public struct SimulatedCards: Sendable {
    private let expiries: [CardExpiry: SimulatedOutcome]
    private let securityCodes: [String: CardSecurityCodeResult]
    private let otherSecurityCodes: CardSecurityCodeResult?
    private let issuers: [String: String]

    /// Cards that steer.
    ///
    /// - Parameters:
    ///   - expiries: what an expiry decides.
    ///   - securityCodes: the result for a security code of three digits or, for American Express, four.
    ///   - otherSecurityCodes: the result for all other security codes, if any.
    ///   - issuers: who issued a card, by what its number begins with; the longest beginning counts.
    public init(
        expiries: [CardExpiry: SimulatedOutcome] = [:], securityCodes: [String: CardSecurityCodeResult] = [:],
        otherSecurityCodes: CardSecurityCodeResult? = nil, issuers: [String: String] = [:]
    ) {
        self.expiries = expiries
        self.securityCodes = securityCodes
        self.otherSecurityCodes = otherSecurityCodes
        self.issuers = issuers
    }

    /// The outcomes that expiries decide.
    var outcomes: some Sequence<SimulatedOutcome> { expiries.values }

    /// The outcome that a card decides, if it is a plain one with one of the expiries.
    func outcome(for card: Card) -> SimulatedOutcome? {
        card.devicePayment == nil ? expiries[card.expiry] : nil
    }

    /// The result for a plain card's security code, if it has one.
    func result(for card: Card) -> CardSecurityCodeResult? {
        guard card.devicePayment == nil, card.securityCode != nil else { return nil }
        return listedResult(for: card) ?? otherSecurityCodes
    }

    /// The result for a plain card's security code, if it is one of the listed ones.
    func listedResult(for card: Card) -> CardSecurityCodeResult? {
        guard card.devicePayment == nil, let code = card.securityCode else { return nil }
        return securityCodes.first { SecretText($0.key) == code }?.value
    }

    /// Who issued a card, if it is a plain one of an issuer that is listed.
    func issuer(of card: Card) -> String? {
        guard card.devicePayment == nil else { return nil }
        let number = card.accountNumber.issuerIdentificationNumber
        return (0...number.count).reversed().lazy.compactMap { issuers[String(number.prefix($0))] }.first
    }
}
