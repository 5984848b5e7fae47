/// Contents of requests as released clients send them, byte for byte but for the identifiers.
enum ClientRequests {
    /// ActiveMerchant as it was when it spoke version 22, with its fixture of an address.
    static func activeMerchant22(_ operation: String, number: String) -> String {
        #"{"order":{"amount":"1.00","currency":"USD"},"sourceOfFunds":{"provided":{"card":{"expiry":{"year":"15","#
            + #""month":"09"},"number":"\#(number)","securityCode":"102"}},"type":"CARD"},"customer":{},"billing":{"#
            + #""address":{"street":"456 My Street","street2":"Apt 1","city":"Ottawa","stateProvince":"ON","#
            + #""postcodeZip":"K1C2N6","country":"USA"},"phone":"(555)555-5555"},"device":{},"shipping":{},"#
            + #""transaction":{},"apiOperation":"\#(operation)"}"#
    }

    /// ActiveMerchant's AUTHORIZE or PAY of today, which speaks version 52, with addresses of which one line is missing.
    static func activeMerchant(_ operation: String) -> String {
        #"{"order":{"amount":"1.00","currency":"USD"},"sourceOfFunds":{"provided":{"card":{"expiry":{"year":"39","#
            + #""month":"09"},"number":"5123456789012346","securityCode":"100"}},"type":"CARD"},"customer":{"#
            + #""firstName":"Longbob","lastName":"Longsen","email":"joe@example.com","phone":"(555)555-5555"},"#
            + #""billing":{"address":{"street":"456 My Street","street2":null,"city":"Ottawa","stateProvince":"ON","#
            + #""postcodeZip":"K1C2N6","country":"CAN"}},"device":{"ipAddress":"127.0.0.1"},"shipping":{"address":{"#
            + #""street":"456 My Street","street2":"Apt 1","city":"Ottawa","stateProvince":"ON","postcodeZip":"K1C2N6","#
            + #""shipcountry":"CAN"},"firstName":"Jim","lastName":"Smith"},"transaction":{},"apiOperation":"#
            + #""\#(operation)"}"#
    }

    /// ActiveMerchant's CAPTURE or REFUND.
    static func activeMerchantLater(_ operation: String, of transaction: String) -> String {
        #"{"order":{},"sourceOfFunds":{"provided":{"card":{}}},"customer":{},"billing":{},"device":{},"shipping":{},"#
            + #""transaction":{"amount":"1.00","currency":"USD","reference":"\#(transaction)"},"apiOperation":"#
            + #""\#(operation)"}"#
    }

    /// ActiveMerchant's VOID of its first transaction.
    static let activeMerchantVoid =
        #"{"order":{},"sourceOfFunds":{"provided":{"card":{}}},"customer":{},"billing":{},"device":{},"shipping":{},"#
        + #""transaction":{"targetTransactionId":"1"},"apiOperation":"VOID"}"#

    /// digistorm's Omnipay driver, version 56: the month is a number.
    static let omnipay =
        #"{"apiOperation":"PAY","order":{"amount":"50.00","currency":"AUD","reference":"Merchant Reference"},"#
        + #""sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"5111111111111118","securityCode":"100","#
        + #""expiry":{"month":7,"year":"39"}}}}}"#

    /// WooCommerce's module, version 100: amounts are numbers, what is empty is an empty array of PHP's, and what it
    /// hasn't is null.
    static func wooCommerce(_ operation: String, session: String) -> String {
        #"{"apiOperation":"\#(operation)","3DSecureId":null,"partnerSolutionId":"WC_9.1.2_FINGENT_1.5.0","order":{"#
            + #""id":"77","description":"Ordered goods","item":[{"name":"Cap","unitPrice":18.5,"quantity":2,"#
            + #""sku":"woo-cap"}],"itemAmount":37,"currency":"EUR","shippingAndHandlingAmount":4.99,"taxAmount":7.03,"#
            + #""discount":{"amount":1},"amount":48.02,"notificationUrl":"https:\/\/shop.example\/wc-api\/hook","#
            + #""reference":"77"},"billing":[],"shipping":null,"customer":{"email":"a@shop.example","firstName":"Ada","#
            + #""lastName":"L"},"session":{"id":"\#(session)"},"transaction":{"reference":"77-1","source":"INTERNET"}}"#
    }

    /// WooCommerce's CAPTURE or REFUND.
    static func wooCommerceLater(_ operation: String, _ amount: String, reference: String) -> String {
        #"{"apiOperation":"\#(operation)","partnerSolutionId":"WC_9.1.2_FINGENT_1.5.0","transaction":{"amount":"#
            + #"\#(amount),"currency":"EUR","reference":"\#(reference)"},"order":{"notificationUrl":"#
            + #""https:\/\/shop.example\/wc-api\/hook","reference":"77"}}"#
    }

    /// WooCommerce's VOID.
    static func wooCommerceVoid(_ transaction: String) -> String {
        #"{"apiOperation":"VOID","partnerSolutionId":"WC_9.1.2_FINGENT_1.5.0","transaction":{"targetTransactionId":"#
            + #""\#(transaction)","reference":"\#(transaction)"}}"#
    }

    /// The Magento module, version 100: what an item or address hasn't is null.
    static let magento =
        #"{"apiOperation":"AUTHORIZE","order":{"amount":"36.39","currency":"USD","notificationUrl":"#
        + #""https://shop.example/tns/webhook/response","reference":"000000021","item":[{"name":"Bag","#
        + #""description":null,"sku":"24-MB01","unitPrice":"34.00","quantity":1}],"shippingAndHandlingAmount":0,"#
        + #""taxAmount":2.39},"shipping":{"address":{"city":"Austin","company":null,"country":"USA","#
        + #""postcodeZip":"78701","stateProvince":"TX","street":"1 Main St","street2":null},"contact":{"#
        + #""email":"a@shop.example","firstName":"Ada","lastName":"L","phone":"5125550100"}},"sourceOfFunds":{"#
        + #""type":"CARD","provided":{"card":{"number":"5123450000000008","expiry":{"month":"01","year":"39"},"#
        + #""securityCode":"100"}}}}"#

    /// The official Java sample, which writes lines and repeats the order's identifier.
    static let javaSample = """
        {
          "apiOperation": "PAY",
          "order": {
            "amount": "5000",
            "currency": "USD",
            "id": "order-1ab2c3d4e5"
          },
          "sourceOfFunds": {
            "type": "CARD",
            "provided": {
              "card": {
                "securityCode": "100",
                "number": "5123450000000008",
                "expiry": {
                  "month": "1",
                  "year": "39"
                }
              }
            }
          }
        }
        """

    /// everydayhero's PAY, with what is to stand on the payer's statement.
    static let everydayhero =
        #"{"apiOperation":"PAY","sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"4508750015741019","#
        + #""expiry":{"month":"5","year":"39"}}}},"order":{"amount":"100.00","currency":"AUD","statementDescriptor":{"#
        + #""address":{"country":"AUS"},"name":"Everyday Hero","phone":"1300 798 768"},"subMerchant":{"#
        + #""identifier":"charity","tradingName":"Charity"}}}"#
}
