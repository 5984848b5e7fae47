import JSON
import Payments
import TestSupport

/// The refusals of orders.
extension RefusalRow {
    private static let name = "apiOperation"
    private static let target = "transaction.targetTransactionId"

    static let unknownOrder = RefusalRow("The merchant has no such order", .plain, "Unable to find order") {
        $0.facts.insert(.isUnknown)
    }
    static let unknownTransaction = RefusalRow(
        "The order has no such transaction", .plain, "Unable to find transaction"
    ) {
        $0.transaction = "unknown"
    }
    static let orderFull = RefusalRow(
        "The order has as many transactions as it may have", .plain, "An order has at most"
    ) {
        $0.facts.insert(.exists)
        $0.storeFaults.insert(.isFull)
    }
    static let particularsFull = RefusalRow(
        "The order has no room for the request's details", .invalid("order.id"), "bytes of JSON are kept"
    ) {
        $0.facts.insert(.exists)
        $0.storeFaults.insert(.isFullOfParticulars)
    }
    static func amountZero(_ group: String) -> RefusalRow {
        invalid("`\(group).amount` is zero", group + ".amount", "0.00", "must be greater than zero")
    }
    /// The refusals of an amount by itself.
    static let orderAmount = [
        missing("order.amount"),
        RefusalRow(
            "`order.netAmount` and the charge are more than an amount can be", .invalid("order.netAmount"),
            "out of range", about: "order.amount"
        ) {
            $0.change("order.amount", nil)
            $0.change("order.netAmount", "1000000000000")
            $0.change("order.merchantCharge.amount", "1.00")
        },
    ]
    static func currencyDiffers(_ group: String) -> RefusalRow {
        RefusalRow(
            "The order has another currency than `\(group).currency`", .invalid(group + ".currency"),
            "The currency of the order is", about: group + ".currency"
        ) {
            $0.facts.insert(.exists)
            $0.change(group + ".currency", "EUR")
        }
    }
    static func currencyNotAccepted(_ group: String) -> RefusalRow {
        RefusalRow(
            "The merchant doesn't accept the currency", .invalid(group + ".currency"), "No valid Merchant Acquirer"
        ) { $0.currencies = [.jpy] }
    }
    static let notAwaiting = RefusalRow(
        "The order is past its authorization", .invalid(name), "The order is already"
    ) { $0.facts.insert(.isAuthorized) }
    static let sourceNotAllowed = RefusalRow(
        "The order has payments, whose own source is the only one that may be refunded", .invalid("sourceOfFunds"),
        "Only a refund under an order without payments"
    ) { $0.facts.insert(.isAuthorized) }

    // MARK: Operations that build on transactions

    static let noAuthorization = RefusalRow(
        "The order has no authorization to capture or update", .invalid(name), "has no authorization"
    ) { $0.facts.insert(.isPaid) }
    static let exceedsAuthorized = invalid(
        "The capture is more than what is authorized and not captured", "transaction.amount", "31.00",
        "exceeds outstanding authorized amount")
    static let lessThanCaptured = RefusalRow(
        "The new authorization is less than what is captured", .invalid("transaction.amount"),
        "must not be more than the authorized one", about: "transaction.amount"
    ) {
        $0.facts.insert(.isCaptured)
        $0.change("transaction.amount", "5.00")
    }
    static let nothingToRefund = RefusalRow(
        "The order has no capture or payment to refund", .invalid(name), "There is no transaction to refund.",
        about: "number of captures"
    ) { $0.facts.insert(.isAuthorized) }
    static let severalToRefund = RefusalRow(
        "Several captures can be meant, and none is named", .invalid(name), "more than one transaction to refund",
        about: "number of captures"
    ) { $0.facts.insert(.isCapturedTwice) }
    static let unknownTarget = invalid(
        "The order has no transaction `targetTransactionId`", target, "unknown", "no such transaction to refund")
    static let targetNotRefundable = RefusalRow(
        "`targetTransactionId` is no capture or payment, or can't be refunded", .invalid(name),
        "can't be refunded",
        about: target
    ) {
        $0.facts.insert(.isCaptured)
        $0.change(target, "a")
    }
    static let exceedsCaptured = RefusalRow(
        "The refund is more than what is left, without the privilege `Excessive Refund`", .invalid(name),
        "Missing merchant privilege 'Excessive Refund'", about: "transaction.amount"
    ) {
        $0.privileges.remove(.excessiveRefund)
        $0.change("transaction.amount", "31.00")
    }
    static let totalExceeds = RefusalRow(
        "The order's refunds would be more than an amount can be", .invalid("transaction.amount"),
        "The total of the order must not be more than", about: "transaction.amount"
    ) {
        $0.facts.insert(.isRefunded)
        $0.change("transaction.amount", "1000000000000")
    }
    static let unknownOrderToVoid = RefusalRow(
        "The merchant has no such order", .invalid(name), "There is no transaction to void."
    ) { $0.facts.insert(.isUnknown) }
    static let targetMissing = missing(target)
    static let targetMalformed = invalid("`targetTransactionId` is `.` or `..`", target, ".", "A path cannot hold it")
    static let nothingToVoid = RefusalRow(
        "The order has no such transaction, or it can't be voided", .invalid(name),
        "There is no transaction to void.",
        about: target
    ) { $0.change(target, "unknown") }
    static let voidedOutOfOrder = RefusalRow(
        "Another transaction builds on the one to void", .invalid(name), "must be voided first"
    ) { $0.facts.insert(.isCaptured) }
}
