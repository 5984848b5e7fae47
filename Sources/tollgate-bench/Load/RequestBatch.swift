import ApplePay
import ApplePaySandbox
import Dispatch
import JSON
import Synchronization
import Values

/// Requests as HTTP/1.1 bytes, created before the measurement, with the expected answers.
struct RequestBatch: Sendable {
    /// One request.
    struct Entry: Sendable {
        let bytes: [UInt8]
        /// The status of the correct answer.
        let status: Int
        /// Bytes that the content of the answer must contain.
        let expected: [UInt8]
    }

    private let entries: [Entry]
    let count: Int

    /// Request number n, counted from 0.
    subscript(_ number: Int) -> Entry { entries[number % entries.count] }

    /// Creates a batch that repeats one request.
    init(repeating entry: Entry, count: Int) {
        entries = [entry]
        self.count = count
    }

    /// Creates a batch of different requests.
    init(_ entries: [Entry]) {
        self.entries = entries
        count = entries.count
    }

    /// One of several equal parts of the batch.
    func part(_ index: Int, of parts: Int) -> RequestBatch {
        let size = count / parts
        guard entries.count > 1 else { return RequestBatch(repeating: entries[0], count: size) }
        return RequestBatch(Array(entries[index * size..<(index + 1) * size]))
    }
}

extension RequestBatch.Entry {
    /// `GET /api/rest/version/100/information`.
    static let information = RequestBatch.Entry(
        bytes: Array("GET /api/rest/version/100/information HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n".utf8),
        status: 200, expected: Array(#""status":"OPERATING""#.utf8))

    /// The amount of an order, in cents. The simulated acquirer approves these amounts; it declines some others.
    private static func cents(ofOrder order: Int) -> Int { 10_000 + order % 40_000 }

    /// The amount of an order, in the format of requests.
    static func amount(ofOrder order: Int) -> String {
        PaymentRequests.amount(cents(ofOrder: order))
    }

    /// An AUTHORIZE of a new order with a new token.
    ///
    /// - Parameter name: the order's name; its number if nil.
    static func authorize(
        order: Int, name: String? = nil, mint: TokenMint, recipient: TokenMint.Recipient,
        _ installation: BenchInstallation, at now: Instant
    ) throws -> RequestBatch.Entry {
        guard let expiry = ApplicationExpirationDate(yymmdd: Array("391231".utf8)) else {
            preconditionFailure("a built-in date is valid")
        }
        let cents = cents(ofOrder: order)
        let token = try mint.mint(
            MintOrder(
                accountNumber: try AccountNumber("5123450000000008"), expirationDate: expiry, currencyCode: "840",
                amountMinorUnits: Int64(cents), signingTime: now), for: recipient)
        let content = TokenRequest.content(
            of: "AUTHORIZE", amount: amount(ofOrder: order), currency: "USD", token: token
        ).serialized()
        return transaction("1", order: name ?? "bench-\(order)", content: content, installation)
    }
}

extension RequestBatch.Entry {
    /// An AUTHORIZE with a card number, of an order named by its number.
    static func authorizeCard(order: Int, _ installation: BenchInstallation) -> RequestBatch.Entry {
        let content = """
            {"apiOperation":"AUTHORIZE","order":{"amount":"\(amount(ofOrder: order))","currency":"USD"},\
            "sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"5123450000000008",\
            "expiry":{"month":"1","year":"39"},"securityCode":"100"}}}}
            """
        return transaction("1", order: "bench-\(order)", content: Array(content.utf8), installation)
    }

    /// A CAPTURE of the full amount of an order named by its number.
    static func capture(order: Int, _ installation: BenchInstallation) -> RequestBatch.Entry {
        let content = """
            {"apiOperation":"CAPTURE","transaction":{"amount":"\(amount(ofOrder: order))","currency":"USD"}}
            """
        return transaction("2", order: "bench-\(order)", content: Array(content.utf8), installation)
    }

    /// A request for an operation that must succeed.
    private static func transaction(
        _ transaction: String, order: String, content: [UInt8], _ installation: BenchInstallation
    ) -> RequestBatch.Entry {
        RequestBatch.Entry(
            bytes: installation.request("PUT", "/order/\(order)/transaction/\(transaction)", content), status: 201,
            expected: Array(#""result":"SUCCESS""#.utf8))
    }
}

extension RequestBatch {
    /// AUTHORIZE requests of different orders with different tokens, minted on all cores.
    ///
    /// - Parameters:
    ///   - first: the number of the first order.
    ///   - name: converts an order's number to its name; if nil, the number is the name.
    static func authorizations(
        _ count: Int, first: Int, _ installation: BenchInstallation, at now: Instant,
        named name: (@Sendable (Int) -> String)? = nil
    ) throws -> RequestBatch {
        let mint = TokenMint(try installation.authority())
        let recipient = try installation.recipient()
        let stripes = 16
        let minted = Mutex<Result<[Int: [Entry]], any Error>>(.success([:]))
        DispatchQueue.concurrentPerform(iterations: stripes) { stripe in
            let part = Result {
                try (count * stripe / stripes..<count * (stripe + 1) / stripes).map {
                    try Entry.authorize(
                        order: first + $0, name: name?(first + $0), mint: mint, recipient: recipient, installation,
                        at: now)
                }
            }
            minted.withLock { minted in
                minted = Result {
                    var all = try minted.get()
                    all[stripe] = try part.get()
                    return all
                }
            }
        }
        let all = try minted.withLock { try $0.get() }
        return RequestBatch((0..<stripes).flatMap { all[$0] ?? [] })
    }
}
