/// Creates the requests of one merchant as HTTP/1.1 bytes.
struct PaymentRequests {
    private let installation: BenchInstallation

    init(_ installation: BenchInstallation) { self.installation = installation }

    /// A request for an operation.
    ///
    /// - Parameter token: the token for an AUTHORIZE or PAY.
    func perform(_ request: OrderLog.Request, order: String, token: TokenPool.Token? = nil) -> [UInt8] {
        var content: [UInt8] = []
        let reference = #""reference":"\#(request.reference)""#
        switch request.command {
        case .begin(let isPayment, let cents, _):
            let start = """
                {"apiOperation":"\(isPayment ? "PAY" : "AUTHORIZE")","order":{"amount":"\(Self.amount(cents))",\
                "currency":"USD","walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"devicePayment":\
                {"paymentToken":
                """
            content += Array(start.utf8) + (token?.quoted ?? [])
            content += Array(#"}}},"type":"CARD"},"transaction":{\#(reference),"source":"INTERNET"}}"#.utf8)
        case .capture(let cents):
            content += Array(
                #"{"apiOperation":"CAPTURE","transaction":{"amount":"\#(Self.amount(cents))","currency":"USD",\#(reference)}}"#
                    .utf8)
        case .refund(let cents, let target):
            let named = target.map { #","targetTransactionId":"\#($0)""# } ?? ""
            content += Array(
                #"{"apiOperation":"REFUND","transaction":{"amount":"\#(Self.amount(cents))","currency":"USD",\#(reference)\#(named)}}"#
                    .utf8)
        case .void(let target):
            content += Array(
                #"{"apiOperation":"VOID","transaction":{\#(reference),"targetTransactionId":"\#(target)"}}"#.utf8)
        }
        return installation.request("PUT", "/order/\(order)/transaction/\(request.transaction)", content)
    }

    /// A RETRIEVE_ORDER request, or RETRIEVE_TRANSACTION if a transaction is given.
    func retrieve(_ order: String, transaction: String? = nil) -> [UInt8] {
        installation.request("GET", "/order/\(order)" + (transaction.map { "/transaction/\($0)" } ?? ""))
    }

    /// An amount in the format of requests.
    static func amount(_ cents: Int) -> String {
        let (units, fraction) = cents.quotientAndRemainder(dividingBy: 100)
        return "\(units).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
