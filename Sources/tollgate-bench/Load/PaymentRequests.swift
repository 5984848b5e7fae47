/// The requests of one merchant as the bytes of HTTP/1.1.
struct PaymentRequests {
    private let installation: BenchInstallation

    init(_ installation: BenchInstallation) { self.installation = installation }

    /// An operation.
    ///
    /// - Parameter token: that of an AUTHORIZE or PAY.
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

    /// RETRIEVE_ORDER, or RETRIEVE_TRANSACTION.
    func retrieve(_ order: String, transaction: String? = nil) -> [UInt8] {
        installation.request("GET", "/order/\(order)" + (transaction.map { "/transaction/\($0)" } ?? ""))
    }

    /// An amount as requests write it.
    static func amount(_ cents: Int) -> String {
        let (units, fraction) = cents.quotientAndRemainder(dividingBy: 100)
        return "\(units).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
