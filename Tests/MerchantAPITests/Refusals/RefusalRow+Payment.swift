import JSON
import Payments

/// The refusals of the source of a payment, and of the token in it.
extension RefusalRow {
    typealias Source = FaultyRequest.Source

    static let card = "sourceOfFunds.provided.card"
    private static let device = card + ".devicePayment"
    private static let token = device + ".paymentToken"
    private static let wallet = "order.walletProvider"
    private static let clear: Set<Source> = [.card, .members]
    private static let wallets: Set<Source> = [.members, .token]

    /// What Mastercard asks of a payment with Apple Pay.
    static let applePay = [
        invalid(
            "`transaction.source` of a payment with APPLE_PAY is not INTERNET", "transaction.source", "MOTO",
            "has INTERNET", of: wallets),
        invalid(
            "`posTerminal.location` of a payment with APPLE_PAY is not the payer's terminal", "posTerminal.location",
            "MERCHANT_TERMINAL_ON_PREMISES", "A payment with APPLE_PAY has", of: wallets),
    ]

    static let sourceMissing = missing("sourceOfFunds", of: [.card, .members, .token])
    static let walletMissing = missing(wallet, of: wallets)
    static let walletOfCard = RefusalRow(
        "`order.walletProvider` is APPLE_PAY, and nothing of a device is there",
        .missing(device + ".cryptogramFormat"), "Missing parameter", of: [.card]
    ) { $0.change(wallet, "APPLE_PAY") }

    static let walletOther = RefusalRow(
        "`order.walletProvider` of a token is not APPLE_PAY", .unsupported(wallet), "is unsupported", of: [.token]
    ) { $0.change(wallet, "GOOGLE_PAY") }

    /// What must not be beside a token.
    static let besideToken = [
        walletOther,
        invalid("`number` is given beside a token", card + ".number", "5123450000000008", "together", of: [.token]),
        invalid("`securityCode` is given beside a token", card + ".securityCode", "100", "together", of: [.token]),
        invalid("`nameOnCard` is given beside a token", card + ".nameOnCard", "J", "together", of: [.token]),
        invalid("`expiry.month` is given beside a token", card + ".expiry.month", "1", "together", of: [.token]),
        RefusalRow("The token is empty", .invalid(token), "more than 0", about: "token", of: [.token]) {
            $0.token = .empty
        },
    ]

    static let numberMissing = missing(card + ".number", of: clear)
    private static let number = invalid(
        "`number` is no account number", card + ".number", "51234500000000AB", "Expected digits", of: clear)

    /// The parts of a card in clear.
    static let cardDetails: [RefusalRow] = [
        numberMissing, number,
        missing(card + ".expiry.month", of: clear),
        invalid("`expiry.month` is no digits", card + ".expiry.month", "ab", "Expected 1 or 2 digits", of: clear),
        missing(card + ".expiry.year", of: clear),
        invalid("`expiry.year` is not two digits", card + ".expiry.year", "2039", "Expected 2 digits", of: clear),
        invalid("`expiry.month` is none of a year", card + ".expiry.month", "13", "Expected 1 to 12", of: clear),
        invalid("`nameOnCard` is empty or too long", card + ".nameOnCard", "", "Length is 0", of: clear),
        invalid(
            "`securityCode` is not 3 or 4 digits", card + ".securityCode", "1", "Length is 1",
            of: [.card, .members, .stored]),
    ]

    static let twoIndicators = invalid(
        "A field of `devicePayment.3DSecure` is also given beside it", device + ".3DSecure.eciIndicator", "5",
        "must not be given together with", of: [.members]
    ).naming("the field in `3DSecure`")
    static let formatMissing = missing(device + ".cryptogramFormat", of: [.members])

    /// The parts of what a device generated.
    static let deviceDetails: [RefusalRow] = [
        twoIndicators, formatMissing,
        missing(device + ".onlinePaymentCryptogram", of: [.members]),
        invalid(
            "`onlinePaymentCryptogram` is not base64", device + ".onlinePaymentCryptogram", "?", "Expected base64",
            of: [.members]),
        invalid(
            "`eciIndicator` is not 1 or 2 digits", device + ".eciIndicator", "a", "Expected digits", of: [.members]),
    ]

    /// A source from its presence to its last part.
    static let source = [sourceMissing, walletMissing] + besideToken + [walletOfCard] + cardDetails + deviceDetails

    static let noKeys = RefusalRow(
        "The merchant has no keys for tokens", .invalid(token), "Enable Decryption of Apple Pay Device Payments",
        of: [.token]
    ) { $0.hasKeys = false }

    /// What may be decrypted, and what comes of that.
    static let opening: [RefusalRow] = [
        privilege(.devicePayments, of: wallets), privilege(.applePayDecryption, of: [.token]), noKeys,
        RefusalRow(
            "`order.reference`, which the merchant's file compares application data with, is absent",
            .missing("order.reference"), "Missing parameter", about: "source of application data", of: [.token]
        ) { $0.applicationData = .orderReference },
        RefusalRow(
            "The header with the hash of application data, which the merchant's file names, is absent", .plain,
            "Missing header 'X-Cart-Hash'", about: "source of application data", of: [.token]
        ) { $0.applicationData = .header(name: "X-Cart-Hash") },
        RefusalRow(
            "The token is refused, by the first of its steps that fails", .invalid(token), "refused at step",
            about: "token", of: [.token]
        ) { $0.token = .defective },
    ]

    /// The payment was made for another transaction.
    static let spent = [
        RefusalRow(
            "The cryptogram's payment was used for another transaction", .invalid(device + ".onlinePaymentCryptogram"),
            "was used for another transaction", about: device + ".onlinePaymentCryptogram", of: [.members]
        ) { $0.token = .spent },
        RefusalRow(
            "The token paid for another transaction, or may have", .invalid(token), "at step 'replay'", about: "token",
            of: [.token]
        ) { $0.token = .spent },
    ]
}
