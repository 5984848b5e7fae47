internal import Payments

/// The fields of the operations on a transaction, a table for each. Every other field is refused as unexpected, as by
/// the real gateway.
///
/// Names and lengths are those of the official reference of version 100, and of released clients for the fields of
/// older versions. There are three kinds of fields. Fields that control the payment are used. Fields that the real
/// gateway only passes on to an acquirer and echoes are validated and echoed, since they need no simulation. Fields
/// that would make the real gateway do something that isn't simulated (payer authentication, account funding,
/// currency conversion, payment plans, encrypted card readers) are unsupported: accepting them would claim that it
/// was done.
enum PaymentFields {
    /// The path of a card's members.
    static let card = "sourceOfFunds.provided.card"
    /// The path of an encrypted token.
    static let paymentToken = card + ".devicePayment.paymentToken"

    private static let authorize = RequestFields(
        envelope + order + orderAmounts + items("order.item[]") + transaction + payer + sourceOfFunds + details)
    private static let verify = RequestFields(
        envelope + order + orderAmounts + items("order.item[]") + transaction + payer + sourceOfFunds + details)
    private static let capture = RequestFields(
        envelope + order + transaction + transactionAmounts + items("transaction.item[]") + payer + noSourceOfFunds
            + details)
    private static let refund = RequestFields(
        envelope + order + transaction + transactionAmounts + items("transaction.item[]") + target + payer
            + sourceOfFunds + details)
    private static let void = RequestFields(
        envelope + order + transaction + target + payer + noSourceOfFunds + details)
    private static let updateAuthorization = RequestFields(
        envelope + order + transaction + transactionAmounts + items("transaction.item[]") + payer + noSourceOfFunds
            + details)

    /// The table of an operation.
    static func of(_ operation: PaymentOperation) -> RequestFields {
        switch operation {
        case .authorize, .pay: authorize
        case .verify: verify
        case .capture: capture
        case .refund: refund
        case .void: void
        case .updateAuthorization: updateAuthorization
        }
    }

    /// The fields that a session may have: those of every operation that can use a session, and those of operations
    /// that aren't simulated but whose fields released clients store as well. An operation ignores stored fields that
    /// it doesn't have.
    static let session = RequestFields(
        envelope + order + orderAmounts + items("order.item[]") + transaction + transactionAmounts
            + items("transaction.item[]") + target + payer + sourceOfFunds + detailsOfSession + payerAuthentication)

    /// The fields of every operation. The operation looks up the session.
    private static let envelope: [RequestFields.Row] = [
        .taken("apiOperation", .text(1...40)),
        .echoed("correlationId", .text(1...100)),
        .echoed("initiator.userId", .text(1...256)),
        .echoed("locale", .text(2...35)),
        .echoed("merchantNote", .text(1...250)),
        .echoed("partnerSolutionId", .text(1...40)),
        .taken("responseControls.sensitiveData", .text(1...50)),
        .taken("session.id", .text(1...35)),
        .taken("session.version", .pattern(10...10, .ascii)),
        .echoed("userId", .text(1...256)),
    ]

    private static let details =
        rules + pointOfSale + agreement + airline + thirdPartyAuthentication + [
            .unsupported("3DSecureId"), .unsupported("authentication.transactionId"), .unsupported("accountFunding"),
            .unsupported("action"), .unsupported("cruise"), .unsupported("currencyConversion"),
            .unsupported("lineOfCredit"), .unsupported("paymentPlan"), .unsupported("paymentType"),
        ]

    private static let detailsOfSession = rules + pointOfSale + agreement + airline + thirdPartyAuthentication

    /// The rules for risk assessment and payment plans. Neither is configured or simulated here, so the fields are
    /// only validated and echoed.
    ///
    /// - Source: released clients of versions 47 and 61 for `risk` and `constraints`; the names of
    ///   `transactionFiltering` are from memory of the reference.
    private static let rules: [RequestFields.Row] = [
        .echoed("constraints.paymentPlans.numberOfDeferrals", .integer(0...99)),
        .echoed("constraints.paymentPlans.numberOfPayments", .integer(1...99)),
        .echoed("constraints.paymentPlans.supported", .text(1...4000)),
        .echoed("risk.bypassMerchantRiskRules", .enumeration(["ALL"])),
        .echoed("risk.custom.*", .text(1...4000)),
        .echoed("transactionFiltering.avsResponseCodeRules[].action", .enumeration(["NO_ACTION", "REJECT"])),
        .echoed("transactionFiltering.avsResponseCodeRules[].avsResponseCode", .text(1...50)),
    ]

    /// The result of a merchant's own 3-D Secure provider, which the gateway only passes on: `3DSecure` until version
    /// 56, `authentication` from version 57. The token is a cryptogram: replies echo it, and it is stored sealed.
    private static let thirdPartyAuthentication: [RequestFields.Row] = [
        .echoed("3DSecure.acsEci", .text(1...2)),
        .echoed("3DSecure.authenticationToken", .text(1...64)),
        .echoed("3DSecure.paResStatus", .text(1...1)),
        .echoed("3DSecure.veResEnrolled", .text(1...1)),
        .echoed("3DSecure.xid", .text(1...40)),
        .echoed("authentication.3ds.acsEci", .text(1...2)),
        .echoed("authentication.3ds.authenticationToken", .text(1...64)),
        .echoed("authentication.3ds.transactionId", .text(1...100)),
        .echoed("authentication.3ds1.paResStatus", .text(1...1)),
        .echoed("authentication.3ds1.veResEnrolled", .text(1...1)),
        .echoed("authentication.3ds2.dsTransactionId", .text(1...36)),
        .echoed("authentication.3ds2.protocolVersion", .text(1...8)),
        .echoed("authentication.3ds2.statusReasonCode", .text(1...2)),
        .echoed("authentication.3ds2.transactionStatus", .text(1...1)),
        .echoed("authentication.version", .text(1...10)),
    ]

    /// The fields that clients store in a session for payer authentication and hosted checkout, neither of which is
    /// simulated.
    private static let payerAuthentication: [RequestFields.Row] = [
        .taken("authentication.3ds2.sdk.appId", .text(1...36)),
        .taken("authentication.3ds2.sdk.encryptedData", .text(1...65_536)),
        .taken("authentication.3ds2.sdk.ephemeralPublicKey", .text(1...256)),
        .taken("authentication.3ds2.sdk.interface", .enumeration(["BOTH", "HTML", "NATIVE"])),
        .taken("authentication.3ds2.sdk.referenceNumber", .text(1...32)),
        .taken("authentication.3ds2.sdk.timeout", .integer(1...99)),
        .taken("authentication.3ds2.sdk.transactionId", .text(1...36)),
        .taken("authentication.3ds2.sdk.uiType", .text(1...100)),
        .taken("authentication.methodNotificationUrl", .pattern(1...2048, .url)),
        .taken("browserPayment.openBankingBankTransfer.refundConsent", .text(1...50)),
        .taken("browserPayment.preferredLanguage", .text(1...35)),
        .taken("browserPayment.type", .text(1...50)),
        .taken("3DSecureId", .text(1...64)),
        .taken("authentication.acceptVersions", .text(1...50)),
        .taken("authentication.channel", .text(1...50)),
        .taken("authentication.purpose", .text(1...50)),
        .taken("authentication.redirectResponseUrl", .pattern(1...2048, .url)),
        .taken("authentication.transactionId", .text(1...100)),
        .taken("browserPayment.returnUrl", .pattern(1...2048, .url)),
    ]
}
