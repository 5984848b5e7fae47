internal import JSON
internal import Payments
internal import Values
internal import Vault

/// The reply about a token. Each merchant has its own repository of tokens.
struct CardTokenReply {
    private let token: CardToken
    private let correlationID: String?

    /// - Parameter correlationID: the request's `correlationId`.
    init(_ token: CardToken, _ correlationID: String?) {
        self.token = token
        self.correlationID = correlationID
    }

    /// The reply. The expiry has four digits, month and year.
    var value: JSONValue {
        get throws(SessionRefusal) {
            guard let node = token.fields.value(at: PaymentFields.card), let card = try? Card(node) else {
                throw .storeUnavailable(.damaged(detail: "token: a card that was not checked"))
            }
            let brand = CardBrand(card.accountNumber)
            var shown: JSONObject = [
                "brand": .string(brand.rawValue),
                "expiry": .string(String(card.expiry.month * 100 + card.expiry.year + 10_000).dropFirst().description),
                "fundingMethod": .string(FundingMethod.credit.rawValue),
                "number": .string(card.accountNumber.masked(first: 6, last: 4)),
                "scheme": .string(brand.scheme.rawValue),
            ]
            shown.add(["nameOnCard": card.nameOnCard?.revealed().maskingAccountNumbers()])
            var reply: JSONObject = [
                "repositoryId": .string(token.merchant.text),
                "response": ["gatewayCode": .string(gatewayCode)],
                "result": "SUCCESS",
                "sourceOfFunds": ["provided": ["card": .object(shown)], "type": "CARD"],
                "status": "VALID",
                "token": .string(token.id),
                "usage": [
                    "lastUpdated": .time(token.lastUpdated), "lastUpdatedBy": .string(token.merchant.text),
                    "lastUsed": .time(token.lastUsed),
                ],
                "verificationStrategy": .string(token.verificationStrategy.rawValue),
            ]
            reply.add(["correlationId": correlationID])
            return .object(reply)
        }
    }

    private var gatewayCode: String {
        switch token.verificationStrategy {
        case .basic: "BASIC_VERIFICATION_SUCCESSFUL"
        case .none: "NO_VERIFICATION_PERFORMED"
        }
    }
}
