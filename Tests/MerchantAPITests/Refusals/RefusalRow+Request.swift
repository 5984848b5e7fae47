import HTTPTypes
import JSON
import Payments
import Vault

/// The refusals of every request, whatever it asks for.
extension RefusalRow {
    static let route = [
        RefusalRow("The path has broken percent-encoding", .plain, "Malformed url path") { $0.isPathBroken = true },
        RefusalRow("The version is none that is served", Refusal(status: 404), "Unsupported value for 'version") {
            $0.version = "101"
        },
        RefusalRow("The path is none that is served", Refusal(status: 404), "After url path") {
            $0.isPathLonger = true
        },
        RefusalRow("The path doesn't have the method", Refusal(status: 405), "Unsupported method") {
            $0.method = .patch
        },
    ]
    static let content = [
        RefusalRow("The content is no JSON object (of operations that read it)", .plain, "Json encoded payload error") {
            $0.isJSONBroken = true
        }
    ]
    static let caller = [
        RefusalRow(
            "There is neither a password nor a client certificate", Refusal(status: 401), "Invalid credentials.",
            about: "password"
        ) {
            $0.password = .absent
            $0.hasCertificate = false
        },
        RefusalRow(
            "The password is wrong, or the merchant is unknown or disabled", Refusal(status: 401),
            "Invalid credentials.", about: "password"
        ) { $0.password = .wrong },
        RefusalRow(
            "The merchant exceeds its `requestsPerSecondMax`", Refusal(status: 429, cause: "SERVER_BUSY"),
            "requests in a second"
        ) { $0.isOverRate = true },
    ]
}

/// The refusals of identifiers in a path.
extension RefusalRow {
    private static let long = String(repeating: "x", count: 41)

    static let orderPath = RefusalRow(
        "The order's identifier in the path is malformed", .invalid("order.id"), "Length is 41 characters"
    ) { $0.order = long }
    static let transactionPath = RefusalRow(
        "The transaction's identifier in the path is malformed", .invalid("transaction.id"), "Length is 41 characters"
    ) { $0.transaction = long }
    static let sessionPath = RefusalRow(
        "The session's identifier in the path is malformed", .invalid("session.id"), "Length is 41 characters",
        about: "identifier in the path"
    ) { $0.identifier = .malformed }
    static let tokenPath = RefusalRow(
        "The token in the path is malformed", .invalid("token"), "Length is 41 characters",
        about: "identifier in the path"
    ) { $0.identifier = .malformed }
    static let noSession = RefusalRow(
        "The merchant has no such session, or it has expired", .plain, "Form Session not found",
        about: "identifier in the path"
    ) { $0.identifier = .unknown }
    static let noToken = RefusalRow(
        "The merchant has no such token", .plain, "Token not found", about: "identifier in the path"
    ) { $0.identifier = .unknown }
}

/// The refusals of an operation's name, and of fields by themselves.
extension RefusalRow {
    private static let name = "apiOperation"

    static let operations = [
        missing(name),
        RefusalRow(
            "`apiOperation` is one that Tollgate doesn't simulate", .unsupported(name), "is unsupported",
            about: name
        ) { $0.change(name, "DISBURSEMENT") },
        invalid("`apiOperation` is none of the path's operations", name, "PURCHASE"),
    ]

    /// An operation that has one name only.
    static func operation(unserved: String?) -> [RefusalRow] {
        let unserved = unserved.map { unserved in
            RefusalRow(
                "`apiOperation` is one that Tollgate doesn't simulate", .unsupported(name), "is unsupported",
                about: name
            ) { $0.change(name, .string(unserved)) }
        }
        return [unserved].compactMap { $0 } + [
            invalid("`apiOperation` is another one than the path's", name, "PAY")
        ]
    }

    /// Faults of single fields, of which the first in the content wins.
    ///
    /// - Parameter unserved: a field that Tollgate doesn't serve.
    static func fields(unserved: String) -> [RefusalRow] {
        [
            RefusalRow(
                "A field is unknown", .plain, "Unexpected parameter 'unknown'", about: "first fault in the content"
            ) {
                $0.change("unknown", "1")
            },
            RefusalRow(
                "A field is one that Tollgate doesn't serve",
                Refusal(status: 400, field: unserved, validationType: "UNSUPPORTED"),
                "Unsupported parameter", about: "first fault in the content"
            ) { $0.change(unserved + ".type", "1") }.naming("the field"),
            invalid(
                "A field's value doesn't have the field's form", "correlationId", "",
                about: "first fault in the content"
            ).naming("the field"),
        ]
    }

    // MARK: Operations that are always refused

    static let noGiftCards = RefusalRow(
        "Always: there are no gift cards", .unsupported(name), "no gift cards"
    ) { _ in }
    static let noAuthentication = RefusalRow(
        "Always: payers are not authenticated", .plain, "3D Secure"
    ) { _ in }
}
