import ApplePay
import ApplePaySandbox
import Dispatch
import JSON
import Synchronization
import Values

/// Tokens for later use, minted on all cores while nothing else runs.
final class TokenPool {
    /// A token.
    struct Token: Sendable {
        let number: Int
        /// The token's amount, in US cents.
        let cents: Int
        /// The token as a JSON string, including the quotation marks.
        let quoted: [UInt8]
    }

    private let mint: TokenMint
    private let recipient: TokenMint.Recipient
    private var tokens: [Token] = []
    private var last = 0

    /// Creates a pool for an installation's merchant. A gateway must have run on its data folder.
    init(_ installation: BenchInstallation) throws {
        mint = TokenMint(try installation.authority())
        recipient = try installation.recipient()
    }

    /// Mints tokens until the pool contains `count`.
    ///
    /// - Parameter cents: returns the amount of the next token.
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
        // The oldest token is used first.
        tokens = try minted.withLock { try $0.get() }.sorted { $0.number > $1.number } + tokens
    }

    /// Removes a token from the pool and returns it; nil if the pool is empty.
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
