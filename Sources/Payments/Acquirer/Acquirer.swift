public import JSON

/// Who moves the money.
public protocol Acquirer: Sendable {
    /// Answers a lawful command, which may take long. A transaction's command is asked once, and its answer is kept until the
    /// transaction is committed or refused after all.
    func answer(_ command: AcquirerCommand) async -> AcquirerReply

    /// Records the outcome of a command that it has answered: its transaction was committed, or nothing was done.
    func conclude(_ command: AcquirerCommand, isCommitted: Bool)
}

extension Acquirer {
    /// Does nothing: for an acquirer that keeps nothing of what it has answered.
    public func conclude(_: AcquirerCommand, isCommitted _: Bool) {}
}

/// An acquirer that can be told what to answer.
public protocol SteerableAcquirer: Acquirer {
    /// The codes of all outcomes that it knows.
    var gatewayCodes: Set<GatewayCode> { get }

    /// The order amounts that have an outcome of their own, in ascending order.
    var amounts: [(amount: ExactDecimal, gatewayCode: GatewayCode)] { get }

    /// Answers a lawful command with the outcome of a code; as without one if it doesn't know this code.
    func answer(_ command: AcquirerCommand, with gatewayCode: GatewayCode) async -> AcquirerReply
}

/// What is passed on to an acquirer. It is the same whether the merchant or the gateway opened the token.
public struct AcquirerCommand: Equatable, Sendable {
    /// What to do.
    public let operation: PaymentOperation
    /// The merchant and its order.
    public let order: OrderKey
    /// The transaction's name within the order.
    public let transaction: TransactionID
    /// The transaction that is captured, refunded, updated or voided.
    public let target: TransactionID?
    /// How much; 0 for VERIFY.
    public let amount: Amount
    /// The card's brand; the only thing that is known of it when `card` is absent.
    public let brand: CardBrand
    /// The card of AUTHORIZE, PAY, VERIFY and a stand-alone REFUND.
    public let card: Card?
    /// The last four digits of the account number that pays or paid, a device's own if a device does; nil if they are not
    /// known.
    public let lastFour: String?
    /// By whose API the request came.
    public let api: APIName
    /// The street of the billing address that came with the card.
    public let billingStreet: String?

    /// A command.
    public init(
        operation: PaymentOperation, order: OrderKey, transaction: TransactionID, target: TransactionID? = nil,
        amount: Amount, brand: CardBrand, card: Card?, lastFour: String? = nil, billingStreet: String? = nil,
        api: APIName = .mastercard
    ) {
        self.operation = operation
        self.order = order
        self.transaction = transaction
        self.target = target
        self.amount = amount
        self.brand = brand
        self.card = card
        self.lastFour = lastFour
        self.api = api
        self.billingStreet = billingStreet
    }

    /// The transaction among all of the installation.
    public var key: TransactionKey { TransactionKey(order: order, transaction: transaction) }
}

/// What an acquirer answers.
public struct AcquirerReply: Equatable, Sendable {
    /// The outcome of the command.
    public let gatewayCode: GatewayCode
    /// The same in brief.
    public let result: TransactionResult
    /// Where AUTHORIZE, PAY, VERIFY or a stand-alone REFUND without approval leaves its order: FAILED or INITIATED. All
    /// other statuses follow from the order's totals.
    public let orderStatusUnlessApproved: OrderStatus
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
    /// The members of the scheme's message that only depend on operation and scheme.
    public let constants: AuthorizationConstants
    /// The account that funds a device's payment, where the issuer gives it.
    public let fundingAccount: FundingAccount?
    /// What the issuer makes of the card security code, if it says anything.
    public let cardSecurityCode: CardSecurityCodeResult?
    /// What the issuer makes of the billing address, if it says anything.
    public let addressVerification: AddressVerificationResult?
    /// Who issued a plain card, if it is known.
    public let issuer: String?
    /// The same in codes that only the command's API has, if the acquirer gives any. They are kept with the transaction for
    /// that API to read.
    public let apiCodes: JSONObject?

    /// An answer.
    public init(
        gatewayCode: GatewayCode, result: TransactionResult, orderStatusUnlessApproved: OrderStatus = .failed,
        approvedMinorUnits: Int64, recommendation: GatewayRecommendation?, acquirerCode: String?,
        acquirerMessage: String?, identity: AcquirerIdentity, constants: AuthorizationConstants,
        fundingAccount: FundingAccount?, cardSecurityCode: CardSecurityCodeResult? = nil,
        addressVerification: AddressVerificationResult? = nil, issuer: String? = nil, apiCodes: JSONObject? = nil
    ) {
        precondition(gatewayCode.isApproval || approvedMinorUnits == 0, "an approval is of an amount")
        precondition(
            orderStatusUnlessApproved == .failed || orderStatusUnlessApproved == .initiated,
            "what was not approved may be tried again")
        self.gatewayCode = gatewayCode
        self.result = result
        self.orderStatusUnlessApproved = orderStatusUnlessApproved
        self.approvedMinorUnits = approvedMinorUnits
        self.recommendation = recommendation
        self.acquirerCode = acquirerCode
        self.acquirerMessage = acquirerMessage
        self.identity = identity
        self.constants = constants
        self.fundingAccount = fundingAccount
        self.cardSecurityCode = cardSecurityCode
        self.addressVerification = addressVerification
        self.issuer = issuer
        self.apiCodes = apiCodes
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

/// The members of `authorizationResponse` that only depend on operation and scheme.
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
