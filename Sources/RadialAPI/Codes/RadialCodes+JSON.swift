internal import JSON
internal import Vault

extension RadialCodes {
    /// The codes as JSON, for the record of a transaction.
    var object: JSONObject {
        var object = JSONObject()
        object.set("authorization", authorizationResponseCode)
        object.set("avs", avsResponseCode)
        object.set("cvv2", cvv2ResponseCode)
        object.set("email", payer?.email)
        object.set("name", payer?.name)
        object.set("phone", payer?.phone)
        object.set("response", responseCode.rawValue)
        return object
    }

    /// Reads the codes from the record of a transaction; nil if a code is missing or unknown.
    init?(_ object: JSONObject) {
        func text(_ name: String) -> String? {
            guard case .string(let text) = object[name] else { return nil }
            return text
        }
        guard let responseCode = text("response").flatMap(ResponseCode.init), let authorization = text("authorization"),
            let cvv2 = text("cvv2"), let avs = text("avs")
        else { return nil }
        var payer: RadialPayerCodes?
        if let phone = text("phone") {
            guard let name = text("name"), let email = text("email") else { return nil }
            payer = RadialPayerCodes(phone: phone, name: name, email: email)
        }
        self.init(
            responseCode: responseCode, authorizationResponseCode: authorization, cvv2ResponseCode: cvv2,
            avsResponseCode: avs, payer: payer)
    }
}
