import Values

/// What one request of a test holds that must not outlive its reply. No two requests have any of it in common, so that what
/// is found tells where it came from.
struct RequestSecrets {
    /// What the test calls the request.
    let name: String
    private let number: Int

    init(_ name: String, number: Int) {
        self.name = name
        self.number = number
    }

    /// Sixteen digits of a Visa card with their check digit.
    var accountNumber: String {
        let digits = "4012\(Self.digits(number &* 7_919 &+ 13, count: 11))"
        let sum = digits.utf8.reversed().enumerated().reduce(0) { sum, digit in
            let value = Int(digit.element - UInt8(ascii: "0")) * (digit.offset % 2 == 0 ? 2 : 1)
            return sum + (value > 9 ? value - 9 : value)
        }
        return digits + String((10 - sum % 10) % 10)
    }

    /// Three digits.
    var securityCode: String { Self.digits(number &* 37 &+ 101, count: 3) }

    /// Twenty bytes in base 64.
    var cryptogram: String { Base64.encoded((0..<20).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 57 &+ 3) }) }

    /// A password that nobody has.
    var password: String { "wrong-\(Self.digits(number &* 104_729, count: 9))-\(Self.digits(number, count: 5))" }

    /// What must not be found.
    var patterns: [SecretScanner.Pattern] {
        let texts: [(String, String)] = [
            ("account number", accountNumber),
            ("security code", #""securityCode":"\#(securityCode)","number":"\#(accountNumber)""#),
            ("cryptogram", cryptogram), ("password", password),
            ("Basic", Base64.encoded(Array("merchant.TESTMERCHANT:\(password)".utf8))),
        ]
        return texts.map { SecretScanner.Pattern(name: "\(name): \($0.0)", bytes: Array($0.1.utf8)) }
    }

    private static func digits(_ number: Int, count: Int) -> String {
        let digits = String(number.magnitude)
        return String((String(repeating: "0", count: count) + digits).suffix(count))
    }
}

extension RequestSecrets {
    /// AUTHORIZE, or the same fields for a session, with a plain card.
    func card(operation: String = "AUTHORIZE") -> [UInt8] {
        let card =
            #"{"securityCode":"\#(securityCode)","number":"\#(accountNumber)","expiry":{"month":"5","year":"39"}}"#
        return content(operation: operation, wallet: "", card: card)
    }

    /// AUTHORIZE with what a merchant decrypted.
    func devicePayment() -> [UInt8] {
        let card = """
            {"number":"\(accountNumber)","expiry":{"month":"5","year":"39"},"devicePayment":\
            {"cryptogramFormat":"3DSECURE","onlinePaymentCryptogram":"\(cryptogram)","eciIndicator":"5"}}
            """
        return content(operation: "AUTHORIZE", wallet: #","walletProvider":"APPLE_PAY""#, card: card)
    }

    private func content(operation: String, wallet: String, card: String) -> [UInt8] {
        Array(
            """
            {"apiOperation":"\(operation)","order":{"amount":"10.00","currency":"USD"\(wallet)},\
            "sourceOfFunds":{"type":"CARD","provided":{"card":\(card)}}}
            """.utf8)
    }

    /// Radial's authorization of a plain card.
    func radial() -> [UInt8] {
        Array(
            """
            <CreditCardAuthRequest xmlns="http://api.gsicommerce.com/schema/checkout/1.0" requestId="r\(number)">
            <PaymentContext><OrderId>radial-\(number)</OrderId>
            <PaymentAccountUniqueId isToken="false">\(accountNumber)</PaymentAccountUniqueId></PaymentContext>
            <ExpirationDate>2039-01</ExpirationDate><CardSecurityCode>\(securityCode)</CardSecurityCode>
            <Amount currencyCode="USD">14.99</Amount>
            <BillingFirstName>John</BillingFirstName><BillingLastName>Smith</BillingLastName>
            <BillingPhoneNo>6101234567</BillingPhoneNo>
            <BillingAddress><Line1>1 Main St</Line1><City>Philadelphia</City><CountryCode>US</CountryCode></BillingAddress>
            <CustomerEmail>customer@sample.com</CustomerEmail><CustomerIPAddress>208.247.73.130</CustomerIPAddress>
            <ShipToFirstName>John</ShipToFirstName><ShipToLastName>Smith</ShipToLastName><ShippingAddress>
            <Line1>1 Main St</Line1><City>Philadelphia</City><CountryCode>US</CountryCode></ShippingAddress>
            <SchemaVersion>1.2</SchemaVersion></CreditCardAuthRequest>
            """.utf8)
    }
}
