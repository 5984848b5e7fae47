internal import Payments

extension PaymentFields {
    /// The source of funds, or the destination of a refund.
    static let sourceOfFunds: [RequestFields.Row] =
        [
            type,
            .echoed("sourceOfFunds.token", .pattern(1...40, .alphanumeric)),
            .taken("sourceOfFunds.tokenRequestorID", .pattern(11...11, .alphanumeric)),
            .taken(card + ".accountType", .enumeration(["CHECKING", "SAVINGS"])),
            .taken(card + ".number", .secret),
            .taken(card + ".expiry.month", .month),
            .taken(card + ".expiry.year", .year),
            .taken(card + ".securityCode", .secret),
            .taken(card + ".nameOnCard", .secret),
            // Replies have the acquirer's account number, not the merchant's copy.
            .taken(card + ".maskedFpan", .secret),
            .taken(card + ".maskedFpanExpiry.month", .month),
            .taken(card + ".maskedFpanExpiry.year", .year),
            .taken(card + ".sequenceNumber", .pattern(1...3, .digits)),
            .echoed(card + ".storedOnFile", .enumeration(StoredOnFile.allCases.map(\.rawValue))),
            .taken(paymentToken, .encryptedToken),
            .taken(
                card + ".devicePayment.cryptogramFormat",
                .enumeration([CryptogramFormat.threeDSecure.rawValue], unsupported: [CryptogramFormat.emv.rawValue])),
            .taken(card + ".devicePayment.onlinePaymentCryptogram", .secret),
            .taken(card + ".devicePayment.eciIndicator", .secret),
            // The place of the previous two fields on Mastercard's page on Samsung Pay.
            .taken(card + ".devicePayment.3DSecure.onlinePaymentCryptogram", .secret),
            .taken(card + ".devicePayment.3DSecure.eciIndicator", .secret),
        ]
        // Fields of a card reader, which is not supported.
        + ["emvRequest", "p2pe", "pin", "track1", "track2"].map { .unsupported(card + "." + $0) }
        // Other sources than cards.
        + ["ach", "directDebitCanada", "ebt", "giftCard", "paypal", "paysafecard", "schemeToken", "sepa"].map {
            .unsupported("sourceOfFunds.provided." + $0)
        }

    /// The fields of an operation that uses its order's source of funds: only the type. ActiveMerchant sends an empty
    /// card as well.
    static let noSourceOfFunds: [RequestFields.Row] = [
        type, .unsupported("sourceOfFunds.provided"), .unsupported("sourceOfFunds.token"),
    ]

    private static let type = RequestFields.Row.taken(
        "sourceOfFunds.type",
        .enumeration(
            ["CARD"],
            unsupported: [
                "ACH", "ALIPAY", "BANK_TRANSFER", "DIRECT_DEBIT_CANADA", "EBT_CARD", "ENETS", "GIFT_CARD", "GIROPAY",
                "IDEAL", "KLARNA", "OPEN_BANKING_BANK_TRANSFER", "OTHER", "PAYPAL", "PAYSAFECARD", "SCHEME_TOKEN",
                "SEPA", "SOFORT", "UNION_PAY", "WECHAT_PAY",
            ]))
}
