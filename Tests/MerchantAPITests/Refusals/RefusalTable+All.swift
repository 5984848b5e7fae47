import Payments

/// The tables.
extension RefusalTable {
    /// The tables that others go on from.
    static let shared: [RefusalTable] = [
        RefusalTable(
            title: "Every request", calls: [], rows: Row.route + Row.content + Row.caller),
        RefusalTable(
            title: "Every operation on a transaction", calls: [], start: .request, rows: Row.transaction),
    ]

    /// One table for each operation, or for several that share an order.
    static let all: [RefusalTable] = [
        authorize, verify, stored, capture, updateAuthorization, refund, standaloneRefund, void, retrieveOrder,
        retrieveTransaction, createSession, updateSession, updateSessionOfPayer, retrieveSession, createToken,
        replaceToken, retrieveToken, paymentOptions, inquireBalance, authenticatePayer, checkGateway,
    ]

    private typealias Row = RefusalRow

    private static func joined(_ parts: [RefusalRow]...) -> [RefusalRow] { parts.flatMap { $0 } }

    // MARK: Why faults don't meet

    /// Of rows that several tables have.
    static let everywhere: [Exclusion] = [
        Exclusion([unmasking[0]], Array(unmasking.dropFirst()), "`responseControls.sensitiveData` has one value.")
    ]
    private static let oneWallet = Exclusion(
        [Row.walletMissing], [Row.walletOther, Row.walletOfCard], "A wallet is named or not.")
    private static let oneForm = Exclusion(
        [Row.twoIndicators], [Row.formatMissing], "Members in `3DSecure` need no cryptogramFormat.")
    private static let payment: [Exclusion] = [
        oneWallet, oneForm,
        Exclusion(
            Row.applePay, [Row.walletMissing, Row.walletOther],
            "What a payment with APPLE_PAY must say is asked of no other."),
        Exclusion(
            [Row.sourceMissing], joined(Row.source, Row.opening, Row.spent),
            "Nothing is wrong with a source that is absent."),
        Exclusion(
            [Row.walletOfCard], [Row.numberMissing], "Without a number nothing says that the card is one in clear."),
    ]

    private static func unknown(_ row: RefusalRow, _ others: [RefusalRow]) -> Exclusion {
        Exclusion([row], others, "Nothing is wrong with what doesn't exist.")
    }

    // MARK: Operations that an order can begin with

    private static let domain = [Row.storeFails, Row.twin]
    private static let room = [Row.orderFull, Row.particularsFull, Row.currencyNotAccepted("order")]
    private static let progress = [Row.notAwaiting, Row.currencyDiffers("order")]

    private static let authorize = RefusalTable(
        title: "AUTHORIZE and PAY", calls: [.payment("AUTHORIZE"), .payment("PAY")], start: .transaction,
        rows: joined(
            Row.applePay, Row.currency("order"), Row.orderAmount, Row.source, domain, Row.opening, room,
            [Row.amountZero("order")], progress, Row.spent),
        exclusions: payment)
    private static let verify = RefusalTable(
        title: "VERIFY", calls: [.payment("VERIFY")], start: .transaction,
        rows: joined(
            Row.applePay, Row.currency("order"), Row.source, domain, Row.opening, room, progress, Row.spent),
        exclusions: payment)
    private static let stored = RefusalTable(
        title: "AUTHORIZE and PAY with a session or card token", calls: [.payment("PAY", [.stored])],
        start: .transaction,
        rows: joined(
            domain, Row.sessionSources, [Row.unfit], Row.currency("order"), Row.orderAmount,
            Row.cardDetails.filter { $0.sources.contains(.stored) }, room, [Row.amountZero("order")], progress),
        exclusions: [
            Exclusion([Row.unfit], Row.currency("order"), "The currency says how many decimals an amount may have.")
        ])

    // MARK: Operations that build on transactions

    private static let laterAmount = Row.currency("transaction") + [Row.missing("transaction.amount")]
    private static let later = [Row.amountZero("transaction"), Row.currencyDiffers("transaction")]

    /// CAPTURE or UPDATE_AUTHORIZATION, which differ in how much they may ask for.
    private static func ofAuthorization(_ operation: String, _ limit: RefusalRow) -> RefusalTable {
        RefusalTable(
            title: operation, calls: [.ofAuthorization(operation)], start: .transaction,
            rows: joined(
                laterAmount, domain, [Row.unknownOrder, Row.orderFull, Row.particularsFull], later,
                [Row.noAuthorization, limit]),
            exclusions: [
                unknown(
                    Row.unknownOrder,
                    [
                        Row.twin, Row.orderFull, Row.particularsFull, Row.currencyDiffers("transaction"),
                        Row.noAuthorization, limit,
                    ])
            ])
    }
    private static let capture = ofAuthorization("CAPTURE", Row.exceedsAuthorized)
    private static let updateAuthorization = ofAuthorization("UPDATE_AUTHORIZATION", Row.lessThanCaptured)

    private static let refundTargets = [
        Row.nothingToRefund, Row.severalToRefund, Row.unknownTarget, Row.targetNotRefundable, Row.exceedsCaptured,
        Row.totalExceeds,
    ]
    private static let refund = RefusalTable(
        title: "REFUND", calls: [.refund], start: .transaction,
        rows: joined(
            laterAmount, [Row.targetMalformed], domain, [Row.privilege(.refund), Row.unknownOrder, Row.orderFull],
            later, refundTargets),
        exclusions: [
            unknown(
                Row.unknownOrder,
                [Row.twin, Row.orderFull, Row.currencyDiffers("transaction")] + refundTargets),
            Exclusion(
                [Row.nothingToRefund, Row.severalToRefund],
                [Row.unknownTarget, Row.targetNotRefundable, Row.targetMalformed],
                "The gateway looks for what to refund, or the request names it."),
            Exclusion(
                [Row.totalExceeds], [Row.nothingToRefund, Row.severalToRefund, Row.targetNotRefundable],
                "The total is that of one payment, which was refunded before."),
        ])
    private static let standaloneRefund = RefusalTable(
        title: "REFUND under an order of its own", calls: [.standaloneRefund], start: .transaction,
        rows: joined(
            laterAmount, [Row.targetMalformed, Row.walletMissing], Row.besideToken, Row.cardDetails,
            Row.deviceDetails, domain, [Row.privilege(.refund), Row.privilege(.excessiveRefund)], Row.opening,
            [
                Row.orderFull, Row.particularsFull, Row.currencyNotAccepted("transaction"),
                Row.amountZero("transaction"), Row.sourceNotAllowed, Row.currencyDiffers("transaction"),
            ], Row.spent),
        exclusions: [oneWallet, oneForm])
    private static let void = RefusalTable(
        title: "VOID", calls: [.void], start: .transaction,
        rows: joined(
            [Row.targetMissing, Row.targetMalformed], domain,
            [
                Row.privilege(.void), Row.unknownOrderToVoid, Row.orderFull, Row.nothingToVoid, Row.voidedOutOfOrder,
            ]),
        exclusions: [
            unknown(Row.unknownOrderToVoid, [Row.twin, Row.orderFull, Row.nothingToVoid, Row.voidedOutOfOrder]),
            Exclusion(
                [Row.nothingToVoid], [Row.voidedOutOfOrder], "Nothing builds on a transaction that doesn't exist."),
        ])

    // MARK: Retrievals

    private static let unmasking = Row.unmasking { $0.sensitiveData = $1 }
    private static let retrieveOrder = RefusalTable(
        title: "RETRIEVE_ORDER", calls: [.retrieveOrder], start: .retrieval,
        rows: joined([Row.orderPath], unmasking, [Row.storeFails, Row.unknownOrder]))
    private static let retrieveTransaction = RefusalTable(
        title: "RETRIEVE_TRANSACTION", calls: [.retrieveTransaction], start: .retrieval,
        rows: joined(
            [Row.orderPath, Row.transactionPath], unmasking,
            [Row.storeFails, Row.unknownOrder, Row.unknownTransaction]),
        exclusions: [
            Exclusion([Row.transactionPath], [Row.unknownTransaction], "A path names one transaction.")
        ])

    // MARK: Sessions and tokens

    private static let sessionFields = Row.fields(unserved: "order.purchaseType")

    private static let createSession = RefusalTable(
        title: "CREATE_SESSION", calls: [.createSession], start: .request,
        rows: joined(
            Row.operation(unserved: "INITIATE_CHECKOUT"),
            sessionFields.filter { $0.refusal.validationType != "UNSUPPORTED" }, [Row.storeFails]))
    private static let updateSession = RefusalTable(
        title: "UPDATE_SESSION", calls: [.updateSession], start: .request,
        rows: joined(
            [Row.sessionPath], Row.operation(unserved: "UPDATE_SESSION_FROM_WALLET"), sessionFields,
            Row.storedDetails, Row.storedToken,
            [Row.storeFails, Row.noSession, Row.sessionVersion, Row.sessionTooLarge]),
        exclusions: [unknown(Row.noSession, [Row.sessionVersion, Row.sessionTooLarge])])
    private static let updateSessionOfPayer = RefusalTable(
        title: "UPDATE_SESSION with the session as the password", calls: [.updateSessionOfPayer], start: .content,
        rows: joined(
            Array(Row.caller.prefix(2)), [Row.storeFails], Array(Row.caller.suffix(1)), [Row.notPayerInput],
            Row.storedDetails, [Row.sessionVersion]))
    private static let retrieveSession = RefusalTable(
        title: "RETRIEVE_SESSION", calls: [.retrieveSession], start: .retrieval,
        rows: [Row.sessionPath, Row.storeFails, Row.noSession])

    private static let tokenRows = joined(
        Row.operation(unserved: nil), Row.fields(unserved: "referenceOrderId"),
        [Row.sessionMalformed, Row.storeFailsEarly],
        Row.sessionSources, [Row.deviceNotStored],
        Row.cardDetails.filter { !$0.sources.isDisjoint(with: [.card, .stored]) }, [Row.storeFailsLate])
    private static let createToken = RefusalTable(
        title: "CREATE_TOKEN", calls: [.createToken], start: .request, rows: tokenRows + [Row.tooManyTokens])
    private static let replaceToken = RefusalTable(
        title: "UPDATE_TOKEN", calls: [.replaceToken], start: .request,
        rows: joined([Row.tokenPath], tokenRows, [Row.noToken]))
    private static let retrieveToken = RefusalTable(
        title: "RETRIEVE_TOKEN and DELETE_TOKEN", calls: [.retrieveToken, .deleteToken], start: .retrieval,
        rows: [Row.tokenPath, Row.storeFails, Row.noToken])

    // MARK: Others

    private static let paymentOptions = RefusalTable(
        title: "PAYMENT_OPTIONS_INQUIRY", calls: [.inquirePaymentOptions], start: .request,
        rows: joined(
            Row.operation(unserved: nil), sessionFields, Row.storedDetails, [Row.currencyNotAccepted("order")]))
    private static let inquireBalance = RefusalTable(
        title: "BALANCE_INQUIRY", calls: [.inquireBalance], start: .request, rows: [Row.noGiftCards])
    private static let authenticatePayer = RefusalTable(
        title: "AUTHENTICATE_PAYER", calls: [.authenticatePayer], start: .request, rows: [Row.noAuthentication])
    private static let checkGateway = RefusalTable(
        title: "CHECK_GATEWAY", calls: [.checkGateway], rows: Row.route)
}
