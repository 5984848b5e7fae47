public import Payments
import Values

/// The simulated acquirer as the repository ships it, built by hand.
public enum TestSimulator {
    /// The seven amounts of Mastercard's page on Apple Pay.
    public static func table() throws -> SimulatorTable {
        var rows: [ExactDecimal: SimulatedOutcome] = [:]
        for (amount, outcome) in try outcomes() {
            guard let amount = ExactDecimal(amount) else { throw NotAnAmount() }
            rows[amount] = outcome
        }
        return SimulatorTable(rows: rows, otherwise: try outcome(.approved), cards: try cards())
    }

    /// Three expiries and three security codes of those that Mastercard documents for plain cards.
    private static func cards() throws -> SimulatedCards {
        guard let approved = CardExpiry(month: 1, year: 39), let declined = CardExpiry(month: 5, year: 39),
            let unknown = CardExpiry(month: 5, year: 37)
        else { throw NotAnAmount() }
        return SimulatedCards(
            expiries: [
                approved: try outcome(.approved), declined: try outcome(.declined), unknown: try outcome(.unknown),
            ],
            securityCodes: [
                "100": CardSecurityCodeResult(gatewayCode: .match, acquirerCode: "M"),
                "102": CardSecurityCodeResult(gatewayCode: .noMatch, acquirerCode: "N"),
                "1010": CardSecurityCodeResult(gatewayCode: .notProcessed, acquirerCode: "P"),
            ])
    }

    /// An acquirer with that table, or another one.
    public static func acquirer(
        table: SimulatorTable? = nil, mapsFundingAccounts: Bool = true, apiCodes: (any SimulatedAPICodes)? = nil
    ) throws -> SimulatedAcquirer {
        SimulatedAcquirer(
            table: try table ?? Self.table(),
            identity: AcquirerIdentity(
                id: "SYSTEST_ACQ_S2I", merchantID: "12345678", terminal: "1111", merchantCategoryCode: "1234"),
            response: SimulatedResponse(
                posDataOfAuthorize: "1025104006600", posDataOfPay: "1025100006600", posEntryMode: "812",
                processingCode: "003000",
                schemes: [
                    .mastercard: SchemeConstants(
                        commercialCard: "123", commercialCardIndicator: "1", financialNetworkCode: "MCC",
                        transactionIntegrityClass: "A1"),
                    .visa: SchemeConstants(
                        cardLevelIndicator: "88", commercialCard: "888", commercialCardIndicator: "3",
                        marketSpecificData: "8", returnAci: "8", validationCode: "6789"),
                ]),
            fundingAccounts: try fundingAccounts(mapsFundingAccounts), apiCodes: apiCodes)
    }

    /// An acquirer that answers every amount alike.
    public static func acquirer(
        always gatewayCode: GatewayCode, apiCodes: (any SimulatedAPICodes)? = nil
    ) throws -> SimulatedAcquirer {
        try acquirer(table: SimulatorTable(rows: [:], otherwise: outcome(gatewayCode)), apiCodes: apiCodes)
    }

    /// The outcome of a gateway code.
    public static func outcome(_ gatewayCode: GatewayCode) throws -> SimulatedOutcome {
        if let row = try outcomes().first(where: { $0.outcome.gatewayCode == gatewayCode }) { return row.outcome }
        return try failure(gatewayCode, .failure, .doNotProceed)
    }

    /// The rows lack an amount.
    public struct NotAnAmount: Error {}

    private static func outcomes() throws -> [(amount: String, outcome: SimulatedOutcome)] {
        [
            (
                "5656",
                try SimulatedOutcome(
                    gatewayCode: .approved, result: .success,
                    authorize: SimulatedEffect(orderStatus: .authorized, recommendation: .proceed),
                    pay: SimulatedEffect(orderStatus: .captured, recommendation: .noAction),
                    acquirerCode: "00", acquirerMessage: "Approved")
            ),
            (
                "5757",
                try failure(
                    .declined, .failure, .resubmitWithAlternativePaymentDetails, acquirerCode: "05", "Do not honour")
            ),
            ("5858", try failure(.timedOut, .failure, .checkTransactionStatusLater)),
            ("5959", try failure(.unspecifiedFailure, .failure, .contactPaymentProvider)),
            (
                "6161",
                try SimulatedOutcome(
                    gatewayCode: .partiallyApproved, result: .success,
                    authorize: SimulatedEffect(orderStatus: .authorized, recommendation: .proceed),
                    pay: SimulatedEffect(orderStatus: .captured, recommendation: .noAction),
                    acquirerCode: "10", acquirerMessage: "Partial approval", approvedBasisPoints: 5000)
            ),
            ("6262", try failure(.systemError, .failure, .resubmitLater)),
            ("6363", try failure(.unknown, .unknown, .checkTransactionStatusLater)),
        ]
    }

    private static func failure(
        _ gatewayCode: GatewayCode, _ result: TransactionResult, _ recommendation: GatewayRecommendation,
        acquirerCode: String? = nil, _ acquirerMessage: String? = nil
    ) throws -> SimulatedOutcome {
        let effect = SimulatedEffect(orderStatus: .failed, recommendation: recommendation)
        return try SimulatedOutcome(
            gatewayCode: gatewayCode, result: result, authorize: effect, pay: effect, acquirerCode: acquirerCode,
            acquirerMessage: acquirerMessage)
    }

    private static func fundingAccounts(_ areMapped: Bool) throws -> FundingAccounts {
        guard let expiry = CardExpiry(month: 11, year: 27) else { throw NotAnAmount() }
        let numbers: [CardBrand: [String]] = [
            .mastercard: ["5123450000000008", "2223000000000007", "5111111111111118", "2223000000000023"],
            .visa: ["4508750015741019", "4012000033330026"],
            .amex: ["371881634498004", "371881127160004", "371881245560002", "371881911767006"],
        ]
        return FundingAccounts(
            numbers: areMapped ? try numbers.mapValues { try $0.map(AccountNumber.init(_:)) } : [:], expiry: expiry)
    }
}
