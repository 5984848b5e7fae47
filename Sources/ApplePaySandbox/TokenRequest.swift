public import JSON

/// A request to Mastercard's API that contains a token.
public enum TokenRequest {
    /// The content of an AUTHORIZE or PAY as merchants send it, with the token as a JSON string.
    ///
    /// - Parameters:
    ///   - operation: `AUTHORIZE` or `PAY`.
    ///   - amount: the amount as a plain decimal.
    ///   - currency: an ISO 4217 code.
    ///   - token: the JSON text of `PKPaymentToken.paymentData`.
    public static func content(of operation: String, amount: String, currency: String, token: [UInt8]) -> JSONValue {
        let card: JSONValue = ["devicePayment": ["paymentToken": .string(String(decoding: token, as: UTF8.self))]]
        return [
            "apiOperation": .string(operation),
            "order": ["amount": .string(amount), "currency": .string(currency), "walletProvider": "APPLE_PAY"],
            "sourceOfFunds": ["provided": ["card": card], "type": "CARD"],
            "transaction": ["source": "INTERNET"],
        ]
    }

    /// The text of the token in the content of an AUTHORIZE or PAY; nil if the content has none.
    public static func token(in content: UnsafeRawBufferPointer) -> [UInt8]? {
        let card = (try? JSONDocument(content).root)?["sourceOfFunds"]?["provided"]?["card"]
        return card?["devicePayment"]?["paymentToken"]?.withStringBytes { Array($0) }
    }
}
