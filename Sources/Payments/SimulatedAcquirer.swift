/// An acquirer that moves no money: a pure function of the command, by a table of amounts.
public struct SimulatedAcquirer: Acquirer {
    private let table: SimulatorTable
    private let identity: AcquirerIdentity
    private let response: SimulatedResponse
    private let fundingAccounts: FundingAccounts

    /// An acquirer that answers by `table`.
    public init(
        table: SimulatorTable, identity: AcquirerIdentity, response: SimulatedResponse,
        fundingAccounts: FundingAccounts
    ) {
        self.table = table
        self.identity = identity
        self.response = response
        self.fundingAccounts = fundingAccounts
    }

    /// Answers AUTHORIZE and PAY by the command's amount, and approves all else: the amounts of the table are order
    /// amounts, and Mastercard's page says nothing of later operations.
    public func answer(_ command: AcquirerCommand) -> AcquirerReply {
        guard let operation = Authorize.Operation(rawValue: command.operation.rawValue) else {
            return AcquirerReply(
                gatewayCode: .approved, result: .success, approvedMinorUnits: command.amount.minorUnits,
                recommendation: nil, acquirerCode: "00", acquirerMessage: "Approved", identity: identity,
                constants: constants(for: command), fundingAccount: fundingAccount(of: command))
        }
        let outcome = table.outcome(for: command.amount)
        let effect = outcome.effect(of: operation)
        return AcquirerReply(
            gatewayCode: outcome.gatewayCode, result: outcome.result,
            orderStatusUnlessApproved: outcome.gatewayCode.isApproval ? .failed : effect.orderStatus,
            approvedMinorUnits: outcome.approvedMinorUnits(of: command.amount),
            recommendation: effect.recommendation, acquirerCode: outcome.acquirerCode,
            acquirerMessage: outcome.acquirerMessage, identity: identity, constants: constants(for: command),
            fundingAccount: fundingAccount(of: command))
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
