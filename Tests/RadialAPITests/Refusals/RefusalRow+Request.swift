import HTTPTypes
import Payments

/// The refusals of every request, whatever service it asks for, and of what all messages have.
extension RefusalRow {
    static let everyRequest = [
        RefusalRow("The path is none that is served", 404, "UnknownResource") { $0.isPathLonger = true },
        RefusalRow("The method is not POST", 405, "MethodNotAllowed") { $0.method = .put },
        RefusalRow("The content type is none of XML in UTF-8", 415, "UnsupportedMediaType") {
            $0.contentType = "application/json"
        },
        RefusalRow("The header field `apikey` is absent, empty or repeated", 401, "InvalidApiKey", changing: ["key"]) {
            $0.apiKey = .absent
        },
        RefusalRow(
            "The API key is wrong, or the store is unknown or disabled", 401, "InvalidApiKey", changing: ["key"]
        ) { $0.apiKey = .wrong },
        RefusalRow("The store exceeds its `requestsPerSecondMax`", 429, "ServiceUnavailable") {
            $0.isOverRate = true
        },
        RefusalRow("The content is no XML, or XML that is not read", "MalformedXml") { $0.isXMLBroken = true },
        RefusalRow("The root element is not the service's", "SchemaValidation") { $0.isRootOther = true },
    ]

    static let tenderUnknown = RefusalRow(
        "The path's tender type is unknown", "InvalidTenderType", changing: ["tender"]
    ) { $0.tender = "XX" }
    static let tenderOfReply = RefusalRow(
        "The tender type is not that of the authorization's reply", "InvalidTenderType", changing: ["tender"]
    ) { $0.tender = "MC" }

    static let members = [
        RefusalRow(
            "The root has an attribute that is unknown", "SchemaValidation", "", changing: ["@unknown"]
        ) { $0.change("@unknown", "x") },
        element("An element is unknown, or occurs twice", "Unknown", "<Unknown/>").naming("the element"),
    ]
    static let identifiers = [
        element("`requestId` is absent or malformed", "@requestId", nil),
        element("`sessionId` is malformed", "@sessionId", ""),
    ]
    static let store = [
        RefusalRow("The gateway's store doesn't answer", 503, "ServiceUnavailable") { $0.storeFaults.insert(.fails) }
    ]
    static let requestUsed = [
        element(
            "Another request had this `requestId`", "@requestId", RefusalBench.usedRequestID, "DuplicateRequest")
    ]

    // MARK: Orders

    static let orderFull = RefusalRow(
        "The order has as many transactions as it may have", "OrderState", "PaymentContext/OrderId"
    ) {
        $0.facts.insert(.exists)
        $0.storeFaults.insert(.isFull)
    }
    static let particularsFull = RefusalRow(
        "The order has no room for the request's details", "OrderState", "PaymentContext/OrderId"
    ) {
        $0.facts.insert(.exists)
        $0.storeFaults.insert(.isFullOfParticulars)
    }
    static let currencyNotAccepted = RefusalRow(
        "The store doesn't accept the currency", "TenderGatewayConfiguration", "Amount/@currencyCode"
    ) { $0.currencies = [.jpy] }
    static let amountZero = element("`Amount` is zero", "Amount", "<Amount currencyCode='USD'>0</Amount>")
    static let pastAuthorization = RefusalRow(
        "The order is past its authorization", "DuplicateOrder", "PaymentContext/OrderId"
    ) { $0.facts.insert(.isAuthorized) }
    static let currencyDiffers = RefusalRow(
        "The order has another currency", "SchemaValidation", "Amount/@currencyCode"
    ) { $0.facts.insert(.isOtherCurrency) }

    /// A merchant without a privilege.
    static func lacking(_ privilege: Privilege) -> RefusalRow {
        RefusalRow("The store lacks the privilege `\(privilege.rawValue)`", "AccessNotConfigured") {
            $0.privileges.remove(privilege)
        }
    }

    /// The row under another path: a wallet's request names its order at the top.
    func at(_ path: String) -> RefusalRow { RefusalRow(wrong, status, code, path, changing: changed, make) }
}
