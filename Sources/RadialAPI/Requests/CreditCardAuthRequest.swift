internal import JSON
internal import Payments
internal import Values
internal import XML

/// `CreditCardAuthRequest`: the amount to authorize and the means of payment.
struct CreditCardAuthRequest {
    /// The means of payment.
    enum Funds {
        /// A wallet's token.
        case wallet(SecretText)
        /// A plain card.
        case card(PlainCard)
    }

    let requestID: TransactionID
    let orderID: OrderID
    /// The amount to authorize. A wallet's request may omit it; the token's total then counts.
    let amount: Amount?
    let funds: Funds
    let schemaVersion: SchemaVersion
    let payer: PayerInformation

    private static let walletNames: Set = ["WalletPaymentInformation", "OrderId", "Amount", "SchemaVersion"]
    private static let cardNames: Set = [
        "PaymentContext", "ExpirationDate", "CardSecurityCode", "EncryptedCardSecurityCode", "Amount", "SchemaVersion",
        "isRequestToCorrectCVVOrAVSError", "SecureVerificationData",
    ]

    /// Reads a request.
    ///
    /// - Parameter tender: the path's tender type. `DW` is a wallet; all others are plain cards.
    init(_ root: XMLElement, tender: TenderType) throws(Fault) {
        let isWallet = tender == .digitalWallet
        let other = isWallet ? "PaymentContext" : "WalletPaymentInformation"
        if root[other] != nil {
            throw Fault(
                .invalidTenderType, "\(root.path)/\(other)",
                isWallet ? "a card does not pay under the tender type DW" : "a wallet pays under the tender type DW")
        }
        let names = (isWallet ? Self.walletNames : Self.cardNames).union(PayerInformation.names)
        let fields = try ElementFields(root, known: names, attributes: ["requestId", "sessionId"])
        requestID = try fields.requestID()
        if isWallet {
            funds = .wallet(try WalletPaymentInformation(try fields.required("WalletPaymentInformation")).token)
            orderID = try fields.orderID()
            amount = try fields["Amount"].map { (element) throws(Fault) in try element.amount() }
        } else {
            let context = try PaymentContext(try fields.required("PaymentContext"))
            orderID = context.orderID
            funds = .card(try PlainCard(fields, context))
            amount = try fields.required("Amount").amount()
            _ = try fields.optionalBoolean("isRequestToCorrectCVVOrAVSError")
        }
        payer = try PayerInformation(fields)
        let version = try fields.optional("SchemaVersion", .version).flatMap(SchemaVersion.init)
        schemaVersion = version ?? (isWallet ? .withTenderType : .first)
    }
}

/// A card in a request. Its number may be given as a token.
struct PlainCard {
    let account: PaymentAccount
    let expiry: CardExpiry
    let securityCode: SecretText?
    /// The path of the account's element, for faults.
    let accountPath: String

    init(_ fields: ElementFields, _ context: PaymentContext) throws(Fault) {
        guard let account = context.account else { throw .missing(fields.path("PaymentContext")) }
        self.account = account
        accountPath = fields.path("PaymentContext/PaymentAccountUniqueId")
        expiry = try Self.expiry(try fields.required("ExpirationDate"))
        if let encrypted = fields["EncryptedCardSecurityCode"] {
            throw Fault(
                .tenderGatewayConfiguration, encrypted.path, "the store has no key that opens encrypted security codes")
        }
        securityCode = try fields["CardSecurityCode"].flatMap { (element) throws(Fault) in
            try Self.securityCode(element)
        }
    }

    /// `xsd:gYearMonth`: `2030-03`.
    private static func expiry(_ element: XMLElement) throws(Fault) -> CardExpiry {
        let text = try element.collapsedText()
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        guard parts.count == 2, areDigits, parts[0].count == 4, parts[1].count == 2,
            let year = Int(String(Substring(parts[0]))), let month = Int(String(Substring(parts[1]))),
            (2000...2099).contains(year), let expiry = CardExpiry(month: month, year: year % 100)
        else { throw .invalid(element.path, "must be a year and month from 2000-01 to 2099-12, such as 2030-03") }
        return expiry
    }

    /// Three or four digits; nil for an empty element.
    private static func securityCode(_ element: XMLElement) throws(Fault) -> SecretText? {
        _ = try ElementFields(element, known: [])
        return try element.withTextBytes { (text) throws(Fault) in
            guard !text.isEmpty else { return nil }
            guard (3...4).contains(text.count),
                text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { throw .invalid(element.path, "must have three or four digits, or none") }
            return SecretText(utf8: text)
        }
    }
}
