public import ApplePay
public import Vault

/// The reason why a request was not performed. A refused request changes nothing: no transaction, order or token.
///
/// The cases are in order of precedence, with two exceptions: a store may fail at any step, and a token that paid for
/// another transaction is refused at the place of ``cryptogramUsed``, when the store is asked to credit it.
public enum Refusal: Error, Sendable {
    /// The transaction exists, and its request had other parameters.
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
    /// The order has no such transaction; only for retrievals.
    case unknownTransaction
    /// The order has its maximum number of transactions.
    case orderFull(transactionsMax: Int)
    /// The request's fields exceed the order's maximum size together with those of earlier requests.
    case orderParticularsFull(bytesMax: Int64)
    /// The merchant doesn't accept this currency.
    case currencyNotAccepted(Currency)
    /// The amount is zero.
    case amountNotPositive
    /// The order is past its authorization.
    case orderNotAwaitingAuthorization(OrderStatus)
    /// The refund of a payment names a source of funds; only the payment's own source may be refunded.
    case sourceOfFundsNotAllowed
    /// The order exists in another currency.
    case currencyDiffers(order: Currency)
    /// The order has no authorization that may be captured or updated.
    case noAuthorization(OrderStatus)
    /// The capture exceeds the authorized amount that has not been captured.
    case exceedsAuthorized(available: Amount)
    /// The new authorized amount is less than the captured amount.
    case lessThanCaptured(captured: Amount)
    /// The order has no capture or payment that may be refunded.
    case nothingToRefund(OrderStatus)
    /// The order has several captures that may be refunded, and the request names none.
    case severalToRefund
    /// The order has no transaction with the identifier of the refund's target.
    case unknownTarget(TransactionID)
    /// The refund's target is not a capture or payment, was not approved, or was voided.
    case targetNotRefundable(TransactionType)
    /// The refund exceeds the captured amount that has not been refunded, and the merchant lacks
    /// `Privilege.excessiveRefund`.
    case exceedsCaptured(available: Amount)
    /// The order's total refunded amount would exceed the maximum of an amount.
    case totalExceedsMaximum
    /// The order has no transaction with the identifier of the void's target; or the target's type can't be voided,
    /// it was not approved, or it was voided before.
    case nothingToVoid
    /// The void's target has been captured or refunded since; transactions of this type must be voided first.
    case voidedOutOfOrder(first: TransactionType)
    /// The cryptogram is from a token that was used, or was sent for another transaction that may have moved money.
    case cryptogramUsed
    /// The merchant has its maximum number of large orders being read and sent.
    case largeOrdersBusy
    /// Other transactions on the order were committed first, at every retry.
    case orderBusy
    /// The store didn't answer; whether the transaction was committed is unknown.
    case storeUnavailable(StoreFailure)
}
