/// `response.gatewayCode`: what became of a transaction. Those that belong to operations which are not served are left out.
public enum GatewayCode: String, CaseIterable, Sendable {
    /// Aborted by the payer.
    case aborted = "ABORTED"
    /// An error at the acquirer.
    case acquirerSystemError = "ACQUIRER_SYSTEM_ERROR"
    /// The acquirer approved.
    case approved = "APPROVED"
    /// Blocked by the risk rules.
    case blocked = "BLOCKED"
    /// Cancelled by the payer.
    case cancelled = "CANCELLED"
    /// The acquirer or issuer declined.
    case declined = "DECLINED"
    /// Declined: the address doesn't match.
    case declinedAVS = "DECLINED_AVS"
    /// Declined: neither the address nor the card security code matches.
    case declinedAVSCSC = "DECLINED_AVS_CSC"
    /// Declined: the card security code doesn't match.
    case declinedCSC = "DECLINED_CSC"
    /// Declined; the issuer doesn't want to be asked again.
    case declinedDoNotContact = "DECLINED_DO_NOT_CONTACT"
    /// Declined: the PIN is wrong.
    case declinedInvalidPIN = "DECLINED_INVALID_PIN"
    /// Declined: a PIN is wanted.
    case declinedPINRequired = "DECLINED_PIN_REQUIRED"
    /// Asked for too often.
    case exceededRetryLimit = "EXCEEDED_RETRY_LIMIT"
    /// The card has expired.
    case expiredCard = "EXPIRED_CARD"
    /// The account doesn't hold the amount.
    case insufficientFunds = "INSUFFICIENT_FUNDS"
    /// The card security code has a wrong form.
    case invalidCSC = "INVALID_CSC"
    /// The acquirer doesn't do this.
    case notSupported = "NOT_SUPPORTED"
    /// The acquirer approved a part of the amount.
    case partiallyApproved = "PARTIALLY_APPROVED"
    /// Under way.
    case pending = "PENDING"
    /// The issuer wants to be called.
    case referred = "REFERRED"
    /// Sent to the acquirer, who has not answered yet.
    case submitted = "SUBMITTED"
    /// An error within the gateway.
    case systemError = "SYSTEM_ERROR"
    /// The acquirer didn't respond in time.
    case timedOut = "TIMED_OUT"
    /// The acquirer has the transaction, and what became of it is not known.
    case unknown = "UNKNOWN"
    /// A failure that the acquirer gave no reason for.
    case unspecifiedFailure = "UNSPECIFIED_FAILURE"

    /// Whether the acquirer approved all of the amount or a part.
    public var isApproval: Bool {
        switch self {
        case .approved, .partiallyApproved: true
        case .aborted, .acquirerSystemError, .blocked, .cancelled, .declined, .declinedAVS, .declinedAVSCSC,
            .declinedCSC, .declinedDoNotContact, .declinedInvalidPIN, .declinedPINRequired, .exceededRetryLimit,
            .expiredCard, .insufficientFunds, .invalidCSC, .notSupported, .pending, .referred, .submitted, .systemError,
            .timedOut, .unknown, .unspecifiedFailure:
            false
        }
    }

    /// Whether money may have moved, so that the token that paid must never pay again.
    public var mayHaveMovedMoney: Bool {
        switch self {
        case .approved, .partiallyApproved, .pending, .submitted, .timedOut, .unknown: true
        case .aborted, .acquirerSystemError, .blocked, .cancelled, .declined, .declinedAVS, .declinedAVSCSC,
            .declinedCSC, .declinedDoNotContact, .declinedInvalidPIN, .declinedPINRequired, .exceededRetryLimit,
            .expiredCard, .insufficientFunds, .invalidCSC, .notSupported, .referred, .systemError, .unspecifiedFailure:
            false
        }
    }
}

/// `result` of a transaction that was answered; a refusal's is ERROR and makes no transaction.
public enum TransactionResult: String, CaseIterable, Sendable {
    /// Declined or rejected by the gateway, acquirer or issuer.
    case failure = "FAILURE"
    /// Under way or pending.
    case pending = "PENDING"
    /// Processed as asked.
    case success = "SUCCESS"
    /// What became of it is not known.
    case unknown = "UNKNOWN"
}

/// `response.gatewayRecommendation`: what the merchant had best do next.
public enum GatewayRecommendation: String, CaseIterable, Sendable {
    /// Retrieve the transaction later.
    case checkTransactionStatusLater = "CHECK_TRANSACTION_STATUS_LATER"
    /// Ask the payment provider.
    case contactPaymentProvider = "CONTACT_PAYMENT_PROVIDER"
    /// Don't go on with this order in this way.
    case doNotProceed = "DO_NOT_PROCEED"
    /// Give the order up.
    case doNotProceedAbandonOrder = "DO_NOT_PROCEED_ABANDON_ORDER"
    /// Ask the payer.
    case doNotProceedContactPayer = "DO_NOT_PROCEED_CONTACT_PAYER"
    /// Nothing is left to do.
    case noAction = "NO_ACTION"
    /// Go on.
    case proceed = "PROCEED"
    /// Send the request again later.
    case resubmitLater = "RESUBMIT_LATER"
    /// Send it again with other payment details.
    case resubmitWithAlternativePaymentDetails = "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS"
    /// Send it again with corrected payment details.
    case resubmitWithUpdatedPaymentDetails = "RESUBMIT_WITH_UPDATED_PAYMENT_DETAILS"
}

/// `transaction.type`.
public enum TransactionType: String, CaseIterable, Sendable {
    /// What AUTHORIZE makes.
    case authorization = "AUTHORIZATION"
    /// What UPDATE_AUTHORIZATION makes.
    case authorizationUpdate = "AUTHORIZATION_UPDATE"
    /// What CAPTURE makes.
    case capture = "CAPTURE"
    /// What PAY makes.
    case payment = "PAYMENT"
    /// What REFUND makes.
    case refund = "REFUND"
    /// What VERIFY makes.
    case verification = "VERIFICATION"
    /// What VOID of an authorization makes.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// What VOID of a capture makes.
    case voidCapture = "VOID_CAPTURE"
    /// What VOID of a payment makes.
    case voidPayment = "VOID_PAYMENT"
    /// What VOID of a refund makes.
    case voidRefund = "VOID_REFUND"
}

/// `transaction.source`: the channel by which the payer gave the order.
public enum TransactionSource: String, CaseIterable, Sendable {
    /// Taken by a call centre.
    case callCentre = "CALL_CENTRE"
    /// With the card present.
    case cardPresent = "CARD_PRESENT"
    /// By the payer, online.
    case `internet` = "INTERNET"
    /// By post.
    case mailOrder = "MAIL_ORDER"
    /// By the merchant, without the payer.
    case merchant = "MERCHANT"
    /// By post or telephone.
    case moto = "MOTO"
    /// With the payer present.
    case payerPresent = "PAYER_PRESENT"
    /// By telephone.
    case telephoneOrder = "TELEPHONE_ORDER"
    /// By a voice response system.
    case voiceResponse = "VOICE_RESPONSE"
}

/// `order.walletProvider`.
public enum WalletProvider: String, CaseIterable, Sendable {
    /// Amex Express Checkout.
    case amexExpressCheckout = "AMEX_EXPRESS_CHECKOUT"
    /// Apple Pay.
    case applePay = "APPLE_PAY"
    /// Chase Pay.
    case chasePay = "CHASE_PAY"
    /// Google Pay.
    case googlePay = "GOOGLE_PAY"
    /// MasterPass Online.
    case masterpassOnline = "MASTERPASS_ONLINE"
    /// Samsung Pay.
    case samsungPay = "SAMSUNG_PAY"
    /// EMV Secure Remote Commerce.
    case secureRemoteCommerce = "SECURE_REMOTE_COMMERCE"
    /// Visa Checkout.
    case visaCheckout = "VISA_CHECKOUT"
}

/// `authenticationStatus` of an order and its transactions.
public enum AuthenticationStatus: String, CaseIterable, Sendable {
    /// No payer authentication took place; a wallet's own is none in this sense.
    case notInEffect = "AUTHENTICATION_NOT_IN_EFFECT"
}
