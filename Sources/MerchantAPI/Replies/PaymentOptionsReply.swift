internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values

extension MerchantAPI {
    /// PAYMENT_OPTIONS_INQUIRY: the payment options of a merchant. Of the request's fields, only the order's currency
    /// restricts the options.
    func inquirePaymentOptions(
        _ request: JSONNode, for merchant: Merchant, version: APIVersion
    ) throws(ErrorReply) -> Response {
        try request.expectOperation("PAYMENT_OPTIONS_INQUIRY")
        _ = try PaymentFields.session.check(request, in: request.currency)
        try request.member("sourceOfFunds")?.member("provided")?.member("card")?.checkCardDetails()
        let code = request.member("order")?.member("currency")?.string
        let currencies = Currency.all.filter { merchant.accepts($0) && (code == nil || $0.code == code) }
        if let code, currencies.isEmpty {
            throw .invalid("order.currency", code, "No valid Merchant Acquirer Relationship available")
        }
        var reply = PaymentOptionsReply.members(of: merchant, currencies, version: version)
        reply.add(["correlationId": request.member("correlationId")?.fieldText])
        return .json(.ok, .object(reply))
    }
}

/// The reply to PAYMENT_OPTIONS_INQUIRY.
private enum PaymentOptionsReply {
    /// The first version that lists the operations; earlier ones have a single value for them.
    private static let operationsVersion = 52

    static func members(of merchant: Merchant, _ currencies: [Currency], version: APIVersion) -> JSONObject {
        var card: JSONObject = [
            "cardTypes": .array(
                CardBrand.allCases.filter { $0 != .unknown }.map { ["cardType": .string($0.rawValue)] }),
            "currencies": .array(currencies.map { ["currency": .string($0.code)] }),
        ]
        if merchant.applePay != nil {
            card["walletProviders"] = [["walletProvider": .string(WalletProvider.applePay.rawValue)]]
        }
        var reply: JSONObject = [
            "merchant": .string(merchant.id.text), "paymentTypes": ["card": .object(card)], "result": "SUCCESS",
        ]
        if version.number >= operationsVersion {
            reply["supportedPaymentOperations"] = .array(
                ["AUTHORIZE", "PURCHASE"].map { ["supportedPaymentOperation": .string($0)] })
        } else {
            reply["transactionMode"] = "AUTHORIZE_CAPTURE"
        }
        return reply
    }
}
