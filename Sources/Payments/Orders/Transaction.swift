public import JSON
public import Values

/// An answered transaction with everything that its reply contains. Its record has no card data in plaintext.
///
/// Immutable, and a class because it has about forty string members that would otherwise be copied with it.
public final class Transaction: Equatable, Sendable {
    /// The transaction's identifier within the order.
    public let id: TransactionID
    /// The transaction type.
    public let type: TransactionType
    /// The requested amount; for a void, the amount that it reverses.
    public let amount: Amount
    /// The approved part of the amount, in minor units: less than the amount after a partial approval, 0 after a
    /// failure.
    public let approvedMinorUnits: Int64
    /// The transaction of the order that this one captures, refunds, updates or voids, whether the merchant named it or
    /// the gateway found it; nil for an order's first transaction and for a stand-alone refund.
    public let targetTransactionID: TransactionID?
    /// The outcome in brief.
    public let result: TransactionResult
    /// The outcome.
    public let gatewayCode: GatewayCode
    /// The recommended next action for the merchant.
    public let recommendation: GatewayRecommendation?
    /// The acquirer, and its answer.
    public let acquirer: AcquirerRecord
    /// The scheme's answer; absent if no acquirer answered.
    public let authorizationResponse: AuthorizationResponse?
    /// The gateway's own reference numbers.
    public let references: TransactionReferences
    /// The channel through which the payer placed the order.
    public let source: TransactionSource
    /// Whether the payer was authenticated.
    public let authenticationStatus: AuthenticationStatus?
    /// When the transaction was answered.
    public let timeOfRecord: Instant
    /// The card, masked.
    public let card: CardSummary
    /// The members of the request that replies echo, without card data.
    public let particulars: JSONValue
    /// The order's state right after this transaction.
    public let order: Order

    /// Creates a transaction from all its parts.
    public init(
        id: TransactionID, type: TransactionType, amount: Amount, approvedMinorUnits: Int64,
        targetTransactionID: TransactionID?, result: TransactionResult, gatewayCode: GatewayCode,
        recommendation: GatewayRecommendation?, acquirer: AcquirerRecord,
        authorizationResponse: AuthorizationResponse?, references: TransactionReferences, source: TransactionSource,
        authenticationStatus: AuthenticationStatus?, timeOfRecord: Instant, card: CardSummary,
        particulars: JSONValue, order: Order
    ) {
        precondition(amount.currency == order.currency, "a transaction is in its order's currency")
        precondition(targetTransactionID != nil || !type.needsTarget, "it builds on another transaction")
        precondition((0...amount.minorUnits).contains(approvedMinorUnits), "at most all of an amount is approved")
        self.id = id
        self.type = type
        self.amount = amount
        self.approvedMinorUnits = approvedMinorUnits
        self.targetTransactionID = targetTransactionID
        self.result = result
        self.gatewayCode = gatewayCode
        self.recommendation = recommendation
        self.acquirer = acquirer
        self.authorizationResponse = authorizationResponse
        self.references = references
        self.source = source
        self.authenticationStatus = authenticationStatus
        self.timeOfRecord = timeOfRecord
        self.card = card
        self.particulars = particulars
        self.order = order
    }

    /// The same transaction with another summary of its card and, unless nil, other particulars.
    func showing(_ card: CardSummary, particulars: JSONValue? = nil) -> Transaction {
        Transaction(
            id: id, type: type, amount: amount, approvedMinorUnits: approvedMinorUnits,
            targetTransactionID: targetTransactionID, result: result, gatewayCode: gatewayCode,
            recommendation: recommendation, acquirer: acquirer, authorizationResponse: authorizationResponse,
            references: references, source: source, authenticationStatus: authenticationStatus,
            timeOfRecord: timeOfRecord, card: card, particulars: particulars ?? self.particulars, order: order)
    }

    /// Compares all members.
    public static func == (one: Transaction, other: Transaction) -> Bool {
        (one.id, one.type, one.amount, one.approvedMinorUnits, one.targetTransactionID, one.result)
            == (other.id, other.type, other.amount, other.approvedMinorUnits, other.targetTransactionID, other.result)
            && (one.gatewayCode, one.recommendation, one.acquirer, one.authorizationResponse, one.references)
                == (
                    other.gatewayCode, other.recommendation, other.acquirer, other.authorizationResponse,
                    other.references
                )
            && (one.source, one.authenticationStatus, one.timeOfRecord, one.card, one.particulars, one.order)
                == (
                    other.source, other.authenticationStatus, other.timeOfRecord, other.card, other.particulars,
                    other.order
                )
    }
}

/// `transaction.acquirer` with `terminal`, and the acquirer's answer.
public struct AcquirerRecord: Equatable, Sendable {
    /// `acquirer.id`.
    public let id: String
    /// `acquirer.merchantId`: the merchant's identifier at the acquirer.
    public let merchantID: String
    /// `transaction.terminal`.
    public let terminal: String
    /// `order.merchantCategoryCode` (ISO 18245), four digits.
    public let merchantCategoryCode: String
    /// `acquirer.batch`: the settlement batch, `YYYYMMDD` as a number.
    public let batch: Int
    /// `acquirer.date`: `MMDD`.
    public let date: String
    /// `acquirer.transactionId`, nine digits; absent if no acquirer answered.
    public let transactionID: String?
    /// `response.acquirerCode`; absent if no acquirer answered.
    public let code: String?
    /// `response.acquirerMessage`.
    public let message: String?
    /// `response.cardSecurityCode`; absent if the issuer returned no verification.
    public let cardSecurityCode: CardSecurityCodeResult?
    /// `response.cardholderVerification.avs`; absent if the issuer returned no verification of the billing address.
    public let addressVerification: AddressVerificationResult?
    /// The acquirer's answer in codes of the transaction's API.
    public let apiCodes: JSONObject?

    /// Creates the record of an acquirer's part in a transaction.
    public init(
        id: String, merchantID: String, terminal: String, merchantCategoryCode: String, batch: Int, date: String,
        transactionID: String?, code: String?, message: String?, cardSecurityCode: CardSecurityCodeResult? = nil,
        addressVerification: AddressVerificationResult? = nil, apiCodes: JSONObject? = nil
    ) {
        self.id = id
        self.merchantID = merchantID
        self.terminal = terminal
        self.merchantCategoryCode = merchantCategoryCode
        self.batch = batch
        self.date = date
        self.transactionID = transactionID
        self.code = code
        self.message = message
        self.cardSecurityCode = cardSecurityCode
        self.addressVerification = addressVerification
        self.apiCodes = apiCodes
    }
}

/// `authorizationResponse`: the answer in the scheme's message.
public struct AuthorizationResponse: Equatable, Sendable {
    /// `responseCode`: the acquirer's code.
    public let responseCode: String
    /// `date`: `MMDD`.
    public let date: String
    /// `time`: `hhmmss`.
    public let time: String
    /// `stan`, without leading zeros.
    public let stan: String
    /// `transactionIdentifier`: the same as the acquirer's transaction id.
    public let transactionIdentifier: String
    /// The members that depend only on operation and scheme.
    public let constants: AuthorizationConstants

    /// An answer.
    public init(
        responseCode: String, date: String, time: String, stan: String, transactionIdentifier: String,
        constants: AuthorizationConstants
    ) {
        self.responseCode = responseCode
        self.date = date
        self.time = time
        self.stan = stan
        self.transactionIdentifier = transactionIdentifier
        self.constants = constants
    }
}

/// The gateway's reference numbers of a transaction.
public struct TransactionReferences: Equatable, Sendable {
    /// `transaction.stan`: the system trace audit number (ISO 8583 field 11), 1…999,999, written without leading zeros.
    public let systemTraceAuditNumber: Int
    /// `transaction.receipt`: 12 digits.
    public let receipt: String
    /// `transaction.authorizationCode`: six digits; absent unless the acquirer approved.
    public let authorizationCode: String?

    /// Creates references from numbers that were assigned before.
    public init(systemTraceAuditNumber: Int, receipt: String, authorizationCode: String?) {
        self.systemTraceAuditNumber = systemTraceAuditNumber
        self.receipt = receipt
        self.authorizationCode = authorizationCode
    }
}
