/// Contents of requests as released clients send them.
enum ClientRequests {
    /// ActiveMerchant as it was when it spoke version 22, with its fixture of an address.
    static func activeMerchant22(_ operation: String, number: String) -> String {
        #"{"order":{"amount":"1.00","currency":"USD"},"sourceOfFunds":{"provided":{"card":{"expiry":{"year":"15","#
            + #""month":"09"},"number":"\#(number)","securityCode":"102"}},"type":"CARD"},"customer":{},"billing":{"#
            + #""address":{"street":"456 My Street","street2":"Apt 1","city":"Ottawa","stateProvince":"ON","#
            + #""postcodeZip":"K1C2N6","country":"USA"},"phone":"(555)555-5555"},"device":{},"shipping":{},"#
            + #""transaction":{},"apiOperation":"\#(operation)"}"#
    }

    /// ActiveMerchant's VOID of its first transaction.
    static let activeMerchantVoid =
        #"{"order":{},"sourceOfFunds":{"provided":{"card":{}}},"customer":{},"billing":{},"device":{},"shipping":{},"#
        + #""transaction":{"targetTransactionId":"1"},"apiOperation":"VOID"}"#
}
