import Payments

/// The refusals of the elements of messages, in the order in which they are read.
extension RefusalRow {
    private static let wallet = "WalletPaymentInformation"
    private static let account = "PaymentContext/PaymentAccountUniqueId"

    private static func amount(_ text: String) -> String { "<Amount currencyCode='USD'>\(text)</Amount>" }
    private static func account(_ text: String, isToken: String = "false") -> String {
        "<PaymentAccountUniqueId isToken='\(isToken)'>\(text)</PaymentAccountUniqueId>"
    }

    // MARK: Accounts and orders

    static let orderID = element("`OrderId` is absent or malformed", "OrderId", nil)
    static let contextUnknown = element(
        "`PaymentContext` has an element that is unknown, or occurs twice", "PaymentContext/Unknown", "<Unknown/>"
    ).naming("the element")
    static let contextOrderID = element("`OrderId` is absent or malformed", "PaymentContext/OrderId", nil)
    static let contextEncrypted = element(
        "`EncryptedPaymentAccountUniqueId` is there", "PaymentContext/EncryptedPaymentAccountUniqueId",
        "<EncryptedPaymentAccountUniqueId/>", "TenderGatewayConfiguration")
    static let accountMissing = missing(account)
    static let isToken = element("`isToken` is neither true nor false", account + "/@isToken", "x")
    static let accountText = element(
        "The account is neither an account number nor a token's text", account, account("12"))
    static let checkDigit = element(
        "The account number's check digit is wrong", account, account("4012000033330027"), "PanFailsLuhnCheck")
    static let accountUnknown = [
        element(
            "The token stands for no account of the store", account, account("401200AAAAAA0099", isToken: "true"),
            "TokenNotFound"),
        element(
            "The account number is of no known brand", account, account("9999999999999995"), "UnknownPanBinRange"),
        element(
            "The card's tender type is not the path's", account, account("5123450000000008"), "InvalidTenderType"),
    ]
    static let accountsFull = RefusalRow(
        "The store has as many account tokens as it may have", "TenderGatewayConfiguration", changing: [account]
    ) {
        $0.change(account, account("4508750015741019"))
        $0.storeFaults.insert(.isFullOfAccountTokens)
    }

    static let isTokenAbsent = element("`isToken` is not true", account + "/@isToken", nil)
    static let contexts = [
        element(
            "There are a `PaymentContext` and a `PaymentContextBase`", "PaymentContextBase",
            "<PaymentContextBase><OrderId>authorized</OrderId></PaymentContextBase>"),
        RefusalRow(
            "There is neither a `PaymentContext` nor a `PaymentContextBase`", "SchemaValidation", "PaymentContext",
            changing: ["PaymentContext", "PaymentContextBase"]
        ) { $0.change("PaymentContext", nil) },
        contextUnknown, contextOrderID, contextEncrypted, accountMissing,
    ]

    // MARK: Cards

    static let card = [
        missing("PaymentContext"), contextUnknown, contextOrderID, contextEncrypted, accountMissing, isToken,
        accountText, checkDigit,
        element("`ExpirationDate` is absent or no year and month", "ExpirationDate", nil),
        element(
            "`EncryptedCardSecurityCode` is there", "EncryptedCardSecurityCode", "<EncryptedCardSecurityCode/>",
            "TenderGatewayConfiguration"),
        element(
            "`CardSecurityCode` is neither three nor four digits", "CardSecurityCode",
            "<CardSecurityCode>12</CardSecurityCode>"),
        missing("Amount"), currencyCode, amountMalformed,
        element(
            "`isRequestToCorrectCVVOrAVSError` is no boolean", "isRequestToCorrectCVVOrAVSError",
            "<isRequestToCorrectCVVOrAVSError>x</isRequestToCorrectCVVOrAVSError>"),
    ]
    static let currencyCode = element(
        "The currency is absent or not in ISO 4217", "Amount/@currencyCode", "XXX")
    static let amountMalformed = element("`Amount` is malformed", "Amount", amount("1,00"))

    // MARK: Wallets

    static let walletInformation =
        [
            missing(wallet),
            element(
                "`\(wallet)` has an element that is unknown, or occurs twice", "\(wallet)/Unknown", "<Unknown/>"
            ).naming("the element"),
        ]
        + tokenParts(["ApplePayTransactionId", "EphemeralPublicKey", "PublicKeyHash", "Version", "Data", "Signature"])

    /// Elements of a token.
    static func tokenParts(_ names: [String], below parent: String? = wallet) -> [RefusalRow] {
        names.map { name in
            element("`\(name)` is absent or malformed", parent.map { "\($0)/\(name)" } ?? name, nil)
        }
    }

    static let opening = [
        lacking(.devicePayments), lacking(.applePayDecryption),
        RefusalRow("The store has no keys for tokens", "TenderGatewayConfiguration") { $0.hasKeys = false },
        RefusalRow(
            "The token is refused, by the first of its steps that fails", "ApplePayToken", wallet, changing: ["token"]
        ) { $0.token = .defective },
    ]
    static let spent = RefusalRow(
        "The token paid for another transaction, or may have", "ApplePayToken", wallet, changing: ["token"]
    ) { $0.token = .spent }

    // MARK: The payer

    static let payer =
        ["BillingFirstName", "BillingLastName", "BillingPhoneNo"].map { text($0, isOptional: false) }
        + [
            element("`BillingAddress` is absent, or an element of it is wrong", "BillingAddress/Line1", nil).naming(
                "the element"),
            text("CustomerEmail", isOptional: false), text("CustomerIPAddress", isOptional: false),
            text("ShipToFirstName", isOptional: false), text("ShipToLastName", isOptional: false),
            text("ShipToPhoneNo", isOptional: true),
            element("`ShippingAddress` is absent, or an element of it is wrong", "ShippingAddress/City", nil).naming(
                "the element"),
            element(
                "`SchemaVersion` is no version", "SchemaVersion", "<SchemaVersion>x</SchemaVersion>"),
        ]

    private static func text(_ name: String, isOptional: Bool) -> RefusalRow {
        element("`\(name)` is \(isOptional ? "" : "absent or ")malformed", name, "<\(name)> </\(name)>")
    }

    // MARK: Settlements

    static let settlement = [
        element(
            "`InvoiceId` is malformed", "InvoiceId", "<InvoiceId></InvoiceId>"),
        missing("Amount"), currencyCode, amountMalformed, missing("TaxAmount"),
        element(
            "The tax has another currency", "TaxAmount/@currencyCode", "EUR"),
        element(
            "The tax is more than the amount", "TaxAmount", "<TaxAmount currencyCode='USD'>15.00</TaxAmount>"),
        element("`SettlementType` is neither Debit nor Credit", "SettlementType", nil),
        element(
            "`AuthorizationResponseCode` is none of an authorization", "AuthorizationResponseCode",
            "<AuthorizationResponseCode>ND11</AuthorizationResponseCode>"),
        element("`AuthorizationDate` is blank", "AuthorizationDate", "<AuthorizationDate/>"),
        element("`ExpirationDate` is blank", "ExpirationDate", "<ExpirationDate/>"),
        element(
            "`ClientContext` is too long", "ClientContext",
            "<ClientContext>\(String(repeating: "x", count: 1001))</ClientContext>"),
        element("`FinalDebit` is no boolean", "FinalDebit", "<FinalDebit>x</FinalDebit>"),
        element(
            "An element of `BillingAddress` is wrong", "BillingAddress", "<BillingAddress/>",
            reported: "BillingAddress/Line1"
        ).naming("the element"),
        element(
            "`RefundReason` is too long", "RefundReason",
            "<RefundReason>\(String(repeating: "x", count: 1001))</RefundReason>"),
    ]
}
