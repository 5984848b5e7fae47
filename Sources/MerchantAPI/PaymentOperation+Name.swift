internal import JSON
internal import Payments
internal import Values

extension PaymentOperation {
    /// The real gateway's operations on a transaction that authenticate a payer.
    private static let authenticating: Set<String> = [
        "AUTHENTICATE_PAYER", "CHECK_3DS_ENROLLMENT", "INITIATE_AUTHENTICATION", "PROCESS_ACS_RESULT",
    ]
    /// The real gateway's other operations that aren't simulated.
    private static let unserved: Set<String> = [
        "BALANCE_INQUIRY", "CONFIRM_BROWSER_PAYMENT", "CREATE_CHECKOUT_SESSION", "DISBURSEMENT",
        "INITIATE_BROWSER_PAYMENT",
        "INITIATE_CHECKOUT", "REFERRAL", "REFUND_REQUEST", "REMOVE_AUTHORIZATION_SCHEDULE", "STANDALONE_CAPTURE",
        "STANDALONE_REFUND", "UPDATE_BROWSER_PAYMENT", "UPDATE_PAYER_DATA",
    ]
    private static let served: String = {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }()

    /// Reads the operation from a request's `apiOperation`.
    init(_ request: JSONNode, of merchant: MerchantID) throws(ErrorReply) {
        guard let node = request.member("apiOperation") else { throw .missing("apiOperation") }
        guard let name = node.string else { throw .invalidSecret("apiOperation", "Expected a string") }
        if let operation = PaymentOperation(rawValue: name) {
            self = operation
        } else if Self.authenticating.contains(name) {
            throw .payerAuthenticationNotSupported(of: merchant)
        } else if Self.unserved.contains(name) {
            throw .unsupported("apiOperation", name, "This gateway performs \(Self.served)")
        } else {
            throw .invalid("apiOperation", name, "Expected \(Self.served)")
        }
    }
}

extension ErrorReply {
    /// Payer authentication isn't simulated. The message is the real gateway's for a merchant that isn't configured
    /// for it.
    static func payerAuthenticationNotSupported(of merchant: MerchantID) -> ErrorReply {
        ErrorReply("Merchant : \(merchant) is not configured to support 3D Secure operations for this card type.")
    }

    /// Gift cards aren't simulated.
    static let balanceInquiryNotSupported = ErrorReply.unsupported(
        "apiOperation", "BALANCE_INQUIRY", "This gateway has no gift cards")
}
