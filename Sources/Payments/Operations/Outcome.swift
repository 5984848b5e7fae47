/// The `result` of a transaction. A refused request has the result ERROR and creates no transaction.
public enum TransactionResult: String, CaseIterable, Sendable {
    /// Declined or rejected by the gateway, acquirer or issuer.
    case failure = "FAILURE"
    /// In progress or pending.
    case pending = "PENDING"
    /// Processed successfully.
    case success = "SUCCESS"
    /// The outcome is unknown.
    case unknown = "UNKNOWN"
}

/// `response.gatewayRecommendation`: the recommended next step of the merchant.
public enum GatewayRecommendation: String, CaseIterable, Sendable {
    /// Retrieve the transaction later.
    case checkTransactionStatusLater = "CHECK_TRANSACTION_STATUS_LATER"
    /// Contact the payment provider.
    case contactPaymentProvider = "CONTACT_PAYMENT_PROVIDER"
    /// Don't continue with this order.
    case doNotProceed = "DO_NOT_PROCEED"
    /// Abandon the order.
    case doNotProceedAbandonOrder = "DO_NOT_PROCEED_ABANDON_ORDER"
    /// Contact the payer.
    case doNotProceedContactPayer = "DO_NOT_PROCEED_CONTACT_PAYER"
    /// No action is needed.
    case noAction = "NO_ACTION"
    /// Proceed.
    case proceed = "PROCEED"
    /// Send the request again later.
    case resubmitLater = "RESUBMIT_LATER"
    /// Send the request again with other payment details.
    case resubmitWithAlternativePaymentDetails = "RESUBMIT_WITH_ALTERNATIVE_PAYMENT_DETAILS"
    /// Send the request again with corrected payment details.
    case resubmitWithUpdatedPaymentDetails = "RESUBMIT_WITH_UPDATED_PAYMENT_DETAILS"
}

/// `transaction.source`: the channel through which the payer gave the order.
public enum TransactionSource: String, CaseIterable, Sendable {
    /// Through a call centre.
    case callCentre = "CALL_CENTRE"
    /// With the card present.
    case cardPresent = "CARD_PRESENT"
    /// By the payer on the internet.
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
    /// No payer authentication took place; a wallet's own authentication of the payer does not count.
    case notInEffect = "AUTHENTICATION_NOT_IN_EFFECT"
}
