internal import Payments

/// The fields of AUTHORIZE and PAY. Every other one is refused as unexpected, as the real gateway does.
///
/// Lengths are those of the official reference as far as they are known; the others are wide enough for its clients.
enum PaymentFields {
    /// The path of a card's members.
    static let card = "sourceOfFunds.provided.card"
    /// The path of an encrypted token.
    static let paymentToken = card + ".devicePayment.paymentToken"

    /// The table.
    static let all = RequestFields(
        [
            .taken("apiOperation", .text(1...40)),
            .echoed("correlationId", .text(1...100)),
            .echoed("partnerSolutionId", .text(1...40)),
            .taken("order.amount", .amount),
            .taken("order.currency", .pattern(3...3, .alphabeticCode)),
            .echoed("order.certainty", .enumeration(["ESTIMATED", "FINAL"])),
            .echoed("order.customerNote", .text(1...250)),
            .echoed("order.customerReference", .text(1...25)),
            .echoed("order.description", .text(1...127)),
            .echoed("order.notificationUrl", .pattern(1...250, .url)),
            .echoed("order.reference", .text(1...40)),
            .taken("order.walletProvider", .enumeration(WalletProvider.allCases.map(\.rawValue))),
            .echoed("transaction.merchantNote", .text(1...250)),
            .echoed("transaction.reference", .text(1...40)),
            .taken("transaction.source", .enumeration(TransactionSource.allCases.map(\.rawValue))),
            .echoed("device.ani", .text(1...10)),
            .echoed("device.browser", .text(1...1024)),
            .echoed("device.hostname", .text(1...60)),
            .echoed("device.ipAddress", .pattern(2...45, .ipAddress)),
            .echoed("device.mobilePhoneModel", .text(1...255)),
            .echoed("posTerminal.location", .enumeration(terminalLocations)),
        ] + sourceOfFunds + customer + billingAndShipping)

    private static let sourceOfFunds: [RequestFields.Row] = [
        .taken(
            "sourceOfFunds.type",
            .enumeration(
                ["CARD"],
                unsupported: [
                    "ACH", "ALIPAY", "BANK_TRANSFER", "DIRECT_DEBIT_CANADA", "EBT_CARD", "ENETS", "GIFT_CARD",
                    "GIROPAY",
                    "IDEAL", "KLARNA", "OPEN_BANKING_BANK_TRANSFER", "OTHER", "PAYPAL", "PAYSAFECARD", "SCHEME_TOKEN",
                    "SEPA", "SOFORT", "UNION_PAY", "WECHAT_PAY",
                ])),
        .taken(card + ".number", .secret),
        .taken(card + ".expiry.month", .month),
        .taken(card + ".expiry.year", .year),
        .taken(card + ".securityCode", .secret),
        .taken(card + ".nameOnCard", .secret),
        .echoed(card + ".storedOnFile", .enumeration(StoredOnFile.allCases.map(\.rawValue))),
        .taken(paymentToken, .secret),
        .taken(
            card + ".devicePayment.cryptogramFormat",
            .enumeration([CryptogramFormat.threeDSecure.rawValue], unsupported: [CryptogramFormat.emv.rawValue])),
        .taken(card + ".devicePayment.onlinePaymentCryptogram", .secret),
        .taken(card + ".devicePayment.eciIndicator", .secret),
    ]

    private static let customer = person("customer")

    private static let billingAndShipping =
        [.echoed("billing.phone", .text(1...20))] + address("billing.address") + address("shipping.address")
        + person("shipping.contact") + person("shipping")

    /// `order.walletProvider` with a wallet payment defaults to the first, which is not echoed unless it was sent.
    private static let terminalLocations = [
        "PAYER_TERMINAL_OFF_PREMISES", "PAYER_TERMINAL_ON_PREMISES", "MERCHANT_TERMINAL_OFF_PREMISES",
        "MERCHANT_TERMINAL_ON_PREMISES", "NO_TERMINAL_VOICE_OR_AUDIO_RESPONSE",
    ]

    private static func person(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".email", .pattern(1...256, .email)),
            .echoed(path + ".firstName", .text(1...50)),
            .echoed(path + ".lastName", .text(1...50)),
            .echoed(path + ".mobilePhone", .text(1...20)),
            .echoed(path + ".phone", .text(1...20)),
        ]
    }

    private static func address(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".city", .text(1...100)),
            .echoed(path + ".company", .text(1...100)),
            .echoed(path + ".country", .pattern(3...3, .alphabeticCode)),
            .echoed(path + ".postcodeZip", .pattern(1...10, .postcode)),
            .echoed(path + ".stateProvince", .text(1...20)),
            .echoed(path + ".stateProvinceCode", .text(1...3)),
            .echoed(path + ".street", .text(1...100)),
            .echoed(path + ".street2", .text(1...100)),
        ]
    }
}
