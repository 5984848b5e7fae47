public import ApplePay
public import Vault

/// Why a request was not carried out. A refused request leaves no trace: no transaction, no change of an order or token.
///
/// The cases stand in the order in which they take precedence, but for two: a store may fail at any step, and a token that paid
/// for another transaction is refused where ``cryptogramUsed`` stands, when the store is to credit it.
public enum Refusal: Error, Sendable {
    /// The transaction exists, and was asked for with other parameters.
    case parametersDiffer
    /// The merchant lacks a privilege that the operation needs on any order.
    case missingPrivilege(Privilege)
    /// The merchant has no Apple Pay keys with which to open a token.
    case applePayNotConfigured
    /// The request has no `order.reference`, of which the token's application data must be the hash.
    case orderReferenceMissing
    /// The request lacks the header field with the hash that the token's application data must be.
    case applicationDataHashMissing(header: String)
    /// The token was not opened; the report has the step that failed.
    case tokenRefused(TokenReport)
    /// There is no such order.
    case unknownOrder
    /// The order has no such transaction; only of a retrieval.
    case unknownTransaction
    /// The order has as many transactions as an order may have.
    case orderFull(transactionsMax: Int)
    /// What the request says doesn't fit into the order beside what earlier ones said.
    case orderParticularsFull(bytesMax: Int64)
    /// The merchant doesn't accept this currency.
    case currencyNotAccepted(Currency)
    /// The amount is zero.
    case amountNotPositive
    /// The order is past its authorization.
    case orderNotAwaitingAuthorization(OrderStatus)
    /// A source of funds was given with the refund of a payment, whose own source is the only one that may be refunded.
    case sourceOfFundsNotAllowed
    /// The order exists in another currency.
    case currencyDiffers(order: Currency)
    /// The order has no authorization that may be captured or updated.
    case noAuthorization(OrderStatus)
    /// The capture is more than what is authorized and not captured yet.
    case exceedsAuthorized(available: Amount)
    /// The new authorization is less than what is captured already.
    case lessThanCaptured(captured: Amount)
    /// The order has no capture or payment that may be refunded.
    case nothingToRefund(OrderStatus)
    /// The order has several captures that may be meant, and the request names none.
    case severalToRefund
    /// The order has no transaction of the name that is to be refunded.
    case unknownTarget(TransactionID)
    /// The transaction that is to be refunded is no capture or payment, was not approved, or was voided.
    case targetNotRefundable(TransactionType)
    /// The refund is more than what is captured and not refunded yet, for which the merchant lacks
    /// `Privilege.excessiveRefund`.
    case exceedsCaptured(available: Amount)
    /// With this refund the order's total would be more than an amount can be.
    case totalExceedsMaximum
    /// The order has no transaction of the name that is to be voided, or it is of no kind that can be voided, was not
    /// approved, or was voided before.
    case nothingToVoid
    /// The transaction that is to be voided has been captured or refunded since; those of this type go first.
    case voidedOutOfOrder(first: TransactionType)
    /// The cryptogram is that of a token which was used, or was sent for a transaction that may have moved money.
    case cryptogramUsed
    /// So many large orders of the merchant are being read and sent that another one must wait.
    case largeOrdersBusy
    /// Other transactions on the order kept getting in first.
    case orderBusy
    /// The store didn't answer; nothing is known to have been done.
    case storeUnavailable(StoreFailure)
}
