internal import Payments

/// `apiOperation` of a transaction.
enum APIOperation {
    /// The real gateway's operations on a transaction that are not served.
    private static let unserved: Set<String> = [
        "AUTHENTICATE_PAYER", "CAPTURE", "DISBURSEMENT", "INITIATE_AUTHENTICATION", "INITIATE_BROWSER_PAYMENT",
        "REFERRAL",
        "REFUND", "REFUND_REQUEST", "REMOVE_AUTHORIZATION_SCHEDULE", "STANDALONE_CAPTURE", "STANDALONE_REFUND",
        "UPDATE_AUTHORIZATION", "VERIFY", "VOID",
    ]

    /// The operation that is named, if it is one that authorizes.
    static func authorizing(_ name: String) throws(ErrorReply) -> Authorize.Operation {
        if let operation = Authorize.Operation(rawValue: name) { return operation }
        guard unserved.contains(name) else {
            throw .invalid("apiOperation", name, "Expected AUTHORIZE or PAY")
        }
        throw .unsupported("apiOperation", name, "This gateway performs AUTHORIZE and PAY")
    }
}
