/// The simulated acquirer's answers by order amount and, with precedence, by plain card.
public struct SimulatorTable: Sendable {
    private let rows: [ExactDecimal: SimulatedOutcome]
    private let otherwise: SimulatedOutcome
    private let cards: SimulatedCards
    private let streets: [String: AddressVerificationResult]
    private let outcomes: [GatewayCode: SimulatedOutcome]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - rows: the outcome for each order amount.
    ///   - otherwise: the outcome for amounts without a row.
    ///   - cards: the rules for plain cards.
    ///   - streets: the verification result for each street of a billing address, compared case-insensitively.
    ///   - further: outcomes that neither an amount nor a card leads to, for requests that select an outcome by its
    ///     code.
    public init(
        rows: [ExactDecimal: SimulatedOutcome], otherwise: SimulatedOutcome, cards: SimulatedCards = SimulatedCards(),
        streets: [String: AddressVerificationResult] = [:], further: [SimulatedOutcome] = []
    ) {
        self.rows = rows
        self.otherwise = otherwise
        self.cards = cards
        self.streets = Dictionary(streets.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        // Of several outcomes with the same code any would do, as long as the choice is deterministic.
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

    /// The outcome with a code; nil if there is none.
    public func outcome(of gatewayCode: GatewayCode) -> SimulatedOutcome? { outcomes[gatewayCode] }

    /// The outcome for an amount and, if known, the card that pays it. If a plain card's expiry leads to a failure,
    /// that is the outcome. Otherwise the amount decides, although Mastercard documents the amounts only for devices'
    /// cards; thus tests can choose an outcome by amount with any valid card. Amounts are compared as numbers,
    /// regardless of their currencies' decimals: 5656, 5656.0 and 5656.00 are equal, 56.56 is another amount.
    func outcome(for amount: Amount, _ card: Card?) -> SimulatedOutcome {
        let ofCard = card.flatMap(cards.outcome)
        if let ofCard, !ofCard.gatewayCode.isApproval { return ofCard }
        return rows[ExactDecimal(amount)] ?? ofCard ?? otherwise
    }

    /// The result for a card's security code; nil if the table has none for it.
    func cardSecurityCode(of card: Card?) -> CardSecurityCodeResult? { card.flatMap(cards.result) }

    /// The result for a card's security code; nil unless the table lists the code.
    func listedCardSecurityCode(of card: Card) -> CardSecurityCodeResult? { cards.listedResult(for: card) }

    /// The issuer of a card; nil unless the table lists it.
    func issuer(of card: Card?) -> String? { card.flatMap(cards.issuer) }

    /// The verification result for the billing address of an AUTHORIZE, PAY or VERIFY, with a plain card or a device's.
    func addressVerification(of command: AcquirerCommand) -> AddressVerificationResult? {
        command.operation.isPaidByPayer ? command.billingStreet.flatMap { streets[$0.lowercased()] } : nil
    }
}

/// One row: the outcome of an AUTHORIZE or PAY.
public struct SimulatedOutcome: Sendable {
    /// The outcome.
    public let gatewayCode: GatewayCode
    /// The outcome in brief.
    public let result: TransactionResult
    /// The effect after an AUTHORIZE.
    public let authorize: SimulatedEffect
    /// The effect after a PAY.
    public let pay: SimulatedEffect
    /// The acquirer's code, such as `00`; nil where the acquirer gave no answer.
    public let acquirerCode: String?
    /// The acquirer's message.
    public let acquirerMessage: String?
    /// The approved part in hundredths of a percent, 1…9999; only for PARTIALLY_APPROVED.
    public let approvedBasisPoints: Int?
    /// The outcome in an API's own codes, for ``SimulatedAPICodes``; nil if those codes follow from the gateway code.
    public let apiCodes: (any SimulatedRowCodes)?

    /// Why a row is inconsistent.
    public enum Malformed: Error, Equatable, Sendable {
        /// An approval must leave the order AUTHORIZED or, after a PAY, CAPTURED.
        case approvalWithStatus(OrderStatus, Authorize.Operation)
        /// An outcome other than an approval must leave the order FAILED or INITIATED.
        case failureWithStatus(OrderStatus, Authorize.Operation)
        /// PARTIALLY_APPROVED must have an approved part of 1…9999; no other code may have one.
        case approvedBasisPoints(Int?)
        /// A message was given without a code.
        case messageWithoutCode
    }

    /// Creates a row; throws if it is inconsistent.
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

    /// The effect after `operation`.
    public func effect(of operation: Authorize.Operation) -> SimulatedEffect {
        switch operation {
        case .authorize: authorize
        case .pay: pay
        }
    }

    /// The approved part of an amount, in minor units: rounded down, but at least 1. 0 unless the outcome is an
    /// approval.
    public func approvedMinorUnits(of amount: Amount) -> Int64 {
        guard gatewayCode.isApproval else { return 0 }
        guard let share = approvedBasisPoints.map(Int64.init) else { return amount.minorUnits }
        // Splits the multiplication so that it doesn't overflow 64 bits.
        let (tenThousands, rest) = amount.minorUnits.quotientAndRemainder(dividingBy: 10_000)
        return max(1, tenThousands * share + rest * share / 10_000)
    }
}

/// The part of an outcome that differs between AUTHORIZE and PAY.
public struct SimulatedEffect: Equatable, Sendable {
    /// The order's status after the operation.
    public let orderStatus: OrderStatus
    /// The recommended next action for the merchant.
    public let recommendation: GatewayRecommendation?

    /// An effect.
    public init(orderStatus: OrderStatus, recommendation: GatewayRecommendation?) {
        self.orderStatus = orderStatus
        self.recommendation = recommendation
    }
}
