import ApplePay
import ApplePaySandbox
import Dispatch
import JSON
import Synchronization
import Values

/// Tokens that wait for their orders, minted on all cores while nothing else goes on.
final class TokenPool {
    /// A token.
    struct Token: Sendable {
        let number: Int
        /// The amount that it is for, in US cents.
        let cents: Int
        /// Its text as a JSON string, quotation marks and all.
        let quoted: [UInt8]
    }

    private let mint: TokenMint
    private let recipient: TokenMint.Recipient
    private var tokens: [Token] = []
    private var last = 0

    /// A pool for the merchant of an installation on whose data folder a gateway has run.
    init(_ installation: BenchInstallation) throws {
        mint = TokenMint(try installation.authority())
        recipient = try installation.recipient()
    }

    /// Mints until there are so many.
    ///
    /// - Parameter cents: what each is for.
    func fill(to count: Int, cents: () -> Int) throws {
        guard tokens.count < count else { return }
        let wanted = (tokens.count..<count).map { _ in
            last += 1
            return (number: last, cents: cents())
        }
        let minted = Mutex<Result<[Token], any Error>>(.success([]))
        DispatchQueue.concurrentPerform(iterations: 8) { [mint, recipient] stripe in
            let part = Result {
                try stride(from: stripe, to: wanted.count, by: 8).map {
                    try Self.token(wanted[$0].number, cents: wanted[$0].cents, mint, recipient)
                }
            }
            minted.withLock { minted in minted = Result { try minted.get() + part.get() } }
        }
        // The oldest is taken first.
        tokens = try minted.withLock { try $0.get() }.sorted { $0.number > $1.number } + tokens
    }

    /// One of them, if there is one.
    func take() -> Token? { tokens.popLast() }

    private static func token(
        _ number: Int, cents: Int, _ mint: TokenMint, _ recipient: TokenMint.Recipient
    ) throws -> Token {
        guard let expiry = ApplicationExpirationDate(yymmdd: Array("391231".utf8)) else {
            preconditionFailure("a built-in date is valid")
        }
        let text = try mint.mint(
            MintOrder(
                accountNumber: try AccountNumber("5123450000000008"), expirationDate: expiry, currencyCode: "840",
                amountMinorUnits: Int64(cents), signingTime: .now), for: recipient)
        let quoted = JSONValue.string(String(decoding: text, as: UTF8.self)).serialized()
        return Token(number: number, cents: cents, quoted: quoted)
    }
}
