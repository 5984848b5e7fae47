/// The requests of one merchant as the bytes of HTTP/1.1.
struct PaymentRequests {
    private let authorization: String

    init(_ installation: BenchInstallation) { authorization = installation.authorization }

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
        return head("PUT", "/order/\(order)/transaction/\(request.transaction)", contentBytes: content.count) + content
    }

    /// RETRIEVE_ORDER, or RETRIEVE_TRANSACTION.
    func retrieve(_ order: String, transaction: String? = nil) -> [UInt8] {
        head("GET", "/order/\(order)" + (transaction.map { "/transaction/\($0)" } ?? ""), contentBytes: 0)
    }

    private func head(_ method: String, _ path: String, contentBytes: Int) -> [UInt8] {
        Array(
            """
            \(method) /api/rest/version/100/merchant/\(BenchInstallation.merchantName)\(path) HTTP/1.1\r\n\
            Host: 127.0.0.1\r\nAuthorization: \(authorization)\r\nContent-Type: application/json\r\n\
            Content-Length: \(contentBytes)\r\n\r\n
            """.utf8)
    }

    private static func amount(_ cents: Int) -> String {
        let (units, fraction) = cents.quotientAndRemainder(dividingBy: 100)
        return "\(units).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
