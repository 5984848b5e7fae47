internal import JSON
internal import Payments

/// `risk.response`: the gateway's own rules, none of which is configured here, so that all of them pass.
///
/// Recorded replies have it for cards in clear; the documented sample of a wallet payment has none. What an external risk
/// provider adds, its name and score, is never there.
struct RiskAssessment {
    private let cardSecurityCode: String?
    private let issuerIdentificationNumber: String

    /// The assessment of a transaction, or nil if it was not assessed.
    init?(_ transaction: Transaction) {
        guard transaction.card.device == nil, let number = transaction.card.number else { return nil }
        issuerIdentificationNumber = String(number.prefix(6))
        // Judged only once the acquirer has approved.
        let isApproved = transaction.gatewayCode.isApproval
        cardSecurityCode = isApproved ? transaction.acquirer.cardSecurityCode?.acquirerCode : nil
    }

    /// What it comes to.
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
