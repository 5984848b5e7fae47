import JSON
import TestSupport

/// Requests as texts, changed element by element.
struct Message: CustomStringConvertible {
    var text: String

    var description: String { text }

    /// The message with the whole element of a name, its first, replaced; with nothing it is left out.
    func replacing(_ name: String, with replacement: String?) throws -> Message {
        try replacing(name, in: nil, with: replacement)
    }

    /// The same within the first element of another name.
    func replacing(_ name: String, in parent: String?, with replacement: String?) throws -> Message {
        var from = text.startIndex
        if let parent {
            guard let found = text.firstRange(of: "<\(parent)") else { throw NoSuchElement(name: parent) }
            from = found.upperBound
        }
        guard
            let start = [">", " ", "/"].compactMap({ text[from...].firstRange(of: "<\(name)\($0)")?.lowerBound }).min()
        else { throw NoSuchElement(name: name) }
        let end: String.Index
        if let close = text[start...].firstRange(of: "</\(name)>") {
            end = close.upperBound
        } else {
            throw NoSuchElement(name: name)
        }
        var changed = self
        changed.text.replaceSubrange(start..<end, with: replacement ?? "")
        return changed
    }

    /// The message with one element more, before the end of the root.
    func adding(_ element: String) -> Message {
        guard let end = text.ranges(of: "</").last?.lowerBound else { return self }
        var changed = self
        changed.text.insert(contentsOf: element, at: end)
        return changed
    }

    /// The message under another `requestId`.
    func named(_ requestID: String?) -> Message {
        guard let start = text.firstRange(of: " requestId=\""),
            let end = text[start.upperBound...].firstIndex(of: "\"")
        else { return self }
        var changed = self
        changed.text.replaceSubrange(
            start.lowerBound...end, with: requestID.map { " requestId=\"\($0)\"" } ?? "")
        return changed
    }

    struct NoSuchElement: Error {
        let name: String
    }
}

extension Message {
    static let namespace = "http://api.gsicommerce.com/schema/checkout/1.0"

    static let address = """
        <Line1>123 Main St</Line1><Line2>Building 123</Line2><Line3>4th Floor</Line3><Line4>Apt 12</Line4>
        <City>Philadelphia</City><MainDivision>PA</MainDivision><CountryCode>US</CountryCode><PostalCode>19019</PostalCode>
        """

    static let payer = """
        <BillingFirstName>John</BillingFirstName><BillingLastName>Smith</BillingLastName>
        <BillingPhoneNo>6101234567</BillingPhoneNo><BillingAddress>\(address)</BillingAddress>
        <CustomerEmail>customer@sample.com</CustomerEmail><CustomerIPAddress>208.247.73.130</CustomerIPAddress>
        <ShipToFirstName>John</ShipToFirstName><ShipToLastName>Smith</ShipToLastName>
        <ShipToPhoneNo>6101234567</ShipToPhoneNo><ShippingAddress>\(address)</ShippingAddress>
        """

    /// A plain card's authorization.
    static func card(
        _ number: String = "4012000033330026", order: String = "order-1", amount: String = "14.99",
        currency: String = "USD", requestID: String = "request-1", securityCode: String = "100",
        isToken: Bool = false, expiry: String = "2039-01"
    ) -> Message {
        Message(
            text: """
                <CreditCardAuthRequest xmlns="\(namespace)" requestId="\(requestID)">
                <PaymentContext><OrderId>\(order)</OrderId>
                <PaymentAccountUniqueId isToken="\(isToken)">\(number)</PaymentAccountUniqueId></PaymentContext>
                <ExpirationDate>\(expiry)</ExpirationDate><CardSecurityCode>\(securityCode)</CardSecurityCode>
                <Amount currencyCode="\(currency)">\(amount)</Amount>
                \(payer)
                <isRequestToCorrectCVVOrAVSError>false</isRequestToCorrectCVVOrAVSError>
                <SchemaVersion>1.2</SchemaVersion>
                </CreditCardAuthRequest>
                """)
    }

    /// A wallet's authorization, with a token as Apple writes it.
    static func wallet(
        _ token: String, order: String = "order-1", requestID: String = "request-1", amount: String? = nil
    ) throws -> Message {
        let token = try WalletText(token)
        let amount = amount.map { "<Amount currencyCode=\"USD\">\($0)</Amount>" } ?? ""
        return Message(
            text: """
                <CreditCardAuthRequest xmlns="\(namespace)" requestId="\(requestID)">
                <WalletPaymentInformation>
                <ApplePayTransactionId>\(token.transactionID)</ApplePayTransactionId>
                <EphemeralPublicKey>\(token.ephemeralPublicKey)</EphemeralPublicKey>
                <PublicKeyHash>\(token.publicKeyHash)</PublicKeyHash>
                <Version>\(token.version)</Version>
                <Data>\(token.data)</Data>
                <Signature>\(token.signature)</Signature>
                </WalletPaymentInformation>
                <OrderId>\(order)</OrderId>\(amount)
                \(payer)
                </CreditCardAuthRequest>
                """)
    }

    /// A cancellation.
    static func cancel(
        _ account: String, order: String = "order-1", amount: String = "14.99", requestID: String = "cancel-1"
    ) -> Message {
        Message(
            text: """
                <PaymentAuthCancelRequest xmlns="\(namespace)" requestId="\(requestID)">
                <PaymentContext><OrderId>\(order)</OrderId>
                <PaymentAccountUniqueId isToken="true">\(account)</PaymentAccountUniqueId></PaymentContext>
                <Amount currencyCode="USD">\(amount)</Amount>
                </PaymentAuthCancelRequest>
                """)
    }

    /// A settlement.
    static func settle(
        _ account: String, _ type: String = "Debit", order: String = "order-1", amount: String = "14.99",
        requestID: String = "settle-1"
    ) -> Message {
        Message(
            text: """
                <PaymentSettlementRequest xmlns="\(namespace)" requestId="\(requestID)">
                <PaymentContext><OrderId>\(order)</OrderId>
                <PaymentAccountUniqueId isToken="true">\(account)</PaymentAccountUniqueId></PaymentContext>
                <InvoiceId>invoice-1</InvoiceId>
                <Amount currencyCode="USD">\(amount)</Amount><TaxAmount currencyCode="USD">0.00</TaxAmount>
                <SettlementType>\(type)</SettlementType><ClientContext>context-1</ClientContext>
                <FinalDebit>1</FinalDebit>
                </PaymentSettlementRequest>
                """)
    }

    /// A confirmation of funds.
    static func confirm(
        _ account: String, order: String = "order-1", amount: String = "14.99", requestID: String = "confirm-1",
        reauthorizing: Bool = false
    ) -> Message {
        Message(
            text: """
                <ConfirmFundsRequest xmlns="\(namespace)" requestId="\(requestID)">
                <PaymentContext><OrderId>\(order)</OrderId>
                <PaymentAccountUniqueId isToken="true">\(account)</PaymentAccountUniqueId></PaymentContext>
                <Amount currencyCode="USD">\(amount)</Amount>
                <PerformReauthorization>\(reauthorizing)</PerformReauthorization>
                </ConfirmFundsRequest>
                """)
    }
}

/// The parts of a token as the XML has them.
struct WalletText {
    let transactionID: String
    let ephemeralPublicKey: String
    let publicKeyHash: String
    let version: String
    let data: String
    let signature: String

    init(_ token: String) throws {
        let token = try JSONValue(parsing: token)
        func text(_ value: JSONValue?) throws -> String {
            guard case .string(let text)? = value else { throw Message.NoSuchElement(name: "token") }
            return text
        }
        transactionID = try text(token["header"]?["transactionId"])
        ephemeralPublicKey = try text(token["header"]?["ephemeralPublicKey"])
        publicKeyHash = try text(token["header"]?["publicKeyHash"])
        version = try text(token["version"])
        data = try text(token["data"])
        signature = try text(token["signature"])
    }
}
