internal import ApplePay

/// How plain cards steer the simulated acquirer: by their expiry and by their card security code. A device's card never does.
public struct SimulatedCards: Equatable, Sendable {
    private let expiries: [CardExpiry: SimulatedOutcome]
    private let securityCodes: [String: CardSecurityCodeResult]

    /// Cards that steer.
    ///
    /// - Parameters:
    ///   - expiries: what an expiry decides.
    ///   - securityCodes: what is said of a security code, of three digits or, for American Express, four.
    public init(
        expiries: [CardExpiry: SimulatedOutcome] = [:], securityCodes: [String: CardSecurityCodeResult] = [:]
    ) {
        self.expiries = expiries
        self.securityCodes = securityCodes
    }

    /// The outcomes that expiries decide.
    var outcomes: some Sequence<SimulatedOutcome> { expiries.values }

    /// The outcome that a card decides, if it is a plain one with one of the expiries.
    func outcome(for card: Card) -> SimulatedOutcome? {
        card.devicePayment == nil ? expiries[card.expiry] : nil
    }

    /// What is said of a card's security code, if it is a plain one with one of the codes.
    func result(for card: Card) -> CardSecurityCodeResult? {
        guard card.devicePayment == nil, let code = card.securityCode else { return nil }
        return securityCodes.first { SecretText($0.key) == code }?.value
    }
}
