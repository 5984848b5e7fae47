internal import JSON

/// An acquirer that moves no money: its answer depends only on the command and on a table of amounts and cards.
public struct SimulatedAcquirer: SteerableAcquirer {
    private let table: SimulatorTable
    private let identity: AcquirerIdentity
    private let response: SimulatedResponse
    private let fundingAccounts: FundingAccounts
    private let apiCodes: (any SimulatedAPICodes)?

    /// Creates an acquirer that answers by `table`.
    ///
    /// - Parameter apiCodes: expresses the answers in an API's own codes; nil if no API has its own.
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

    /// The order amounts that have an outcome of their own, in ascending order.
    public var amounts: [(amount: ExactDecimal, gatewayCode: GatewayCode)] { table.amounts }

    /// Answers AUTHORIZE and PAY by card and amount, VERIFY by card, and approves all other operations: the table's
    /// amounts are order amounts, and Mastercard's page doesn't cover later operations.
    public func answer(_ command: AcquirerCommand) -> AcquirerReply {
        reply(to: command, command.operation.isPaidByPayer ? table.outcome(for: command.amount, command.card) : nil)
    }

    /// Answers a command with the outcome that has this code, regardless of the table's amounts and cards; without such
    /// an outcome, answers by the table.
    ///
    /// Only AUTHORIZE and PAY can be partially approved; PARTIALLY_APPROVED approves any other operation in full.
    public func answer(_ command: AcquirerCommand, with gatewayCode: GatewayCode) -> AcquirerReply {
        guard let outcome = table.outcome(of: gatewayCode) else { return answer(command) }
        return reply(to: command, outcome)
    }

    /// The reply for an outcome; without an outcome, a full approval.
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
        // The effects documented for payments also apply to operations that capture or refund money later.
        let effect = outcome.effect(of: authorizing ?? .pay)
        return AcquirerReply(
            gatewayCode: outcome.gatewayCode, result: outcome.result,
            orderStatusUnlessApproved: outcome.gatewayCode.isApproval ? .failed : effect.orderStatus,
            approvedMinorUnits: outcome.approvedMinorUnits(of: command.amount),
            recommendation: effect.recommendation, acquirerCode: outcome.acquirerCode,
            acquirerMessage: outcome.acquirerMessage, identity: identity, constants: constants(for: command),
            // Mastercard's page: "for a successful authorization".
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

/// The constant members of the simulated scheme's messages.
public struct SimulatedResponse: Equatable, Sendable {
    private let posDataOfAuthorize: String
    private let posDataOfPay: String
    private let posEntryMode: String
    private let processingCode: String
    private let schemes: [CardScheme: SchemeConstants]

    /// Creates the constant members; a scheme that isn't listed adds none.
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

    /// The members of the reply to an operation with a card of this scheme.
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
