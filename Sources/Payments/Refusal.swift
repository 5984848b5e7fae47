public import ApplePay

/// Why a request was not carried out. A refused request leaves no trace: no transaction, no change of an order or token.
///
/// The cases stand in the order in which they take precedence.
public enum Refusal: Error, Sendable {
    /// The transaction exists, and was asked for with other parameters.
    case parametersDiffer
    /// The merchant has no Apple Pay keys with which to open a token.
    case applePayNotConfigured
    /// The token was not opened; the report has the step that failed.
    case tokenRefused(TokenReport)
    /// The merchant doesn't accept this currency.
    case currencyNotAccepted(Currency)
    /// The amount is zero.
    case amountNotPositive
    /// The order is past its authorization.
    case orderNotAwaitingAuthorization(OrderStatus)
    /// The order exists in another currency.
    case currencyDiffers(order: Currency)
    /// The token paid for another transaction, or may have.
    case tokenAlreadyCredited
    /// The token was presented for another order before.
    case tokenPresentedForAnotherOrder
    /// Other transactions on the order kept getting in first.
    case orderBusy
    /// There is no such order.
    case unknownOrder
    /// The order has no such transaction.
    case unknownTransaction
    /// The store didn't answer; nothing is known to have been done.
    case storeUnavailable(StoreFailure)
}
