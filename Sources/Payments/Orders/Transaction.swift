public import JSON
public import Values

/// A transaction that was answered: everything that its reply says. Its record is free of card data in clear.
///
/// It never changes, and is passed on by reference: some forty texts hang from it.
public final class Transaction: Equatable, Sendable {
    /// Its identifier within the order.
    public let id: TransactionID
    /// What was done.
    public let type: TransactionType
    /// What was asked for; of a void, what it undoes.
    public let amount: Amount
    /// What was approved of it, in minor units: less than the amount after a partial approval, 0 after a failure.
    public let approvedMinorUnits: Int64
    /// The transaction of the order that it captures, refunds, updates or voids, whether the merchant named it or the
    /// gateway found it; nil for an order's first and for a stand-alone refund.
    public let targetTransactionID: TransactionID?
    /// The outcome in brief.
    public let result: TransactionResult
    /// The outcome.
    public let gatewayCode: GatewayCode
    /// What the merchant had best do next.
    public let recommendation: GatewayRecommendation?
    /// Who acquired it, and what the acquirer said.
    public let acquirer: AcquirerRecord
    /// The scheme's answer; absent where no acquirer answered.
    public let authorizationResponse: AuthorizationResponse?
    /// The gateway's own references.
    public let references: TransactionReferences
    /// The channel by which the payer gave the order.
    public let source: TransactionSource
    /// Whether the payer was authenticated.
    public let authenticationStatus: AuthenticationStatus?
    /// When it was answered.
    public let timeOfRecord: Instant
    /// The card, masked.
    public let card: CardSummary
    /// The request's members that replies echo, without card data.
    public let particulars: JSONValue
    /// The order as it stood right after this transaction.
    public let order: Order

    /// A transaction from all that it consists of.
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

    /// The same transaction with a card that shows more or less, and with other particulars if there are any.
    func showing(_ card: CardSummary, particulars: JSONValue? = nil) -> Transaction {
        Transaction(
            id: id, type: type, amount: amount, approvedMinorUnits: approvedMinorUnits,
            targetTransactionID: targetTransactionID, result: result, gatewayCode: gatewayCode,
            recommendation: recommendation, acquirer: acquirer, authorizationResponse: authorizationResponse,
            references: references, source: source, authenticationStatus: authenticationStatus,
            timeOfRecord: timeOfRecord, card: card, particulars: particulars ?? self.particulars, order: order)
    }

    /// Whether all is the same that is said of two transactions.
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

/// `transaction.acquirer` with `terminal`, and what the acquirer said.
public struct AcquirerRecord: Equatable, Sendable {
    /// `acquirer.id`.
    public let id: String
    /// `acquirer.merchantId`: the merchant's name with the acquirer.
    public let merchantID: String
    /// `transaction.terminal`.
    public let terminal: String
    /// `order.merchantCategoryCode` (ISO 18245), four digits.
    public let merchantCategoryCode: String
    /// `acquirer.batch`: the settlement batch, `YYYYMMDD` as a number.
    public let batch: Int
    /// `acquirer.date`: `MMDD`.
    public let date: String
    /// `acquirer.transactionId`, nine digits; absent where no acquirer answered.
    public let transactionID: String?
    /// `response.acquirerCode`; absent where no acquirer answered.
    public let code: String?
    /// `response.acquirerMessage`.
    public let message: String?
    /// `response.cardSecurityCode`, if anything was said of it.
    public let cardSecurityCode: CardSecurityCodeResult?
    /// `response.cardholderVerification.avs`, if anything was said of the billing address.
    public let addressVerification: AddressVerificationResult?
    /// What it said in codes that only the transaction's API has.
    public let apiCodes: JSONObject?

    /// A record of an acquirer's part in a transaction.
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

/// `authorizationResponse`: the answer as the scheme's message carried it.
public struct AuthorizationResponse: Equatable, Sendable {
    /// `responseCode`, the acquirer's.
    public let responseCode: String
    /// `date`: `MMDD`.
    public let date: String
    /// `time`: `hhmmss`.
    public let time: String
    /// `stan`, without leading zeros.
    public let stan: String
    /// `transactionIdentifier`, the same as the acquirer's transaction id.
    public let transactionIdentifier: String
    /// The members that only depend on operation and scheme.
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

/// The gateway's references of a transaction.
public struct TransactionReferences: Equatable, Sendable {
    /// `transaction.stan`: the system trace audit number (ISO 8583 field 11), 1…999,999, written without leading zeros.
    public let systemTraceAuditNumber: Int
    /// `transaction.receipt`: 12 digits.
    public let receipt: String
    /// `transaction.authorizationCode`: six digits; absent unless the acquirer approved.
    public let authorizationCode: String?

    /// References that were given out before.
    public init(systemTraceAuditNumber: Int, receipt: String, authorizationCode: String?) {
        self.systemTraceAuditNumber = systemTraceAuditNumber
        self.receipt = receipt
        self.authorizationCode = authorizationCode
    }
}
