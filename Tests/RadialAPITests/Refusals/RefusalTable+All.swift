import Payments

/// The tables.
extension RefusalTable {
    /// The table that the others go on from.
    static let start = RefusalTable(title: "Every request", rows: RefusalRow.everyRequest)

    /// One table for each service.
    static let all: [RefusalTable] = [
        cardAuth, walletAuth, cancel, confirmFunds, settle, protectPan, tenderTypeLookup, decryptBlob,
    ]

    private typealias Row = RefusalRow

    private static func joined(_ parts: [RefusalRow]...) -> [RefusalRow] { parts.flatMap { $0 } }

    private static let room = [Row.orderFull, Row.particularsFull, Row.currencyNotAccepted, Row.amountZero]

    // MARK: Authorizations

    private static let cardAuth = RefusalTable(
        title: "CreditCardAuth of a card", root: "CreditCardAuthRequest", service: "creditcard/auth/VC.xml",
        message: { faulty, _ in .card(order: RefusalBench.order(faulty.facts)) },
        rows: joined(
            [
                Row.tenderUnknown,
                Row.element(
                    "`WalletPaymentInformation` is there", "WalletPaymentInformation", "<WalletPaymentInformation/>",
                    "InvalidTenderType"),
            ], Row.members, Row.identifiers, Row.card, Row.payer, Row.store, Row.requestUsed, Row.accountUnknown, room,
            [Row.pastAuthorization, Row.currencyDiffers, Row.accountsFull]))
    private static let walletAuth = RefusalTable(
        title: "CreditCardAuth of a wallet", root: "CreditCardAuthRequest", service: "creditcard/auth/DW.xml",
        message: { faulty, bench in
            try .wallet(bench.token(faulty), order: RefusalBench.order(faulty.facts), amount: "14.99")
        },
        rows: joined(
            [
                Row.tenderUnknown,
                Row.element("`PaymentContext` is there", "PaymentContext", "<PaymentContext/>", "InvalidTenderType"),
            ], Row.members, Row.identifiers, Row.walletInformation,
            [Row.orderID, Row.currencyCode, Row.amountMalformed], Row.payer, Row.store, Row.requestUsed, Row.opening,
            room.map(inWallet), [Row.pastAuthorization, Row.currencyDiffers].map(inWallet), [Row.spent]))

    private static func inWallet(_ row: RefusalRow) -> RefusalRow {
        row.path == "PaymentContext/OrderId" ? row.at("OrderId") : row
    }

    // MARK: What follows

    private static let cancel = RefusalTable(
        title: "PaymentAuthCancel", root: "PaymentAuthCancelRequest", service: "auth/cancel/VC.xml",
        message: { faulty, bench in .cancel(bench.account, order: order(faulty)) },
        rows: joined(
            [Row.tenderUnknown], Row.members, Row.identifiers, [Row.isTokenAbsent], Row.contexts,
            [Row.missing("Amount"), Row.currencyCode, Row.amountMalformed], Row.store, Row.requestUsed,
            [
                Row.tenderOfReply,
                Row.element(
                    "`Amount` is not the whole authorization", "Amount", "<Amount currencyCode='USD'>1.00</Amount>"),
                Row.lacking(.void), Row.orderFull,
            ]))
    private static let confirmFunds = RefusalTable(
        title: "ConfirmFunds", root: "ConfirmFundsRequest", service: "funds/confirm/VC.xml",
        message: { faulty, bench in
            .confirm(bench.account, order: order(faulty), amount: "20.00", reauthorizing: true)
        },
        rows: joined(
            [Row.tenderUnknown], Row.members, Row.identifiers, Row.contexts,
            [
                Row.isToken, Row.accountText, Row.missing("Amount"), Row.currencyCode, Row.amountMalformed,
                Row.element(
                    "`PerformReauthorization` is no boolean", "PerformReauthorization",
                    "<PerformReauthorization>x</PerformReauthorization>"),
            ], Row.store, Row.requestUsed, [Row.tenderOfReply, Row.orderFull]))
    private static let settle = RefusalTable(
        title: "PaymentSettlement", root: "PaymentSettlementRequest", service: "settlement/create/VC.xml",
        message: { faulty, bench in .settle(bench.account, order: order(faulty)) },
        rows: joined(
            [Row.tenderUnknown], Row.members, Row.identifiers, [Row.isTokenAbsent], Row.contexts, Row.settlement,
            Row.store, Row.requestUsed,
            [
                Row.element(
                    "The store has no such order, or another account pays it", "PaymentContext/OrderId",
                    "<OrderId>unknown</OrderId>", "NoAuthFound", reported: "PaymentContext"),
                Row.tenderOfReply, Row.currencyDiffers,
                RefusalRow(
                    "The store lacks the privilege `Refund` for a Credit", "AccessNotConfigured",
                    changing: ["SettlementType"]
                ) {
                    $0.change("SettlementType", "<SettlementType>Credit</SettlementType>")
                    $0.privileges.remove(.refund)
                }, Row.amountZero,
            ]))

    /// The id of an order that was authorized.
    private static func order(_ faulty: FaultyMessage) -> String {
        RefusalBench.order(faulty.facts.union([.isAuthorized]))
    }

    // MARK: Account numbers and tokens

    private static func encrypted(_ name: String) -> RefusalRow {
        Row.element("`\(name)` is there", name, "<\(name)/>", "TenderGatewayConfiguration")
    }
    private static let tenderClass = Row.element(
        "`TenderClass` is absent or unknown", "TenderClass", nil)

    private static let protectPan = RefusalTable(
        title: "ProtectPan", root: "ProtectPanRequest", service: "pan/protect.xml",
        message: { _, _ in
            Message(
                text: """
                    <ProtectPanRequest xmlns="\(Message.namespace)">
                    <PaymentAccountNumber>4508750015741019</PaymentAccountNumber><TenderClass>CreditCard</TenderClass>
                    </ProtectPanRequest>
                    """)
        },
        rows: joined(
            Row.members,
            [
                encrypted("EncryptedPaymentAccountNumber"), Row.missing("PaymentAccountNumber"),
                Row.element(
                    "`PaymentAccountNumber` is no account number", "PaymentAccountNumber",
                    "<PaymentAccountNumber>12</PaymentAccountNumber>"),
                Row.element(
                    "The account number's check digit is wrong", "PaymentAccountNumber",
                    "<PaymentAccountNumber>4012000033330027</PaymentAccountNumber>", "PanFailsLuhnCheck"), tenderClass,
                Row.element(
                    "`TenderClass` is not CreditCard", "TenderClass", "<TenderClass>PayPal</TenderClass>",
                    "InvalidTenderType"),
            ], Row.store,
            [
                RefusalRow("The store has as many account tokens as it may have", "TenderGatewayConfiguration") {
                    $0.storeFaults.insert(.isFullOfAccountTokens)
                }
            ]))
    private static let tenderTypeLookup = RefusalTable(
        title: "TenderTypeLookup", root: "TenderTypeLookupRequest", service: "tendertype/lookup.xml",
        message: { _, bench in
            Message(
                text: """
                    <TenderTypeLookupRequest xmlns="\(Message.namespace)">
                    <PaymentAccountUniqueId isToken="true">\(bench.account)</PaymentAccountUniqueId>
                    <TenderClass>CreditCard</TenderClass><CurrencyCode>USD</CurrencyCode>
                    </TenderTypeLookupRequest>
                    """)
        },
        rows: joined(
            Row.members,
            [
                encrypted("EncryptedPaymentAccountUniqueId"), Row.missing("PaymentAccountUniqueId"), tenderClass,
                Row.element("`CurrencyCode` is absent or not in ISO 4217", "CurrencyCode", nil),
                Row.element(
                    "`isToken` is neither true nor false", "PaymentAccountUniqueId/@isToken", "x"),
                Row.element(
                    "The account is neither an account number nor a token's text", "PaymentAccountUniqueId",
                    "<PaymentAccountUniqueId>12</PaymentAccountUniqueId>"),
            ], Row.store,
            [
                Row.element(
                    "The token stands for no account of the store", "PaymentAccountUniqueId",
                    "<PaymentAccountUniqueId isToken='true'>401200AAAAAA0099</PaymentAccountUniqueId>",
                    "TokenNotFound")
            ]))
    private static let decryptBlob = RefusalTable(
        title: "DecryptBlob", root: "DecryptBlobRequest", service: "decryptblob.xml",
        message: { faulty, bench in
            let token = try WalletText(bench.token(faulty))
            return Message(
                text: """
                    <DecryptBlobRequest xmlns="\(Message.namespace)"><AlgorithmVersion>apd</AlgorithmVersion>
                    <EncryptionHeader><EphemeralPublicKey>\(token.ephemeralPublicKey)</EphemeralPublicKey>
                    <TransactionId>\(token.transactionID)</TransactionId>
                    <PublicKeyHash>\(token.publicKeyHash)</PublicKeyHash></EncryptionHeader>
                    <Version>\(token.version)</Version><Data>\(token.data)</Data>
                    <Signature>\(token.signature)</Signature></DecryptBlobRequest>
                    """)
        },
        rows: joined(
            [
                Row.lacking(.decryptBlob),
                RefusalRow("The connection has no client certificate of the merchant's", "AccessNotConfigured") {
                    $0.hasCertificate = false
                },
            ], Row.members,
            [
                Row.element("`AlgorithmVersion` is not apd", "AlgorithmVersion", nil),
                Row.missing("EncryptionHeader"),
                Row.element(
                    "`EncryptionHeader` has an element that is unknown, or occurs twice", "EncryptionHeader/Unknown",
                    "<Unknown/>"
                ).naming("the element"),
            ], Row.tokenParts(["TransactionId", "EphemeralPublicKey", "PublicKeyHash"], below: "EncryptionHeader"),
            Row.tokenParts(["Version", "Data", "Signature"], below: nil),
            Row.opening.map { $0.path == nil ? $0 : $0.at("") }))
}
