internal import ApplePay
internal import JSON
internal import Payments

/// The reply to an operation on a transaction and to RETRIEVE_TRANSACTION.
///
/// It has the members of the real gateway's: what the domain doesn't know is absent, never invented.
struct TransactionReply {
    private let transaction: Transaction
    private let order: Order
    private let version: APIVersion

    /// - Parameters:
    ///   - order: the order as the reply shows it: as the transaction left it, or as it stands now.
    ///   - version: the version of the request's path.
    init(_ transaction: Transaction, order: Order, version: APIVersion) {
        self.transaction = transaction
        self.order = order
        self.version = version
    }

    /// The reply.
    var value: JSONValue {
        var reply: JSONObject = [
            "gatewayEntryPoint": "WEB_SERVICES_API",
            "merchant": .string(order.merchant.text),
            "order": .object(OrderMembers.all(of: order, after: [transaction])),
            "response": .object(response),
            "result": .string(transaction.result.rawValue),
            "sourceOfFunds": transaction.card.sourceOfFunds,
            "timeOfLastUpdate": .time(order.lastUpdatedTime),
            "timeOfRecord": .time(transaction.timeOfRecord),
            "transaction": .object(members),
            "version": .string(version.text),
        ]
        if let authorizationResponse = transaction.authorizationResponse {
            var members = authorizationResponse.members
            members.add(["cardSecurityCodeError": transaction.acquirer.cardSecurityCode?.acquirerCode])
            reply["authorizationResponse"] = .object(members)
        }
        if let risk = RiskAssessment(transaction) { reply["risk"] = ["response": risk.value] }
        if case .object(let particulars) = transaction.particulars { reply.merge(particulars) }
        return .object(version.gates.apply(to: reply))
    }

    private var response: JSONObject {
        var response: JSONObject = ["gatewayCode": .string(transaction.gatewayCode.rawValue)]
        response.add([
            "acquirerCode": transaction.acquirer.code,
            "acquirerMessage": transaction.acquirer.message,
            "gatewayRecommendation": transaction.recommendation?.rawValue,
        ])
        if let result = transaction.acquirer.cardSecurityCode {
            response["cardSecurityCode"] = [
                "acquirerCode": .string(result.acquirerCode), "gatewayCode": .string(result.gatewayCode.rawValue),
            ]
        }
        // Where it was before version 30.
        response["risk"] = RiskAssessment(transaction)?.value
        return response
    }

    private var members: JSONObject {
        var members: JSONObject = [
            "acquirer": .object(acquirer),
            "amount": .amount(transaction.amount),
            "currency": .string(transaction.amount.currency.code),
            "frequency": "SINGLE",
            "id": .string(transaction.id.text),
            "receipt": .string(transaction.references.receipt),
            "source": .string(transaction.source.rawValue),
            "stan": .string(String(transaction.references.systemTraceAuditNumber)),
            "terminal": .string(transaction.acquirer.terminal),
            "type": .string(transaction.type.rawValue),
        ]
        members.add([
            "authenticationStatus": transaction.type.asksThePayer ? transaction.authenticationStatus?.rawValue : nil,
            "authorizationCode": hasAuthorizationCode ? transaction.references.authorizationCode : nil,
        ])
        return members
    }

    /// Whether the version's replies to such a transaction have the authorization code, as far as it was measured.
    private var hasAuthorizationCode: Bool {
        switch transaction.type {
        case .authorization, .authorizationUpdate, .capture, .payment, .verification: true
        case .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: version.number >= 30
        case .refund: (30..<71).contains(version.number)
        }
    }

    /// The acquirer's part. Of wallet payments the documented sample has no settlement.
    private var acquirer: JSONObject {
        var members = transaction.acquirer.members
        if transaction.card.device == nil, transaction.acquirer.code != nil {
            let date = String(transaction.timeOfRecord.description.prefix(10))
            members.add(["settlementDate": date, "timeZone": "+0000"])
        }
        return members
    }
}

extension TransactionType {
    /// Whether the payer is asked, so that replies say whether there was payer authentication.
    var asksThePayer: Bool {
        switch self {
        case .authorization, .payment, .verification: true
        case .authorizationUpdate, .capture, .refund, .voidAuthorization, .voidCapture, .voidPayment, .voidRefund: false
        }
    }

    /// Whether the order has an authorization, which alone can be for an estimated amount.
    var isOfAuthorization: Bool {
        switch self {
        case .authorization, .authorizationUpdate, .capture, .voidAuthorization, .voidCapture: true
        case .payment, .refund, .verification, .voidPayment, .voidRefund: false
        }
    }
}

extension AcquirerRecord {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "batch": .number(JSONNumber(batch)), "date": .string(date), "id": .string(id),
            "merchantId": .string(merchantID),
        ]
        members.add(["transactionId": transactionID])
        return members
    }
}

extension AuthorizationResponse {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "date": .string(date), "posData": .string(constants.posData),
            "posEntryMode": .string(constants.posEntryMode), "processingCode": .string(constants.processingCode),
            "responseCode": .string(responseCode), "stan": .string(stan), "time": .string(time),
            "transactionIdentifier": .string(transactionIdentifier),
        ]
        members.add([
            "cardLevelIndicator": constants.scheme.cardLevelIndicator,
            "commercialCard": constants.scheme.commercialCard,
            "commercialCardIndicator": constants.scheme.commercialCardIndicator,
            "financialNetworkCode": constants.scheme.financialNetworkCode,
            "marketSpecificData": constants.scheme.marketSpecificData,
            "returnAci": constants.scheme.returnAci,
            "transactionIntegrityClass": constants.scheme.transactionIntegrityClass,
            "validationCode": constants.scheme.validationCode,
        ])
        return members
    }
}

extension CardSummary {
    /// `sourceOfFunds` of a reply.
    var sourceOfFunds: JSONValue {
        var card: JSONObject = [
            "brand": .string(brand.rawValue), "fundingMethod": .string(fundingMethod.rawValue),
            "scheme": .string(scheme.rawValue), "storedOnFile": .string(storedOnFile.rawValue),
        ]
        card.add(["nameOnCard": nameOnCard?.revealed().maskingAccountNumbers(), "number": number])
        if let expiry { card["expiry"] = .expiry(expiry) }
        if let device {
            card["devicePayment"] = ["cryptogramFormat": .string(device.cryptogramFormat.rawValue)]
            card["deviceSpecificExpiry"] = .expiry(device.expiry)
            card["deviceSpecificNumber"] = .string(device.number)
            card["encryption"] = "DEVICE"
        }
        return ["provided": ["card": .object(card)], "type": "CARD"]
    }
}
