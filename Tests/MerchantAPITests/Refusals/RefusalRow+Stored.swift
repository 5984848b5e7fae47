import JSON
import Payments
import TestSupport
import Vault

/// The refusals of sessions and card tokens, by themselves and as sources of an operation's fields.
extension RefusalRow {
    static let sessionMalformed = invalid("`session.id` is `.` or `..`", "session.id", ".", "A path cannot hold it")

    /// What an operation finds of the session and the token that it names.
    static let sessionSources = [
        RefusalRow(
            "The merchant has no session `session.id`, or it has expired", .plain, "Form Session not found",
            about: "session.id",
            of: [.stored]
        ) { $0.session = .unknown },
        invalid(
            sessionVersion.wrong, "session.version", "0000000000", sessionVersion.words, of: [.stored]),
        RefusalRow(
            "Nothing was stored in the session", .invalid("session.id"), "updateStatus is NO_UPDATE",
            about: "session.id",
            of: [.stored]
        ) { $0.session = .neverUpdated },
        RefusalRow(
            "The merchant has no token `sourceOfFunds.token`", .plain, "Token not found", of: [.stored]
        ) { $0.change("sourceOfFunds.token", "9000000000000001") },
    ]
    static let storeFailsEarly = RefusalRow(
        "The store doesn't answer for the session or card token that is named", .busy, "temporarily unable",
        of: [.stored]
    ) { $0.storeFaults.insert(.fails) }
    static let storeFailsLate = RefusalRow(storeFails.wrong, .busy, storeFails.words, of: [.card]) {
        $0.storeFaults.insert(.fails)
    }
    static let deviceNotStored = RefusalRow(
        "A device's payment is given, which is good for one payment", .unsupported(card + ".devicePayment"),
        "Unsupported parameter", of: [.card]
    ) { $0.change(card + ".devicePayment.eciIndicator", "5") }
    static let unfit = RefusalRow(
        "A stored field doesn't have the form that the operation asks for", .invalid("order.itemAmount"),
        "has at most 2 decimals", about: "session.id"
    ) { $0.session = .unfit }.naming("the field")

    /// A session's own version is another one.
    static let sessionVersion = invalid(
        "The session doesn't have the version `session.version`", "session.version", "0000000000",
        "The session has another version")
    static let sessionTooLarge = RefusalRow(
        "The session would hold more than it may", .plain, "The session cannot hold that much"
    ) {
        let item: JSONValue = ["name": .string(String(repeating: "n", count: 127))]
        $0.change("order.item", .array(Array(repeating: item, count: 300)))
    }

    static let tooManyTokens = RefusalRow(
        "The merchant has as many tokens as it may have", .plain, "tokens, which is the most"
    ) { $0.storeFaults.insert(.isFullOfTokens) }

    /// A field that a payer may not say.
    static let notPayerInput = RefusalRow(
        "A field is none that a payer may say", .invalid("order.amount"), "payer input fields only"
    ) { $0.change("order.amount", "1.00") }.naming("the field")

    /// Parts of a card that are stored, each if it is there.
    static let storedDetails = cardDetails.filter { !$0.wrong.hasSuffix("is absent") }

    private static let token = card + ".devicePayment.paymentToken"

    /// What may be stored of a wallet's payment.
    static let storedToken = [
        walletOther,
        RefusalRow(
            "The merchant lacks the privilege `Device Payments`", .invalid(token),
            "Missing merchant privilege 'Device Payments'", of: [.token]
        ) { $0.privileges.remove(.devicePayments) },
        RefusalRow(
            "The merchant lacks the privilege `Enable Decryption of Apple Pay Device Payments`, or has no keys",
            .invalid(token), "Missing merchant privilege 'Enable Decryption", of: [.token]
        ) { $0.privileges.remove(.applePayDecryption) },
        RefusalRow("The token is none", .invalid(token), "refused at step", about: "token", of: [.token]) {
            $0.token = .empty
        },
    ]
}
