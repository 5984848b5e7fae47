public import ApplePay

/// Who moves the money.
public protocol Acquirer: Sendable {
    /// Answers a lawful command. The same command always has the same answer, and asking has no effect: a payment counts
    /// from its commit on, so a command may be asked that is never committed.
    func authorize(_ command: AcquirerCommand) -> AcquirerReply
}

/// What is passed on to an acquirer. It is the same whether the merchant or the gateway opened the token.
public struct AcquirerCommand: Equatable, Sendable {
    /// Whether to reserve the amount or to take it.
    public let operation: Authorize.Operation
    /// How much.
    public let amount: Amount
    /// The number on the card, or a device's.
    public let accountNumber: AccountNumber
    /// The expiry of that number.
    public let expiry: CardExpiry
    /// The name on the card, exactly as found.
    public let nameOnCard: SecretText?
    /// The card security code.
    public let securityCode: SecretText?
    /// What a device generated, exactly as found, if one paid: the cryptogram and its indicator, or EMV data.
    public let devicePayment: DevicePayment?

    /// The command that pays `amount` with `card`.
    public init(operation: Authorize.Operation, amount: Amount, card: Card) {
        self.operation = operation
        self.amount = amount
        accountNumber = card.accountNumber
        expiry = card.expiry
        nameOnCard = card.nameOnCard
        securityCode = card.securityCode
        devicePayment = card.devicePayment
    }

    /// The online payment cryptogram, base64, if the device's payment is of the 3-D Secure form.
    public var cryptogram: SecretText? {
        guard case .threeDSecure(let onlinePaymentCryptogram, _) = devicePayment else { return nil }
        return onlinePaymentCryptogram
    }

    /// The electronic commerce indicator, if there is one.
    public var eciIndicator: String? {
        guard case .threeDSecure(_, let eciIndicator) = devicePayment else { return nil }
        return eciIndicator
    }
}

/// What an acquirer answers.
public struct AcquirerReply: Equatable, Sendable {
    /// What became of the command.
    public let gatewayCode: GatewayCode
    /// The same in brief.
    public let result: TransactionResult
    /// Where the order stands after it.
    public let orderStatus: OrderStatus
    /// What was approved, in minor units: 0 unless the code is an approval, at most the amount.
    public let approvedMinorUnits: Int64
    /// What the merchant had best do next.
    public let recommendation: GatewayRecommendation?
    /// The acquirer's code; absent where it gave no answer.
    public let acquirerCode: String?
    /// The acquirer's words.
    public let acquirerMessage: String?
    /// Who acquired.
    public let identity: AcquirerIdentity
    /// The members of the scheme's message that depend on operation and scheme alone.
    public let constants: AuthorizationConstants
    /// The account that funds a device's payment, where the issuer gives it.
    public let fundingAccount: FundingAccount?

    /// An answer.
    public init(
        gatewayCode: GatewayCode, result: TransactionResult, orderStatus: OrderStatus, approvedMinorUnits: Int64,
        recommendation: GatewayRecommendation?, acquirerCode: String?, acquirerMessage: String?,
        identity: AcquirerIdentity, constants: AuthorizationConstants, fundingAccount: FundingAccount?
    ) {
        precondition((approvedMinorUnits > 0) == gatewayCode.isApproval, "an approval is of an amount")
        self.gatewayCode = gatewayCode
        self.result = result
        self.orderStatus = orderStatus
        self.approvedMinorUnits = approvedMinorUnits
        self.recommendation = recommendation
        self.acquirerCode = acquirerCode
        self.acquirerMessage = acquirerMessage
        self.identity = identity
        self.constants = constants
        self.fundingAccount = fundingAccount
    }
}

/// Who acquires for a merchant.
public struct AcquirerIdentity: Equatable, Sendable {
    /// `acquirer.id`.
    public let id: String
    /// `acquirer.merchantId`.
    public let merchantID: String
    /// `transaction.terminal`.
    public let terminal: String
    /// `order.merchantCategoryCode` (ISO 18245), four digits.
    public let merchantCategoryCode: String

    /// An acquirer.
    public init(id: String, merchantID: String, terminal: String, merchantCategoryCode: String) {
        self.id = id
        self.merchantID = merchantID
        self.terminal = terminal
        self.merchantCategoryCode = merchantCategoryCode
    }
}

/// The members of `authorizationResponse` that depend on operation and scheme alone.
public struct AuthorizationConstants: Equatable, Sendable {
    /// `posData`.
    public let posData: String
    /// `posEntryMode`.
    public let posEntryMode: String
    /// `processingCode`.
    public let processingCode: String
    /// What the scheme adds.
    public let scheme: SchemeConstants

    /// The constant part of an answer.
    public init(posData: String, posEntryMode: String, processingCode: String, scheme: SchemeConstants) {
        self.posData = posData
        self.posEntryMode = posEntryMode
        self.processingCode = processingCode
        self.scheme = scheme
    }
}

/// What a scheme adds to `authorizationResponse`; each has members of its own.
public struct SchemeConstants: Equatable, Sendable {
    /// `cardLevelIndicator`.
    public let cardLevelIndicator: String?
    /// `commercialCard`.
    public let commercialCard: String?
    /// `commercialCardIndicator`.
    public let commercialCardIndicator: String?
    /// `financialNetworkCode`.
    public let financialNetworkCode: String?
    /// `marketSpecificData`.
    public let marketSpecificData: String?
    /// `returnAci`.
    public let returnAci: String?
    /// `transactionIntegrityClass`.
    public let transactionIntegrityClass: String?
    /// `validationCode`.
    public let validationCode: String?

    /// A scheme's members; each is absent unless said.
    public init(
        cardLevelIndicator: String? = nil, commercialCard: String? = nil, commercialCardIndicator: String? = nil,
        financialNetworkCode: String? = nil, marketSpecificData: String? = nil, returnAci: String? = nil,
        transactionIntegrityClass: String? = nil, validationCode: String? = nil
    ) {
        self.cardLevelIndicator = cardLevelIndicator
        self.commercialCard = commercialCard
        self.commercialCardIndicator = commercialCardIndicator
        self.financialNetworkCode = financialNetworkCode
        self.marketSpecificData = marketSpecificData
        self.returnAci = returnAci
        self.transactionIntegrityClass = transactionIntegrityClass
        self.validationCode = validationCode
    }
}
