import JSON
import Payments
import TestSupport

/// The refusals of every operation on a transaction before the operation's own.
extension RefusalRow {
    private static let sensitiveData = "responseControls.sensitiveData"

    static let transaction =
        [
            orderPath, transactionPath,
            RefusalRow(
                "The header with the hash of application data, which the merchant's file names, holds none", .plain,
                "Expected one SHA-256", about: "source of application data"
            ) {
                $0.applicationData = .header(name: "X-Cart-Hash")
                $0.applicationDataHash = "cart"
            },
        ] + operations + fields(unserved: "paymentPlan") + [
            tooLarge,
            invalid("`order.id` is not the path's", "order.id", "other", "The url path has another one"),
            invalid("`transaction.id` is not the path's", "transaction.id", "other", "The url path has another one"),
            sessionMalformed,
        ] + unmasking { $0.change(sensitiveData, .string($1)) }

    private static let tooLarge: RefusalRow = {
        var row = RefusalRow(
            "Of the request more than 256 KiB would be kept", .invalid("risk"), "bytes of JSON are kept"
        ) { $0.change("risk.custom", largeObject) }.naming("the largest group")
        row.isLarge = true
        return row
    }()

    /// 34 texts of 8000 bytes.
    private static let largeObject = JSONValue.object(
        JSONObject((10..<44).map { (name: "n\($0)", value: JSONValue.string(String(repeating: "é", count: 4000))) }))

    /// The refusals of what asks for account numbers in clear, which a request says in its content and a retrieval in its
    /// query.
    static func unmasking(_ ask: @escaping @Sendable (inout FaultyRequest, String) -> Void) -> [RefusalRow] {
        [
            RefusalRow(
                "`responseControls.sensitiveData` is not UNMASK", .invalid(sensitiveData), "Expected UNMASK",
                about: sensitiveData
            ) { ask(&$0, "SHOW") },
            RefusalRow(
                "UNMASK is asked for without a client certificate", .invalid(sensitiveData),
                "must be authenticated by certificate"
            ) {
                ask(&$0, "UNMASK")
                $0.hasCertificate = false
            },
            RefusalRow(
                "UNMASK is asked for without the privilege `Unmask Sensitive Data`", .invalid(sensitiveData),
                "Missing merchant privilege 'Unmask Sensitive Data'"
            ) {
                ask(&$0, "UNMASK")
                $0.privileges.remove(.unmaskSensitiveData)
            },
        ]
    }

    /// The refusals of a group's currency.
    static func currency(_ group: String) -> [RefusalRow] {
        [
            missing(group + ".currency"),
            invalid("ISO 4217 lists no such `\(group).currency`", group + ".currency", "ZZZ", "ISO 4217 lists no such"),
        ]
    }

    /// The refusals of what was stored, or recorded, before the operation is checked.
    static let storeFails = RefusalRow("The store doesn't answer", .busy, "temporarily unable") {
        $0.storeFaults.insert(.fails)
    }
    static let twin = RefusalRow(
        "The transaction exists, with other parameters", .plain, "the transaction parameters do not match"
    ) { $0.storeFaults.insert(.hasTwins) }

    /// The merchant lacks what an operation needs on every order.
    static func privilege(
        _ privilege: Privilege, of sources: Set<FaultyRequest.Source> = Set(FaultyRequest.Source.allCases)
    ) -> RefusalRow {
        RefusalRow(
            "The merchant lacks the privilege `\(privilege.rawValue)`", .invalid("apiOperation"),
            "Missing merchant privilege '\(privilege.rawValue)'", of: sources
        ) { $0.privileges.remove(privilege) }
    }
}
