internal import JSON
internal import Payments

/// The fields that a payer may send in a session-authenticated request, and those that the reply shows: a client with
/// only a session's identifier acts for the payer, never for the merchant.
///
/// - Source: Mastercard Gateway, "Session Authentication Fields" (integrationGuidelines/apiReference), for
///   `agreement`, `authentication`, `billing`, `browserPayment`, `correlationId` and `customer`. The public copies
///   end after `customer` and have no output fields: the fields marked below are derived from the data that a payer
///   enters or a payer's device sends.
enum PayerFields {
    /// The dotted paths of payer input fields.
    static let input = Set(documented + derivedInput)

    /// The dotted paths of payer output fields: the fields that the payer sent, as sessions show them, and those that
    /// the session adds. Derived; the documentation says that the session's identifier is not among them.
    static let output = Set(
        documented + derivedInput + [
            "merchant", "session.updateStatus", "session.version", "version", PaymentFields.card + ".brand",
            PaymentFields.card + ".fundingMethod", PaymentFields.card + ".scheme",
        ])

    private static let documented =
        paths(
            "agreement",
            [
                "amountVariability", "maximumAmountPerPayment", "minimumAmountPerPayment", "numberOfPayments",
                "paymentFrequency",
            ])
        + paths(
            "authentication.3ds2.sdk",
            [
                "appId", "encryptedData", "ephemeralPublicKey", "interface", "referenceNumber", "timeout",
                "transactionId", "uiType",
            ])
        + ["authentication.methodNotificationUrl"]
        + paths("billing.address", address)
        + paths("browserPayment", ["openBankingBankTransfer.refundConsent", "preferredLanguage", "type"])
        + ["correlationId"]
        + paths(
            "customer",
            [
                "dateOfBirth", "email", "firstName", "lastName", "mobilePhone", "nationalId", "phone",
                "taxRegistrationId",
            ])

    /// Not in the public copies. Only the merchant may send a token, stored credentials, and the data that a merchant
    /// that opens wallets' tokens finds in them.
    private static let derivedInput =
        ["apiOperation", "locale", "order.walletProvider", "session.version"]
        + paths(
            "device", ["ani", "aniCallType", "browser", "fingerprint", "hostname", "ipAddress", "mobilePhoneModel"])
        + paths(
            "device.browserDetails",
            [
                "3DSecureChallengeWindowSize", "acceptHeaders", "colorDepth", "javaEnabled", "javaScriptEnabled",
                "language", "screenHeight", "screenWidth", "timeZone",
            ])
        + paths("shipping", ["method"] + person)
        + paths("shipping.address", address + ["phone", "sameAsBilling", "source"])
        + paths("shipping.contact", person)
        + ["sourceOfFunds.type"]
        + paths(
            PaymentFields.card,
            [
                "accountType", "devicePayment.paymentToken", "expiry.month", "expiry.year", "nameOnCard", "number",
                "securityCode",
            ])

    private static let address = [
        "city", "company", "country", "postcodeZip", "stateProvince", "stateProvinceCode", "street", "street2",
    ]
    private static let person = ["email", "firstName", "lastName", "middleName", "mobilePhone", "phone"]

    private static func paths(_ group: String, _ names: [String]) -> [String] { names.map { "\(group).\($0)" } }

    /// Refuses a request with any other field. Nulls and empty objects and arrays are ignored.
    static func check(_ request: JSONNode) throws(ErrorReply) { try check(request, path: "") }

    private static func check(_ node: JSONNode, path: String) throws(ErrorReply) {
        guard node.holdsAnything else { return }
        guard node.kind == .object else {
            guard input.contains(path) else { throw .notPayerInput(path) }
            return
        }
        for (name, value) in node.members { try check(value, path: path.isEmpty ? name : "\(path).\(name)") }
    }

    /// The members of an object that a reply shows to a payer.
    static func shown(_ object: JSONObject, path: String = "") -> JSONObject {
        var shown = JSONObject()
        for (name, value) in object {
            let path = path.isEmpty ? name : "\(path).\(name)"
            if case .object(let members) = value {
                let inner = Self.shown(members, path: path)
                if !inner.isEmpty { shown[name] = .object(inner) }
            } else if output.contains(path) {
                shown[name] = value
            }
        }
        return shown
    }
}

extension ErrorReply {
    fileprivate static func notPayerInput(_ path: String) -> ErrorReply {
        .invalidSecret(
            path.maskingAccountNumbers(cutTo: fieldCharactersMax),
            "A session-authenticated request may carry payer input fields only")
    }
}
