/// What the simulated acquirer answers: by order amount, or for a plain card first of all by the card.
public struct SimulatorTable: Sendable {
    private let rows: [ExactDecimal: SimulatedOutcome]
    private let otherwise: SimulatedOutcome
    private let cards: SimulatedCards
    private let streets: [String: AddressVerificationResult]
    private let outcomes: [GatewayCode: SimulatedOutcome]

    /// A table.
    ///
    /// - Parameters:
    ///   - otherwise: answers every amount that has no row.
    ///   - cards: how plain cards steer.
    ///   - streets: the result for a billing address, by its street; in upper or lower case.
    ///   - further: outcomes that neither an amount nor a card decides, for requests that name one by its code.
    public init(
        rows: [ExactDecimal: SimulatedOutcome], otherwise: SimulatedOutcome, cards: SimulatedCards = SimulatedCards(),
        streets: [String: AddressVerificationResult] = [:], further: [SimulatedOutcome] = []
    ) {
        self.rows = rows
        self.otherwise = otherwise
        self.cards = cards
        self.streets = Dictionary(streets.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        // Of several with one code any would do, so long as it is always the same one.
        let ordered =
            [otherwise] + further + rows.sorted { $0.key.description < $1.key.description }.map(\.value)
            + cards.outcomes
        outcomes = Dictionary(ordered.map { ($0.gatewayCode, $0) }) { first, _ in first }
    }

    /// The amounts that have a row, the least first, each with its outcome's code.
    var amounts: [(amount: ExactDecimal, gatewayCode: GatewayCode)] {
        rows.map { (amount: $0.key, gatewayCode: $0.value.gatewayCode) }.sorted { $0.amount < $1.amount }
    }

    /// The codes of all outcomes.
    public var gatewayCodes: Set<GatewayCode> { Set(outcomes.keys) }

    /// The outcome of a code, if there is one.
    public func outcome(of gatewayCode: GatewayCode) -> SimulatedOutcome? { outcomes[gatewayCode] }

    /// The outcome for an amount that is paid with a card, if one is known. What a plain card's expiry fails has failed;
    /// the amounts, which Mastercard documents for devices, decide on the others, too, so that a test that steers by the
    /// amount may have any card that is good. Amounts are compared as numbers, whatever the decimals of their currency: 5656,
    /// 5656.0 and 5656.00 are one amount, and 56.56 is another.
    func outcome(for amount: Amount, _ card: Card?) -> SimulatedOutcome {
        let ofCard = card.flatMap(cards.outcome)
        if let ofCard, !ofCard.gatewayCode.isApproval { return ofCard }
        return rows[ExactDecimal(amount)] ?? ofCard ?? otherwise
    }

    /// The results for a card's security code.
    func cardSecurityCode(of card: Card?) -> CardSecurityCodeResult? { card.flatMap(cards.result) }

    /// The result for a card's security code, if it is one of the listed ones.
    func listedCardSecurityCode(of card: Card) -> CardSecurityCodeResult? { cards.listedResult(for: card) }

    /// Who issued a card.
    func issuer(of card: Card?) -> String? { card.flatMap(cards.issuer) }

    /// The result for the billing address of a payment or verification, with a plain card or a device's.
    func addressVerification(of command: AcquirerCommand) -> AddressVerificationResult? {
        command.operation.isPaidByPayer ? command.billingStreet.flatMap { streets[$0.lowercased()] } : nil
    }
}

/// One row: what becomes of an AUTHORIZE or PAY.
public struct SimulatedOutcome: Sendable {
    /// The outcome.
    public let gatewayCode: GatewayCode
    /// The same in brief.
    public let result: TransactionResult
    /// What the reply says after an AUTHORIZE.
    public let authorize: SimulatedEffect
    /// What the reply says after a PAY.
    public let pay: SimulatedEffect
    /// The acquirer's code, such as `00`; absent where it gave no answer.
    public let acquirerCode: String?
    /// The acquirer's words.
    public let acquirerMessage: String?
    /// The approved part in hundredths of a percent, 1…9999; only of PARTIALLY_APPROVED.
    public let approvedBasisPoints: Int?
    /// The same in codes of an API's own, which ``SimulatedAPICodes`` reads; nil if they follow from the gateway code.
    public let apiCodes: (any SimulatedRowCodes)?

    /// Why an outcome contradicts itself.
    public enum Malformed: Error, Equatable, Sendable {
        /// An approval must leave the order AUTHORIZED or, after a PAY, CAPTURED.
        case approvalWithStatus(OrderStatus, Authorize.Operation)
        /// What is no approval must leave the order FAILED or INITIATED.
        case failureWithStatus(OrderStatus, Authorize.Operation)
        /// The approved part must be given for PARTIALLY_APPROVED, 1…9999, and for nothing else.
        case approvedBasisPoints(Int?)
        /// A message without a code.
        case messageWithoutCode
    }

    /// A row that doesn't contradict itself.
    public init(
        gatewayCode: GatewayCode, result: TransactionResult, authorize: SimulatedEffect, pay: SimulatedEffect,
        acquirerCode: String?, acquirerMessage: String?, approvedBasisPoints: Int? = nil,
        apiCodes: (any SimulatedRowCodes)? = nil
    ) throws(Malformed) {
        for (operation, status, approved) in [
            (Authorize.Operation.authorize, authorize.orderStatus, OrderStatus.authorized),
            (.pay, pay.orderStatus, .captured),
        ] {
            if gatewayCode.isApproval {
                guard status == approved else { throw .approvalWithStatus(status, operation) }
            } else {
                guard status == .failed || status == .initiated else { throw .failureWithStatus(status, operation) }
            }
        }
        let isPartial = gatewayCode == .partiallyApproved
        guard isPartial == (approvedBasisPoints != nil), approvedBasisPoints.map((1...9999).contains) ?? true else {
            throw .approvedBasisPoints(approvedBasisPoints)
        }
        guard acquirerCode != nil || acquirerMessage == nil else { throw .messageWithoutCode }
        self.gatewayCode = gatewayCode
        self.result = result
        self.authorize = authorize
        self.pay = pay
        self.acquirerCode = acquirerCode
        self.acquirerMessage = acquirerMessage
        self.approvedBasisPoints = approvedBasisPoints
        self.apiCodes = apiCodes
    }

    /// What the reply says after `operation`.
    public func effect(of operation: Authorize.Operation) -> SimulatedEffect {
        switch operation {
        case .authorize: authorize
        case .pay: pay
        }
    }

    /// What is approved of an amount, in minor units: a part is rounded down to a minor unit, and is never nothing.
    public func approvedMinorUnits(of amount: Amount) -> Int64 {
        guard gatewayCode.isApproval else { return 0 }
        guard let share = approvedBasisPoints.map(Int64.init) else { return amount.minorUnits }
        // Split, so that the product stays within 64 bits.
        let (tenThousands, rest) = amount.minorUnits.quotientAndRemainder(dividingBy: 10_000)
        return max(1, tenThousands * share + rest * share / 10_000)
    }
}

/// The part of an outcome that differs between AUTHORIZE and PAY.
public struct SimulatedEffect: Equatable, Sendable {
    /// Where the order stands after it.
    public let orderStatus: OrderStatus
    /// What the merchant had best do next.
    public let recommendation: GatewayRecommendation?

    /// An effect.
    public init(orderStatus: OrderStatus, recommendation: GatewayRecommendation?) {
        self.orderStatus = orderStatus
        self.recommendation = recommendation
    }
}
