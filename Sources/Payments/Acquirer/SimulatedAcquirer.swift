internal import JSON

/// An acquirer that moves no money: a pure function of the command, by a table of amounts and cards.
public struct SimulatedAcquirer: SteerableAcquirer {
    private let table: SimulatorTable
    private let identity: AcquirerIdentity
    private let response: SimulatedResponse
    private let fundingAccounts: FundingAccounts
    private let apiCodes: (any SimulatedAPICodes)?

    /// An acquirer that answers by `table`.
    ///
    /// - Parameter apiCodes: says the answers in the codes of an API that has its own; nil if none has.
    public init(
        table: SimulatorTable, identity: AcquirerIdentity, response: SimulatedResponse,
        fundingAccounts: FundingAccounts, apiCodes: (any SimulatedAPICodes)? = nil
    ) {
        self.table = table
        self.identity = identity
        self.response = response
        self.fundingAccounts = fundingAccounts
        self.apiCodes = apiCodes
    }

    /// The codes of all outcomes that the acquirer can answer.
    public var gatewayCodes: Set<GatewayCode> { table.gatewayCodes }

    /// The order amounts that have an outcome of their own, the least first.
    public var amounts: [(amount: ExactDecimal, gatewayCode: GatewayCode)] { table.amounts }

    /// Answers AUTHORIZE and PAY by the card and the amount, VERIFY by the card, and approves all else: the amounts of the
    /// table are order amounts, and Mastercard's page says nothing of later operations.
    public func answer(_ command: AcquirerCommand) -> AcquirerReply {
        reply(to: command, command.operation.isPaidByPayer ? table.outcome(for: command.amount, command.card) : nil)
    }

    /// Answers a command with the outcome of a code, whatever the table says of it; by the table if no outcome has the code.
    ///
    /// Only AUTHORIZE and PAY can be approved in part: for all else PARTIALLY_APPROVED is an approval.
    public func answer(_ command: AcquirerCommand, with gatewayCode: GatewayCode) -> AcquirerReply {
        guard let outcome = table.outcome(of: gatewayCode) else { return answer(command) }
        return reply(to: command, outcome)
    }

    /// The reply with an outcome, or a plain approval without one.
    private func reply(to command: AcquirerCommand, _ outcome: SimulatedOutcome?) -> AcquirerReply {
        let authorizing = Authorize.Operation(rawValue: command.operation.rawValue)
        let outcome = authorizing == nil && outcome?.gatewayCode.isApproval == true ? nil : outcome
        guard let outcome else {
            return AcquirerReply(
                gatewayCode: .approved, result: .success, approvedMinorUnits: command.amount.minorUnits,
                recommendation: nil, acquirerCode: "00", acquirerMessage: "Approved", identity: identity,
                constants: constants(for: command), fundingAccount: fundingAccount(of: command),
                cardSecurityCode: table.cardSecurityCode(of: command.card),
                addressVerification: table.addressVerification(of: command), issuer: table.issuer(of: command.card),
                apiCodes: apiCodes(of: .approved, row: nil, for: command))
        }
        // What is documented for taking money goes for the operations that take or give it later.
        let effect = outcome.effect(of: authorizing ?? .pay)
        return AcquirerReply(
            gatewayCode: outcome.gatewayCode, result: outcome.result,
            orderStatusUnlessApproved: outcome.gatewayCode.isApproval ? .failed : effect.orderStatus,
            approvedMinorUnits: outcome.approvedMinorUnits(of: command.amount),
            recommendation: effect.recommendation, acquirerCode: outcome.acquirerCode,
            acquirerMessage: outcome.acquirerMessage, identity: identity, constants: constants(for: command),
            // Mastercard's page has it "for a successful authorization".
            fundingAccount: outcome.gatewayCode.isApproval ? fundingAccount(of: command) : nil,
            cardSecurityCode: table.cardSecurityCode(of: command.card),
            addressVerification: table.addressVerification(of: command), issuer: table.issuer(of: command.card),
            apiCodes: apiCodes(of: outcome.gatewayCode, row: outcome.apiCodes, for: command))
    }

    private func apiCodes(
        of outcome: GatewayCode, row: (any SimulatedRowCodes)?, for command: AcquirerCommand
    ) -> JSONObject? {
        apiCodes?.codes(
            of: outcome, row: row, for: command,
            securityCode: command.card.flatMap { table.listedCardSecurityCode(of: $0) })
    }

    private func constants(for command: AcquirerCommand) -> AuthorizationConstants {
        response.constants(of: command.operation, command.brand.scheme)
    }

    private func fundingAccount(of command: AcquirerCommand) -> FundingAccount? {
        guard let card = command.card, card.devicePayment != nil else { return nil }
        return fundingAccounts.account(for: card.accountNumber)
    }
}

/// What the simulated scheme's message always says.
public struct SimulatedResponse: Equatable, Sendable {
    private let posDataOfAuthorize: String
    private let posDataOfPay: String
    private let posEntryMode: String
    private let processingCode: String
    private let schemes: [CardScheme: SchemeConstants]

    /// The constant members; a scheme that isn't listed adds none.
    public init(
        posDataOfAuthorize: String, posDataOfPay: String, posEntryMode: String, processingCode: String,
        schemes: [CardScheme: SchemeConstants]
    ) {
        self.posDataOfAuthorize = posDataOfAuthorize
        self.posDataOfPay = posDataOfPay
        self.posEntryMode = posEntryMode
        self.processingCode = processingCode
        self.schemes = schemes
    }

    /// The members after an operation on a card of a scheme.
    public func constants(of operation: PaymentOperation, _ scheme: CardScheme) -> AuthorizationConstants {
        let posData =
            switch operation {
            case .authorize, .updateAuthorization, .verify: posDataOfAuthorize
            case .capture, .pay, .refund, .void: posDataOfPay
            }
        return AuthorizationConstants(
            posData: posData, posEntryMode: posEntryMode, processingCode: processingCode,
            scheme: schemes[scheme] ?? SchemeConstants())
    }
}
