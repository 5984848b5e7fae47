internal import Values

/// How plain cards determine the simulated acquirer's answer: by their expiry, security code and issuer. A device's
/// card has no such influence.
public struct SimulatedCards: Sendable {
    private let expiries: [CardExpiry: SimulatedOutcome]
    private let securityCodes: [String: CardSecurityCodeResult]
    private let otherSecurityCodes: CardSecurityCodeResult?
    private let issuers: [String: String]

    /// Creates the rules for plain cards.
    ///
    /// - Parameters:
    ///   - expiries: the outcome for each expiry.
    ///   - securityCodes: the result for each security code of three digits or, for American Express, four.
    ///   - otherSecurityCodes: the result for all other security codes; nil for no result.
    ///   - issuers: the issuer for each prefix of a card number; the longest matching prefix counts.
    public init(
        expiries: [CardExpiry: SimulatedOutcome] = [:], securityCodes: [String: CardSecurityCodeResult] = [:],
        otherSecurityCodes: CardSecurityCodeResult? = nil, issuers: [String: String] = [:]
    ) {
        self.expiries = expiries
        self.securityCodes = securityCodes
        self.otherSecurityCodes = otherSecurityCodes
        self.issuers = issuers
    }

    /// The outcomes of all expiries.
    var outcomes: some Sequence<SimulatedOutcome> { expiries.values }

    /// The outcome for a plain card with one of the expiries; nil for any other card.
    func outcome(for card: Card) -> SimulatedOutcome? {
        card.devicePayment == nil ? expiries[card.expiry] : nil
    }

    /// The result for a plain card's security code; nil if the card has none.
    func result(for card: Card) -> CardSecurityCodeResult? {
        guard card.devicePayment == nil, card.securityCode != nil else { return nil }
        return listedResult(for: card) ?? otherSecurityCodes
    }

    /// The result for a plain card's security code; nil unless the code is listed.
    func listedResult(for card: Card) -> CardSecurityCodeResult? {
        guard card.devicePayment == nil, let code = card.securityCode else { return nil }
        return securityCodes.first { SecretText($0.key) == code }?.value
    }

    /// The issuer of a plain card; nil unless it is listed.
    func issuer(of card: Card) -> String? {
        guard card.devicePayment == nil else { return nil }
        let number = card.accountNumber.issuerIdentificationNumber
        return (0...number.count).reversed().lazy.compactMap { issuers[String(number.prefix($0))] }.first
    }
}
