internal import JSON
internal import Payments

/// `risk.response`: the result of the gateway's own rules. None is configured here, so all of them pass.
///
/// Recorded replies have it for card payments; the documented sample of a wallet payment does not. The name and score
/// of an external risk provider are never present.
struct RiskAssessment {
    private let cardSecurityCode: String?
    private let issuerIdentificationNumber: String

    /// Creates the assessment of a transaction; nil if it was not assessed.
    init?(_ transaction: Transaction) {
        guard transaction.card.device == nil, let number = transaction.card.number else { return nil }
        issuerIdentificationNumber = String(number.prefix(6))
        // Risk is assessed only after the acquirer's approval.
        let isApproved = transaction.gatewayCode.isApproval
        cardSecurityCode = isApproved ? transaction.acquirer.cardSecurityCode?.acquirerCode : nil
    }

    /// The assessment as JSON.
    var value: JSONValue {
        var rules = [rule("MERCHANT_BIN_RANGE", issuerIdentificationNumber)]
        if let cardSecurityCode { rules.append(rule("MERCHANT_CSC", cardSecurityCode)) }
        rules += [rule("SUSPECT_CARD_LIST"), rule("TRUSTED_CARD_LIST")]
        rules.append(rule("MSO_BIN_RANGE", issuerIdentificationNumber))
        if let cardSecurityCode { rules.append(rule("MSO_CSC", cardSecurityCode)) }
        return ["gatewayCode": "ACCEPTED", "review": ["decision": "NOT_REQUIRED"], "rule": .array(rules)]
    }

    private func rule(_ name: String, _ data: String? = nil) -> JSONValue {
        var rule: JSONObject = [
            "name": .string(name), "recommendation": "NO_ACTION",
            "type": name.hasPrefix("MSO_") ? "MSO_RULE" : "MERCHANT_RULE",
        ]
        rule["data"] = data.map(JSONValue.string)
        return .object(rule)
    }
}
