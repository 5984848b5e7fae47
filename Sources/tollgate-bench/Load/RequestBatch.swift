import ApplePay
import ApplePaySandbox
import Dispatch
import JSON
import Synchronization
import Values

/// Requests as the bytes of HTTP/1.1, made before anything is measured, and what each must be answered.
struct RequestBatch: Sendable {
    /// One request.
    struct Entry: Sendable {
        let bytes: [UInt8]
        /// The status of the one right answer.
        let status: Int
        /// What its content must contain.
        let expected: [UInt8]
    }

    private let entries: [Entry]
    let count: Int

    /// Request number n, from 0 on.
    subscript(_ number: Int) -> Entry { entries[number % entries.count] }

    /// The same request again and again.
    init(repeating entry: Entry, count: Int) {
        entries = [entry]
        self.count = count
    }

    /// Requests that all differ.
    init(_ entries: [Entry]) {
        self.entries = entries
        count = entries.count
    }

    /// Some of the requests.
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

    /// What an order amounts to. The simulated acquirer approves these amounts; it declines some others.
    private static func cents(ofOrder order: Int) -> Int { 10_000 + order % 40_000 }

    /// What an order amounts to, as requests write it.
    static func amount(ofOrder order: Int) -> String {
        PaymentRequests.amount(cents(ofOrder: order))
    }

    /// An AUTHORIZE of an order of its own with a token of its own.
    ///
    /// - Parameter name: the order's, if it is not its number.
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
    /// An AUTHORIZE of an order named by its number, with the number of a card.
    static func authorizeCard(order: Int, _ installation: BenchInstallation) -> RequestBatch.Entry {
        let content = """
            {"apiOperation":"AUTHORIZE","order":{"amount":"\(amount(ofOrder: order))","currency":"USD"},\
            "sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"5123450000000008",\
            "expiry":{"month":"1","year":"39"},"securityCode":"100"}}}}
            """
        return transaction("1", order: "bench-\(order)", content: Array(content.utf8), installation)
    }

    /// A CAPTURE of the whole of an order named by its number.
    static func capture(order: Int, _ installation: BenchInstallation) -> RequestBatch.Entry {
        let content = """
            {"apiOperation":"CAPTURE","transaction":{"amount":"\(amount(ofOrder: order))","currency":"USD"}}
            """
        return transaction("2", order: "bench-\(order)", content: Array(content.utf8), installation)
    }

    /// An operation that succeeds.
    private static func transaction(
        _ transaction: String, order: String, content: [UInt8], _ installation: BenchInstallation
    ) -> RequestBatch.Entry {
        RequestBatch.Entry(
            bytes: installation.request("PUT", "/order/\(order)/transaction/\(transaction)", content), status: 201,
            expected: Array(#""result":"SUCCESS""#.utf8))
    }
}

extension RequestBatch {
    /// AUTHORIZE of distinct orders with distinct tokens, minted on all cores.
    ///
    /// - Parameters:
    ///   - first: the number of the first order.
    ///   - name: makes an order's name of its number, if that is not the name.
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
