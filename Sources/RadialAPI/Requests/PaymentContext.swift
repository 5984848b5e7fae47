internal import Payments
internal import Values
internal import XML

/// `PaymentContext` or `PaymentContextBase`: the order and, optionally, the paying account.
struct PaymentContext {
    let orderID: OrderID
    /// The account; nil in a `PaymentContextBase`.
    let account: PaymentAccount?

    /// Reads the context of a request for an existing order.
    init(in fields: ElementFields) throws(Fault) {
        switch (fields["PaymentContext"], fields["PaymentContextBase"]) {
        case (let element?, nil):
            try self.init(element)
        case (nil, let element?):
            self.init(base: try ElementFields(element, known: ["OrderId"]).orderID())
        case (_?, let element?): throw .invalid(element.path, "there is a PaymentContext already")
        case (nil, nil): throw .missing(fields.path("PaymentContext"))
        }
    }

    /// Reads the context of a settlement or cancellation. It names the account by the token of the authorization's
    /// reply, never by its number.
    init(byTokenIn fields: ElementFields) throws(Fault) {
        if let account = fields["PaymentContext"]?["PaymentAccountUniqueId"],
            !["true", "1"].contains(account.attribute("isToken"))
        {
            throw .invalid(
                "\(account.path)/@isToken",
                "must be true: after the authorization the account is named by the token of its reply")
        }
        try self.init(in: fields)
    }

    private init(base orderID: OrderID) {
        self.orderID = orderID
        account = nil
    }

    /// Reads a `PaymentContext`.
    init(_ element: XMLElement) throws(Fault) {
        let names: Set = ["OrderId", "PaymentAccountUniqueId", "EncryptedPaymentAccountUniqueId"]
        let fields = try ElementFields(element, known: names)
        orderID = try fields.orderID()
        if let encrypted = fields["EncryptedPaymentAccountUniqueId"] {
            throw Fault(
                .tenderGatewayConfiguration, encrypted.path, "the store has no key that opens encrypted account numbers"
            )
        }
        account = try PaymentAccount(try fields.required("PaymentAccountUniqueId"))
    }

    /// Writes the context for a reply or an event.
    ///
    /// - Parameter token: the account's token, if the order has one.
    func write(to writer: inout XMLWriter, token: String?) throws(XMLUnwritable) {
        guard account != nil, let token else {
            try writer.element("PaymentContextBase") { context throws(XMLUnwritable) in
                try context.element("OrderId", text: orderID.text)
            }
            return
        }
        try writer.paymentContext(orderID, token: token)
    }
}

extension XMLWriter {
    /// Writes a `PaymentContext` with a token.
    mutating func paymentContext(_ orderID: OrderID, token: String) throws(XMLUnwritable) {
        try element("PaymentContext") { context throws(XMLUnwritable) in
            try context.element("OrderId", text: orderID.text)
            try context.element("PaymentAccountUniqueId", attributes: ["isToken": "true"], text: token)
        }
    }
}

/// `PaymentAccountUniqueId`: an account number or its token.
enum PaymentAccount {
    case number(AccountNumber)
    case token(String)

    /// The maximum length of an account number or token, in characters.
    static let charactersMax = 22

    /// Reads an account. The attribute `isToken` defaults to false.
    init(_ element: XMLElement) throws(Fault) {
        _ = try ElementFields(element, known: [], attributes: ["isToken"])
        let isToken: Bool
        switch element.attribute("isToken") {
        case "true", "1": isToken = true
        case nil, "false", "0": isToken = false
        default: throw .invalid("\(element.path)/@isToken", "must be true or false")
        }
        guard isToken else {
            self = .number(try element.accountNumber())
            return
        }
        let text = element.text
        guard (1...Self.charactersMax).contains(text.unicodeScalars.count) else {
            throw .invalid(element.path, "must have 1 to \(Self.charactersMax) characters")
        }
        self = .token(text)
    }
}

extension XMLElement {
    /// Reads the element's text as an account number.
    func accountNumber() throws(Fault) -> AccountNumber {
        do throws(AccountNumber.Malformed) {
            return try withTextBytes { (text) throws(AccountNumber.Malformed) in try AccountNumber(ascii: text) }
        } catch .checkDigit {
            throw Fault(.panFailsLuhnCheck, path, "the last digit is not the check digit of the others")
        } catch {
            throw .invalid(path, "must have 8 to 19 digits")
        }
    }
}

extension ElementFields {
    /// `OrderId`: 1 to 20 characters.
    func orderID() throws(Fault) -> OrderID {
        let text = try required("OrderId", .length(1...20))
        guard let id = try? OrderID(text) else { throw .invalid(path("OrderId"), "must have no control characters") }
        return id
    }

    /// The attribute `requestId`, 1 to 40 characters. It becomes the id of the transaction.
    func requestID() throws(Fault) -> TransactionID {
        let path = "\(element.path)/@requestId"
        guard let text = element.attribute("requestId") else { throw .missing(path) }
        guard !text.allSatisfy(\.isWhitespace), let id = try? TransactionID(text) else {
            throw .invalid(path, "must have 1 to 40 characters")
        }
        try checkSessionID()
        return id
    }

    private func checkSessionID() throws(Fault) {
        guard let text = element.attribute("sessionId") else { return }
        guard (1...40).contains(text.unicodeScalars.count) else {
            throw .invalid("\(element.path)/@sessionId", "must have 1 to 40 characters")
        }
    }
}
