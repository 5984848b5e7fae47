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

    /// Answers by the command's amount.
    public func authorize(_ command: AcquirerCommand) -> AcquirerReply {
        let outcome = table.outcome(for: command.amount)
        let effect = outcome.effect(of: command.operation)
        let brand = CardBrand(command.accountNumber)
        return AcquirerReply(
            gatewayCode: outcome.gatewayCode, result: outcome.result, orderStatus: effect.orderStatus,
            approvedMinorUnits: outcome.approvedMinorUnits(of: command.amount),
            recommendation: effect.recommendation, acquirerCode: outcome.acquirerCode,
            acquirerMessage: outcome.acquirerMessage, identity: identity,
            constants: response.constants(of: command.operation, brand.scheme),
            fundingAccount: command.devicePayment == nil ? nil : fundingAccounts.account(for: command.accountNumber))
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
    public func constants(of operation: Authorize.Operation, _ scheme: CardScheme) -> AuthorizationConstants {
        let posData =
            switch operation {
            case .authorize: posDataOfAuthorize
            case .pay: posDataOfPay
            }
        return AuthorizationConstants(
            posData: posData, posEntryMode: posEntryMode, processingCode: processingCode,
            scheme: schemes[scheme] ?? SchemeConstants())
    }
}
