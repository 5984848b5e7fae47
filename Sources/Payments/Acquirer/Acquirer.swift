public import JSON

/// The party that moves the money.
public protocol Acquirer: Sendable {
    /// Answers a valid command, which may take long. Called once for each transaction's command; the answer is kept
    /// until the transaction is committed or finally refused.
    func answer(_ command: AcquirerCommand) async -> AcquirerReply

    /// Reports the result of an answered command: its transaction was committed, or nothing was done.
    func conclude(_ command: AcquirerCommand, isCommitted: Bool)
}

extension Acquirer {
    /// Does nothing; for an acquirer that keeps no state about its answers.
    public func conclude(_: AcquirerCommand, isCommitted _: Bool) {}
}

/// An acquirer whose answer can be chosen by the caller.
public protocol SteerableAcquirer: Acquirer {
    /// The codes of all outcomes that the acquirer supports.
    var gatewayCodes: Set<GatewayCode> { get }

    /// The order amounts that have an outcome of their own, in ascending order.
    var amounts: [(amount: ExactDecimal, gatewayCode: GatewayCode)] { get }

    /// Answers a valid command with the outcome of this code; answers as usual if the acquirer doesn't support the
    /// code.
    func answer(_ command: AcquirerCommand, with gatewayCode: GatewayCode) async -> AcquirerReply
}

/// The command that is passed to an acquirer. It is the same whether the merchant or the gateway decrypted the token.
public struct AcquirerCommand: Equatable, Sendable {
    /// The operation.
    public let operation: PaymentOperation
    /// The merchant and its order.
    public let order: OrderKey
    /// The transaction's identifier within the order.
    public let transaction: TransactionID
    /// The transaction to capture, refund, update or void; nil for any other operation.
    public let target: TransactionID?
    /// The amount; 0 for VERIFY.
    public let amount: Amount
    /// The card's brand; the only known property of the card if `card` is absent.
    public let brand: CardBrand
    /// The card of AUTHORIZE, PAY, VERIFY and a stand-alone REFUND.
    public let card: Card?
    /// The last four digits of the account number that pays or paid (with a device, of the device's account number); nil
    /// if they are not known.
    public let lastFour: String?
    /// The API through which the request came.
    public let api: APIName
    /// The street of the billing address in the request, if it has one.
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

    /// The transaction's key, unique in the installation.
    public var key: TransactionKey { TransactionKey(order: order, transaction: transaction) }
}

/// An acquirer's answer.
public struct AcquirerReply: Equatable, Sendable {
    /// The outcome of the command.
    public let gatewayCode: GatewayCode
    /// The outcome in brief.
    public let result: TransactionResult
    /// The order's status after an AUTHORIZE, PAY, VERIFY or stand-alone REFUND that was not approved: FAILED or
    /// INITIATED. In all other cases the status follows from the order's totals.
    public let orderStatusUnlessApproved: OrderStatus
    /// The approved amount in minor units: 0 unless the code is an approval, at most the command's amount.
    public let approvedMinorUnits: Int64
    /// The recommended next action for the merchant.
    public let recommendation: GatewayRecommendation?
    /// The acquirer's code; absent if it gave no answer.
    public let acquirerCode: String?
    /// The acquirer's message.
    public let acquirerMessage: String?
    /// The acquirer and its merchant account.
    public let identity: AcquirerIdentity
    /// The members of the scheme's message that depend only on operation and scheme.
    public let constants: AuthorizationConstants
    /// The account that funds a device's payment, if the issuer returns it.
    public let fundingAccount: FundingAccount?
    /// The issuer's verification of the card security code, if it returns one.
    public let cardSecurityCode: CardSecurityCodeResult?
    /// The issuer's verification of the billing address, if it returns one.
    public let addressVerification: AddressVerificationResult?
    /// The issuer of a plain card, if it is known.
    public let issuer: String?
    /// The outcome in codes of the command's API, if the acquirer has any. They are stored with the transaction for
    /// that API.
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

/// The acquirer of a merchant, and the merchant's account there.
public struct AcquirerIdentity: Equatable, Sendable {
    /// `acquirer.id`.
    public let id: String
    /// `acquirer.merchantId`.
    public let merchantID: String
    /// `transaction.terminal`.
    public let terminal: String
    /// `order.merchantCategoryCode` (ISO 18245), four digits.
    public let merchantCategoryCode: String

    /// Creates an identity.
    public init(id: String, merchantID: String, terminal: String, merchantCategoryCode: String) {
        self.id = id
        self.merchantID = merchantID
        self.terminal = terminal
        self.merchantCategoryCode = merchantCategoryCode
    }
}

/// The members of `authorizationResponse` that depend only on operation and scheme.
public struct AuthorizationConstants: Equatable, Sendable {
    /// `posData`.
    public let posData: String
    /// `posEntryMode`.
    public let posEntryMode: String
    /// `processingCode`.
    public let processingCode: String
    /// The members that the scheme adds.
    public let scheme: SchemeConstants

    /// The constant part of an answer.
    public init(posData: String, posEntryMode: String, processingCode: String, scheme: SchemeConstants) {
        self.posData = posData
        self.posEntryMode = posEntryMode
        self.processingCode = processingCode
        self.scheme = scheme
    }
}

/// The members that a scheme adds to `authorizationResponse`; they differ between schemes.
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

    /// A scheme's members; all are absent by default.
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
